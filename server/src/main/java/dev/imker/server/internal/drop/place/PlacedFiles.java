package dev.imker.server.internal.drop.place;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * Files that Imker itself put where people see them, and their {@link PlacedRecord}s. A file whose
 * content is in none is somebody else's and stays.
 */
final class PlacedFiles {
  private final Path root;
  private final Path records;

  /**
   * @param records a folder for the records alone
   */
  PlacedFiles(Path root, Path records) {
    this.root = root;
    this.records = records;
  }

  /** Whether this is the first version here that keeps records. */
  boolean isNew() {
    return !Files.exists(records);
  }

  /** Takes a file that an older version put there for one of ours. */
  void adopt(Path file) throws IOException {
    note(file, PlacedRecord.of(path(file), Files.readAllBytes(file)));
  }

  /** Forgets files that people have removed; other servers are just about to put some. */
  void forgetGone() throws IOException {
    Files.createDirectories(records);
    Instant old = Instant.now().minus(Duration.ofHours(1));
    for (Path record : FolderTree.files(records)) {
      String path = PlacedRecord.read(Files.readString(record)).path();
      if (!Files.exists(root.resolve(path), LinkOption.NOFOLLOW_LINKS)
          && Files.getLastModifiedTime(record).toInstant().isBefore(old)) {
        Files.deleteIfExists(record);
      }
    }
  }

  /** Whether something may be put there: nothing is, or what Imker put and nobody changed. */
  boolean isFree(Path file) throws IOException {
    return !Files.exists(file, LinkOption.NOFOLLOW_LINKS) || ours(file).isPresent();
  }

  /** The content of a file of ours; empty if it is somebody else's, or not there. */
  private Optional<byte[]> ours(Path file) throws IOException {
    try {
      if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)
          && Files.size(file) <= DropPlace.MAX_JOB_FILE_BYTES) {
        PlacedRecord record = PlacedRecord.read(Files.readString(record(file)));
        return Optional.of(Files.readAllBytes(file)).filter(record::has);
      }
      return Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /**
   * Writes a file; false if somebody else's is there. What it will be is noted before, and what it
   * was until after: so it is known as ours whenever this ends.
   */
  boolean write(Path file, byte[] content) throws IOException {
    Optional<byte[]> former = ours(file);
    if (former.isEmpty() && !isFree(file)) {
      return false;
    }
    note(file, PlacedRecord.of(path(file), former.orElse(content), content));
    FolderTree.replace(file, content);
    return true;
  }

  /** Moves a file to where {@link #isFree} said that it may go. */
  void move(Path source, Path file) throws IOException {
    Files.createDirectories(Objects.requireNonNull(file.getParent()));
    if (!Files.exists(file) || !Files.isSameFile(source, file)) {
      remove(file);
    }
    note(file, PlacedRecord.of(path(file), Files.readAllBytes(source)));
    if (link(source, file)) {
      Files.deleteIfExists(source);
    } else {
      throw new FileAlreadyExistsException(file.toString());
    }
  }

  /** Removes a file, unless it is somebody else's. */
  void remove(Path file) throws IOException {
    if (ours(file).isPresent()) {
      Files.deleteIfExists(file);
      Files.deleteIfExists(record(file));
    }
  }

  private void note(Path file, PlacedRecord record) throws IOException {
    FolderTree.replace(record(file), record.text().getBytes(StandardCharsets.UTF_8));
  }

  private String path(Path file) {
    return root.relativize(file).toString().replace('\\', '/');
  }

  private Path record(Path file) {
    return records.resolve(PlacedRecord.name(path(file)));
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
