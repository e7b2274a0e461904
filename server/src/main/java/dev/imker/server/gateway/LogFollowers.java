package dev.imker.server.gateway;

import dev.imker.model.AgentId;
import dev.imker.model.Lease;
import dev.imker.wire.proto.LogChunk;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Readers of what tasks write while they run. */
final class LogFollowers {
  private final Map<Lease, List<LogFeed>> feeds = new ConcurrentHashMap<>();

  void add(LogFeed feed) {
    feeds.compute(
        feed.lease(),
        (lease, present) -> {
          List<LogFeed> all = present == null ? new CopyOnWriteArrayList<>() : present;
          all.add(feed);
          return all;
        });
  }

  /** From where a stream has to be sent so that all its readers have it; far away without one. */
  long offset(Lease lease, LogChunk.Stream stream) {
    return feeds.getOrDefault(lease, List.of()).stream()
        .filter(feed -> feed.stream() == stream)
        .mapToLong(LogFeed::offset)
        .min()
        .orElse(Long.MAX_VALUE);
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

  void deliver(AgentId from, Lease lease, LogChunk chunk) {
    List<LogFeed> readers = feeds.get(lease);
    if (readers != null) {
      for (LogFeed feed : readers) {
        if (feed.isFrom(from)) {
          feed.offer(chunk);
        }
      }
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
