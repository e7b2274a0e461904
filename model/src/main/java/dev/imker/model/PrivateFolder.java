package dev.imker.model;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Folders and files that only their owner can read, whatever the umask is. */
public final class PrivateFolder {
  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  private static final Set<PosixFilePermission> FOLDER =
      PosixFilePermissions.fromString("rwx------");
  private static final Set<PosixFilePermission> FILE = PosixFilePermissions.fromString("rw-------");

  private PrivateFolder() {}

  /**
   * The folder, created if necessary. An existing one is closed to others if it is ours; a folder
   * of another user is left unchanged.
   */
  public static Path create(Path folder) throws IOException {
    if (!POSIX) {
      return Files.createDirectories(folder);
    }
    if (!Files.isDirectory(folder)) {
      Path parent = folder.toAbsolutePath().getParent();
      if (parent != null) {
        Files.createDirectories(parent);
      }
      FileAttribute<?> closed = PosixFilePermissions.asFileAttribute(FOLDER);
      Files.createDirectories(folder, closed);
    }
    close(folder, FOLDER);
    return folder;
  }

  /** Creates an empty file, or closes an existing one to others. */
  public static void closeFile(Path file) throws IOException {
    if (POSIX) {
      if (!Files.exists(file)) {
        Files.createFile(file, PosixFilePermissions.asFileAttribute(FILE));
      }
      close(file, FILE);
    }
  }

  private static void close(Path path, Set<PosixFilePermission> wanted) throws IOException {
    String owner = Files.getOwner(path).getName();
    boolean ours = owner.equals(System.getProperty("user.name"));
    if (ours && !Files.getPosixFilePermissions(path).equals(wanted)) {
      Files.setPosixFilePermissions(path, wanted);
    }
  }
}
