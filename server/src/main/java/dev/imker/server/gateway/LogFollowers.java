package dev.imker.server.gateway;

import dev.imker.model.Lease;
import dev.imker.wire.proto.LogChunk;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Readers of what tasks write while they run. */
final class LogFollowers {
  private final Map<Lease, List<LogFeed>> feeds = new ConcurrentHashMap<>();

  /** Returns whether this is the first reader of the lease. */
  boolean add(LogFeed feed) {
    boolean[] first = new boolean[1];
    feeds.compute(
        feed.lease(),
        (lease, present) -> {
          first[0] = present == null;
          List<LogFeed> all = present == null ? new CopyOnWriteArrayList<>() : present;
          all.add(feed);
          return all;
        });
    return first[0];
  }

  /** Returns whether this was the last reader of the lease. */
  boolean remove(LogFeed feed) {
    return feeds.computeIfPresent(
            feed.lease(),
            (lease, present) -> {
              present.remove(feed);
              return present.isEmpty() ? null : present;
            })
        == null;
  }

  void deliver(Lease lease, LogChunk chunk) {
    List<LogFeed> readers = feeds.get(lease);
    if (readers != null) {
      readers.forEach(feed -> feed.offer(chunk));
    }
  }

  /** The lease is over: nothing more will come. */
  void end(Lease lease) {
    List<LogFeed> readers = feeds.get(lease);
    if (readers != null) {
      readers.forEach(LogFeed::end);
    }
  }
}
