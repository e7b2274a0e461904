package dev.imker.agent.internal.cache;

import dev.imker.model.BlobId;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256 of streams of any length, in constant memory. */
public final class Sha256 {
  static final int BUFFER_BYTES = 128 << 10;

  private Sha256() {}

  static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  static BlobId idOf(MessageDigest digest) {
    return new BlobId(HexFormat.of().formatHex(digest.digest()));
  }

  /** The hash of a text, as hex digits. */
  public static String of(String text) {
    return HexFormat.of().formatHex(digest().digest(text.getBytes(StandardCharsets.UTF_8)));
  }

  /** The blob id of a file's content. Callers hold a file first if a task may change it. */
  public static BlobId of(Path file) throws IOException {
    MessageDigest digest = digest();
    byte[] buffer = new byte[BUFFER_BYTES];
    try (InputStream in = Files.newInputStream(file)) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (Thread.currentThread().isInterrupted()) {
          throw new InterruptedIOException("interrupted while reading " + file.getFileName());
        }
        digest.update(buffer, 0, n);
      }
    }
    return idOf(digest);
  }
}
