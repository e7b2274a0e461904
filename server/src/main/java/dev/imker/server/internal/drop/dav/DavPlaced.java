package dev.imker.server.internal.drop.dav;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Files that Imker itself put where people see them, each with a record of what it looked like
 * then. One that looks different by now, or has no record, is somebody else's and stays.
 *
 * @param records a folder for the records alone
 */
record DavPlaced(DavFiles files, String records) {
  /** Whether something may be put there: nothing is, or what Imker put and nobody changed. */
  boolean isFree(String path) throws IOException {
    Optional<DavEntry> present = files.stat(path);
    return present.isEmpty() || isOurs(present.get());
  }

  private boolean isOurs(DavEntry entry) throws IOException {
    try {
      return new String(files.read(record(entry.path())), StandardCharsets.UTF_8)
          .equals(entry.tag());
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  /** Writes a file, unless somebody else's is there. */
  void write(String path, byte[] content) throws IOException {
    if (isFree(path)) {
      files.write(path, content);
      note(path);
    }
  }

  /** Moves a file to where {@link #isFree} said that it may go. */
  void move(String path, String target) throws IOException {
    remove(target);
    if (!files.move(path, target)) {
      throw new IOException("Something named " + target + " has come in this moment");
    }
    note(target);
  }

  /** Removes a file, unless it is somebody else's. */
  void remove(String path) throws IOException {
    Optional<DavEntry> present = files.stat(path);
    if (present.isPresent() && isOurs(present.get())) {
      files.delete(path);
      files.delete(record(path));
    }
  }

  private void note(String path) throws IOException {
    Optional<DavEntry> present = files.stat(path);
    if (present.isPresent()) {
      files.write(record(path), present.get().tag().getBytes(StandardCharsets.UTF_8));
    }
  }

  private String record(String path) {
    return records + "/" + path + ".placed";
  }
}
