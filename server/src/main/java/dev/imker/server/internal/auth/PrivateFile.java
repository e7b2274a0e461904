package dev.imker.server.internal.auth;

import dev.imker.model.ImkerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;

/** Small files that only the owner may read. */
public final class PrivateFile {
  private PrivateFile() {}

  /** Replaces the file as a whole; it is never readable by others, not even for a moment. */
  public static void write(Path file, String content) {
    try {
      Path fresh =
          Files.createTempFile(file.toAbsolutePath().getParent(), ".new-", "", owner(file));
      Files.writeString(fresh, content);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new ImkerException(
          "Cannot write " + file + " (" + e.getMessage() + "). Make its folder writable.", e);
    }
  }

  public static Optional<String> read(Path file) {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(Files.readString(file).strip());
    } catch (IOException e) {
      throw new ImkerException(
          "Cannot read " + file + " (" + e.getMessage() + "). Make it readable for your user.", e);
    }
  }

  private static FileAttribute<?>[] owner(Path file) {
    boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))
        }
        : new FileAttribute<?>[0];
  }
}
