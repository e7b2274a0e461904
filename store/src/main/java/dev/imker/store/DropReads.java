package dev.imker.store;

import dev.imker.model.BlobId;
import dev.imker.model.account.DropItem;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Queries of files taken from drop folders; usable from any thread. */
public interface DropReads {
  Optional<DropItem> item(String id);

  /** Those of a folder that something is to be done about, in the order they were taken. */
  List<DropItem> open(String folder);

  /** Those of a folder, newest first. */
  List<DropItem> newest(String folder, int limit);

  /** Tells the content of every file that is still worked on. */
  void forEachOpenBlob(Consumer<BlobId> action);
}
