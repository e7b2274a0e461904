package dev.imker.server.internal.drop.dav;

import dev.imker.server.internal.drop.place.DropPlace;
import dev.imker.server.internal.drop.place.PlacedRecord;
import dev.imker.server.internal.drop.place.ShownEnd;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/**
 * Files that Imker itself put where people see them, and their {@link PlacedRecord}s. A file whose
 * content is in none is somebody else's and stays.
 *
 * @param records a folder for the records alone
 */
record DavPlaced(DavFiles files, String records) implements ShownEnd.Shelf {
  @Override
  public boolean isFree(String path) throws IOException {
    return !files.exists(path) || ours(path).isPresent();
  }

  @Override
  public boolean holds(String path, byte[] content) throws IOException {
    return files.exists(path) && Arrays.equals(files.read(path), content);
  }

  /** The content of a file of ours; empty if it is somebody else's, or not there. */
  private Optional<byte[]> ours(String path) throws IOException {
    Optional<DavEntry> present = files.stat(path);
    if (present.isEmpty()
        || present.get().folder()
        || present.get().size() > DropPlace.MAX_JOB_FILE_BYTES) {
      return Optional.empty();
    }
    try {
      String record = new String(files.read(record(path)), StandardCharsets.UTF_8);
      return Optional.of(files.read(path)).filter(PlacedRecord.read(record)::has);
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  /**
   * Writes a file, unless somebody else's is there. What it will be is noted before, and what it
   * was until after: so it is known as ours whenever this ends.
   */
  @Override
  public void write(String path, byte[] content) throws IOException {
    Optional<byte[]> former = ours(path);
    if (former.isPresent() || !files.exists(path)) {
      note(path, PlacedRecord.of(path, former.orElse(content), content));
      files.write(path, content);
    }
  }

  /** Moves a file to where {@link #isFree} said that it may go. */
  void move(String path, String target) throws IOException {
    byte[] content = files.read(path);
    remove(target);
    note(target, PlacedRecord.of(target, content));
    if (!files.move(path, target)) {
      throw new IOException("Something named " + target + " was created just now");
    }
  }

  @Override
  public void remove(String path) throws IOException {
    if (ours(path).isPresent()) {
      files.delete(path);
      files.delete(record(path));
    }
  }

  private void note(String path, PlacedRecord record) throws IOException {
    files.write(record(path), record.text().getBytes(StandardCharsets.UTF_8));
  }

  private String record(String path) {
    return records + "/" + PlacedRecord.name(path);
  }
}
