package dev.imker.server.drop;

import dev.imker.model.account.DropItem;
import java.util.List;
import java.util.Optional;

/** The authoritative records of files in drop folders. */
interface DropLedger {
  Optional<DropItem> item(String id);

  /** Those that something is to be done about. */
  List<DropItem> open(String folder);

  /** On return it is on disk. */
  void put(DropItem item) throws InterruptedException;
}
