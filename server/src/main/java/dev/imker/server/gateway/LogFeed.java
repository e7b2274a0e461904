package dev.imker.server.gateway;

import dev.imker.model.AgentId;
import dev.imker.model.Lease;
import dev.imker.wire.proto.LogChunk;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * What a running task writes to one stream from an offset on. A slow reader misses pieces, which it
 * detects with {@link #isBehind}: it then asks again from its position.
 */
public final class LogFeed {
  private static final int MAX_WAITING = 256;
  private final AgentId agent;
  private final Lease lease;
  private final LogChunk.Stream stream;
  private final LinkedBlockingQueue<LogChunk> chunks = new LinkedBlockingQueue<>(MAX_WAITING);
  private volatile boolean ended;
  private volatile boolean behind;
  private volatile long offset;

  LogFeed(AgentId agent, Lease lease, LogChunk.Stream stream, long offset) {
    this.agent = agent;
    this.lease = lease;
    this.stream = stream;
    this.offset = offset;
  }

  /** Whoever runs the task, and nobody else, may feed it. */
  boolean isFrom(AgentId other) {
    return agent.equals(other);
  }

  public Lease lease() {
    return lease;
  }

  LogChunk.Stream stream() {
    return stream;
  }

  /** The position of the next byte. */
  public long offset() {
    return offset;
  }

  public boolean isBehind() {
    return behind;
  }

  /** Whether nothing more will come. */
  public boolean isOver() {
    return ended && chunks.isEmpty();
  }

  void offer(LogChunk chunk) {
    if (chunk.getStream() == stream) {
      behind |= !chunks.offer(chunk);
      ended |= chunk.getLast();
    }
  }

  void end() {
    ended = true;
  }

  /** The next bytes; empty if none came within the time. Bytes before the offset are left out. */
  public Optional<byte[]> next(long millis) throws InterruptedException {
    LogChunk chunk = chunks.poll(millis, TimeUnit.MILLISECONDS);
    if (chunk == null) {
      return Optional.empty();
    }
    long skip = offset - chunk.getOffset();
    if (skip < 0) {
      behind = true;
      return Optional.empty();
    }
    if (skip >= chunk.getData().size()) {
      return Optional.of(new byte[0]);
    }
    byte[] bytes = chunk.getData().substring((int) skip).toByteArray();
    offset = chunk.getOffset() + chunk.getData().size();
    return Optional.of(bytes);
  }
}
