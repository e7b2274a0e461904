package dev.imker.server.rest;

import dev.imker.store.NodeRecord;
import dev.imker.store.Reads;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The known nodes, read from disk at most once a second. */
final class NodeDirectory {
  private static final long VALID_NANOS = TimeUnit.SECONDS.toNanos(1);

  private record Reading(NodeNames names, long atNanos) {}

  private final Reads reads;
  private volatile @Nullable Reading last;

  NodeDirectory(Reads reads) {
    this.reads = reads;
  }

  NodeNames names() {
    Reading reading = last;
    if (reading == null || System.nanoTime() - reading.atNanos > VALID_NANOS) {
      reading = new Reading(NodeNames.of(reads.nodes()), System.nanoTime());
      last = reading;
    }
    return reading.names;
  }

  List<NodeRecord> nodes() {
    return reads.nodes();
  }
}
