package dev.imker.server.internal.drop.place;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/**
 * What Imker put in one place: a line with the path, and a line with the hash of the content; while
 * it is being replaced, of the former and of the new content.
 */
public record PlacedRecord(String path, List<String> hashes) {
  private static final String EXTENSION = ".placed";

  public static PlacedRecord of(String path, byte[]... contents) {
    return new PlacedRecord(path, Arrays.stream(contents).map(PlacedRecord::hash).toList());
  }

  public static PlacedRecord read(String text) {
    List<String> lines = text.lines().toList();
    return lines.isEmpty()
        ? new PlacedRecord("", List.of())
        : new PlacedRecord(lines.getFirst(), lines.subList(1, lines.size()));
  }

  public String text() {
    return path + "\n" + String.join("\n", hashes) + "\n";
  }

  /** How the file of a record is named, however long the path is. */
  public static String name(String path) {
    return hash(path.getBytes(StandardCharsets.UTF_8)) + EXTENSION;
  }

  public boolean has(byte[] content) {
    return hashes.contains(hash(content));
  }

  private static String hash(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
