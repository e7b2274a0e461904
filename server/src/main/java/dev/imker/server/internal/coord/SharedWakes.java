package dev.imker.server.internal.coord;

import dev.imker.coord.tasks.Waiters;
import dev.imker.model.change.Change;
import dev.imker.model.change.SharedEntryPut;
import dev.imker.model.change.SharedEntryRemoved;
import dev.imker.model.change.SharedThingPut;
import dev.imker.model.shared.SharedKey;
import dev.imker.model.shared.SharedKind;
import dev.imker.server.live.shared.SharedThings;
import java.util.List;

/**
 * Wakes those who wait when what they wait for is on disk: of a lock or an election only the one
 * that is first in line, of a queue one for each thing put into it, of everything else all, since
 * it concerns all.
 */
public record SharedWakes(Waiters waiters) {
  public SharedWakes() {
    this(new Waiters());
  }

  /** To be told what was written, on the loop's thread. */
  public void committed(List<Change> changes, SharedThings things) {
    for (Change change : changes) {
      switch (change) {
        case SharedEntryRemoved gone -> left(gone.entry().key(), things);
        case SharedEntryPut put when put.entry().key().kind() == SharedKind.QUEUE ->
            waiters.wakeOne(path(put.entry().key()));
        case SharedThingPut put -> waiters.wakeAll(path(put.thing().key()));
        default -> {}
      }
    }
  }

  private void left(SharedKey key, SharedThings things) {
    if (key.kind() == SharedKind.LOCK || key.kind() == SharedKind.ELECTION) {
      things.first(key).ifPresent(next -> waiters.wake(path(key), place(next.lease())));
    }
  }

  /** Nobody knows what they have missed, such as while another server led. */
  void wakeEverybody() {
    waiters.paths().forEach(waiters::wakeAll);
  }

  static String path(SharedKey key) {
    return String.join("/", key.scope(), key.kind().name(), key.name());
  }

  /** By which name the one that waits with this lease is woken. */
  private static String place(String lease) {
    return lease + "_";
  }
}
