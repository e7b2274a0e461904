package dev.imker.store;

import dev.imker.model.BlobId;
import dev.imker.model.account.DropItem;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Queries of files taken from drop folders; usable from any thread. */
public interface DropReads {
  Optional<DropItem> item(String id);

  /** Files of a folder with outstanding work, in the order in which they were taken. */
  List<DropItem> open(String folder);

  /** Files of a folder, newest first. */
  List<DropItem> newest(String folder, int limit);

  /** Passes on the content of every file with outstanding work. */
  void forEachOpenBlob(Consumer<BlobId> action);
}
