package dev.imker.server.internal.rest.data;

import dev.imker.model.BlobId;
import dev.imker.model.change.BlobsOwned;
import dev.imker.server.commands.Await;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.internal.auth.Role;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.AccountReads;
import dev.imker.store.blobs.BlobStore;
import java.time.Clock;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Files as somebody sees them. A user has the files that the user brought or the user's tasks made;
 * others are not there, whether or not somebody else has them: knowing a hash opens nothing. An
 * admin sees all. What agents may see is up to {@link dev.imker.server.gateway.AgentFiles}.
 */
public record UserFiles(BlobStore blobs, AccountReads reads, SchedulerLoop loop, Clock clock) {
  private static boolean seesAll(Identity caller) {
    return caller.role() == Role.ADMIN;
  }

  public boolean has(Identity caller, BlobId blob) {
    return missing(caller, List.of(blob)).isEmpty();
  }

  /** Which of these the caller does not have; the others are kept for a while from now on. */
  public List<BlobId> missing(Identity caller, Collection<BlobId> wanted) {
    Set<BlobId> seen = seesAll(caller) ? Set.copyOf(wanted) : reads.owned(caller.user(), wanted);
    long now = clock.millis();
    return wanted.stream().filter(blob -> !seen.contains(blob) || !blobs.touch(blob, now)).toList();
  }

  boolean has(String user, BlobId blob) {
    return reads.owned(user, List.of(blob)).contains(blob) && blobs.touch(blob, clock.millis());
  }

  /** The size of a file that is there; -1 of one that is not. */
  public long size(BlobId blob) {
    return blobs.size(blob).orElse(-1);
  }

  public void brought(Identity caller, BlobId blob, long size) throws InterruptedException {
    if (caller.role().isPerson()) {
      brought(caller.user(), blob, size);
    }
  }

  /** A task of a user made a file. */
  void brought(String user, BlobId blob, long size) throws InterruptedException {
    Await.answer(loop.record(List.of(new BlobsOwned(user, Map.of(blob, size), clock.millis()))));
  }
}
