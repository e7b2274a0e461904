package dev.imker.server.join;

import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a machine needs to lend itself to the pool, as a tar file: this very program, a script that
 * starts it and one that removes it, and its Java if this server came with one. It is made anew for
 * everybody who fetches it, always with the same bytes.
 */
final class ProgramArchive {
  /** A file of the archive: read from disk, or out of this program. */
  private record Part(long length, boolean executable, Content content) {}

  @FunctionalInterface
  private interface Content {
    InputStream open() throws IOException;
  }

  private final SortedMap<String, Part> parts = new TreeMap<>();

  /** For any system; a Java has to be there. */
  static ProgramArchive plain(Path jar, String version) {
    ProgramArchive archive = new ProgramArchive();
    archive.addFile("lib/imker.jar", jar);
    Path told = jar.resolveSibling("../VERSION");
    if (Files.isRegularFile(told)) {
      archive.addFile("VERSION", told);
    } else {
      archive.addText("VERSION", version + "-unknown\n", false);
    }
    archive.addText("AGENT", "", false);
    for (String script : new String[] {"imker", "imker.cmd", "uninstall"}) {
      archive.addText("bin/" + script, resource(script), true);
    }
    return archive;
  }

  /** With the Java of the archive that this server was unpacked from; none if it was not. */
  static Optional<ProgramArchive> forLinux(Path jar, String version) {
    Path runtime = jar.resolveSibling("../runtime").normalize();
    boolean usual =
        System.getProperty("os.name").equals("Linux")
            && System.getProperty("os.arch").equals("amd64")
            && Files.isRegularFile(runtime.resolve("release"));
    if (!usual) {
      return Optional.empty();
    }
    ProgramArchive archive = plain(jar, version);
    Path box = jar.resolveSibling("imker-box"); // makes sandboxes, on this kind of system only
    if (Files.isExecutable(box)) {
      archive.addFile("lib/imker-box", box);
    }
    try (Stream<Path> files = Files.walk(runtime)) {
      files
          .filter(Files::isRegularFile)
          .forEach(file -> archive.addFile("runtime/" + runtime.relativize(file), file));
    } catch (IOException e) {
      throw new ImkerException("The Java in " + runtime + " cannot be read: " + e.getMessage(), e);
    }
    return Optional.of(archive);
  }

  private void addFile(String name, Path file) {
    try {
      parts.put(
          name,
          new Part(Files.size(file), Files.isExecutable(file), () -> Files.newInputStream(file)));
    } catch (IOException e) {
      throw new ImkerException(file + " cannot be read: " + e.getMessage(), e);
    }
  }

  private void addText(String name, String text, boolean executable) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    parts.put(name, new Part(bytes.length, executable, () -> new ByteArrayInputStream(bytes)));
  }

  static String resource(String name) {
    try (InputStream in = ProgramArchive.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the program lacks " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new ImkerException("The program's own " + name + " cannot be read.", e);
    }
  }

  long length() {
    return parts.values().stream().mapToLong(part -> TarWriter.size(part.length())).sum()
        + TarWriter.endSize();
  }

  void writeTo(OutputStream out) throws IOException {
    TarWriter tar = new TarWriter(out);
    for (var entry : parts.entrySet()) {
      Part part = entry.getValue();
      try (InputStream content = part.content().open()) {
        tar.put(entry.getKey(), part.executable(), part.length(), content);
      }
    }
    tar.end();
  }

  BlobId sum() throws IOException {
    try (DigestOutputStream digest =
        new DigestOutputStream(
            OutputStream.nullOutputStream(), MessageDigest.getInstance("SHA-256"))) {
      writeTo(digest);
      return new BlobId(HexFormat.of().formatHex(digest.getMessageDigest().digest()));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
