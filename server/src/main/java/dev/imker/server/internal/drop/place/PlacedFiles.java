package dev.imker.server.internal.drop.place;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * Files that Imker itself put where people see them. A record of each says what it looked like
 * then; one that looks different by now, or has no record, is somebody else's and stays.
 */
final class PlacedFiles {
  private static final String RECORD = ".placed";

  private final Path root;
  private final Path records;

  /**
   * @param records a folder for the records alone
   */
  PlacedFiles(Path root, Path records) {
    this.root = root;
    this.records = records;
  }

  /** Whether something may be put there: nothing is, or what Imker put and nobody changed. */
  boolean isFree(Path file) throws IOException {
    return !Files.exists(file, LinkOption.NOFOLLOW_LINKS) || isOurs(file);
  }

  private boolean isOurs(Path file) throws IOException {
    try {
      return Files.readString(record(file)).equals(stamp(file));
    } catch (NoSuchFileException e) {
      return false;
    }
  }

  /** Writes a file; false if somebody else's is there. */
  boolean write(Path file, byte[] content) throws IOException {
    if (!isFree(file)) {
      return false;
    }
    FolderTree.replace(file, content);
    note(file, stamp(file));
    return true;
  }

  /** Moves a file to where {@link #isFree} said that it may go. */
  void move(Path source, Path file) throws IOException {
    Files.createDirectories(file.getParent());
    if (!Files.exists(file) || !Files.isSameFile(source, file)) {
      remove(file);
    }
    note(file, stamp(source));
    if (link(source, file)) {
      Files.deleteIfExists(source);
    } else {
      throw new FileAlreadyExistsException(file.toString());
    }
  }

  /** Removes a file, unless it is somebody else's. */
  void remove(Path file) throws IOException {
    if (isOurs(file)) {
      Files.deleteIfExists(file);
      Files.deleteIfExists(record(file));
    }
  }

  private void note(Path file, String stamp) throws IOException {
    FolderTree.replace(record(file), stamp.getBytes(StandardCharsets.UTF_8));
  }

  private Path record(Path file) {
    Path relative = root.relativize(file);
    return records.resolve(relative.resolveSibling(relative.getFileName() + RECORD));
  }

  private static String stamp(Path file) throws IOException {
    BasicFileAttributes a =
        Files.readAttributes(file, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    return a.isRegularFile() ? a.size() + " " + a.lastModifiedTime().toMillis() : "no file";
  }

  /**
   * Gives a file a second name, or moves it where that is impossible; false if there is another
   * file of that name.
   */
  static boolean link(Path source, Path target) throws IOException {
    try {
      Files.createLink(target, source);
      return true;
    } catch (FileAlreadyExistsException e) {
      return Files.isSameFile(source, target);
    } catch (UnsupportedOperationException | FileSystemException e) {
      if (Files.exists(target)) {
        return false;
      }
      Files.move(source, target);
      return true;
    }
  }
}
