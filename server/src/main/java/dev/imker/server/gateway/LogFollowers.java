package dev.imker.server.gateway;

import dev.imker.model.AgentId;
import dev.imker.model.Lease;
import dev.imker.wire.WireLeases;
import dev.imker.wire.proto.FollowLog;
import dev.imker.wire.proto.LogChunk;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Readers of what tasks write while they run. */
final class LogFollowers {
  private final Map<Lease, List<LogFeed>> feeds = new ConcurrentHashMap<>();

  /**
   * The agent hears of its readers in the order in which they come and go: an order that overtook
   * another would leave one of them waiting for what nobody sends.
   */
  void add(LogFeed feed, Consumer<FollowLog> agent) {
    feeds.compute(
        feed.lease(),
        (lease, present) -> {
          List<LogFeed> all = present == null ? new CopyOnWriteArrayList<>() : present;
          all.add(feed);
          // It may send again what earlier readers have: they skip it.
          agent.accept(
              order(lease)
                  .setOn(true)
                  .setStdoutOffset(offset(all, LogChunk.Stream.STDOUT))
                  .setStderrOffset(offset(all, LogChunk.Stream.STDERR))
                  .build());
          return all;
        });
  }

  void remove(LogFeed feed, Consumer<FollowLog> agent) {
    feeds.computeIfPresent(
        feed.lease(),
        (lease, present) -> {
          present.remove(feed);
          if (!present.isEmpty()) {
            return present;
          }
          agent.accept(order(lease).setOn(false).build());
          return null;
        });
  }

  private static FollowLog.Builder order(Lease lease) {
    return FollowLog.newBuilder().setLease(WireLeases.of(lease));
  }

  /** From where a stream has to be sent so that all its readers have it; far away without one. */
  private static long offset(List<LogFeed> readers, LogChunk.Stream stream) {
    return readers.stream()
        .filter(feed -> feed.stream() == stream)
        .mapToLong(LogFeed::offset)
        .min()
        .orElse(Long.MAX_VALUE);
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
