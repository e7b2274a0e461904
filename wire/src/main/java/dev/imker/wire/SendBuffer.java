package dev.imker.wire;

import dev.imker.wire.failure.SendQueueFullException;
import dev.imker.wire.failure.SessionClosedException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The bytes on their way to the peer.
 *
 * <p>Every byte of the session has a position, counted from 0. Three positions move through the
 * stream: {@code confirmed <= sent <= appended}, and the peer's window limits {@code sent -
 * confirmed}. Bytes between confirmed and sent are kept so that a resumed connection can send them
 * again; bytes between sent and appended wait for credit or for the connection.
 *
 * <p>Messages are encoded by the thread that sends, straight into chunks under a short lock: that
 * is cheaper than handing every message to another thread. Bytes of a chunk never change once
 * written, so frames are cut from chunks without copying. Chunks grow while a flood fills them and
 * shrink again, so that an idle session costs little memory.
 */
final class SendBuffer {

  private static final int SMALLEST_CHUNK_BYTES = 512;
  private static final int OWN_CHUNK_BYTES = 8 << 10;
  private static final int MAX_WAITING_SENDS = 1024;

  /** A flush that finds this much is part of a flood. */
  private static final int FLOOD_BYTES = 2 << 10;

  private static final int GATHER_BYTES = 48 << 10;
  static final long GATHER_NANOS = 500_000;

  /** The limit up to which an append may fill the queue. */
  enum Bound {
    /** Ordinary messages respect the queue's limit. */
    QUEUE(1),
    /** Answers may exceed it, because their thread must not wait. */
    ANSWERS(4);

    private final int factor;

    Bound(int factor) {
      this.factor = factor;
    }
  }

  /** Bytes to be sent as one frame. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Slice(byte[] bytes, int offset, int length) {}

  private record WaitingSend(Encoded message, CompletableFuture<@Nullable Void> accepted) {}

  private final int queueLimitBytes;
  private final int peerWindowBytes;
  private final int largestChunkBytes;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final ArrayDeque<Chunk> sentChunks = new ArrayDeque<>();
  private final ArrayDeque<Chunk> unsentChunks = new ArrayDeque<>();
  private final ArrayDeque<WaitingSend> waitingSends = new ArrayDeque<>();
  private @Nullable Object link;
  private boolean flushPending;
  private boolean flushDelayed;
  private boolean flooded;
  private long flushedBytes;
  private long lastFlushNanos;
  private @Nullable String closed;
  private int blockedThreads;
  private int nextChunkBytes = SMALLEST_CHUNK_BYTES;
  private long confirmed;
  private long sent;
  private long appended;
  private long messages;

  SendBuffer(int queueLimitBytes, int peerWindowBytes, int maxFrameBytes) {
    this.queueLimitBytes = queueLimitBytes;
    this.peerWindowBytes = peerWindowBytes;
    this.largestChunkBytes =
        Math.min(
            Math.min(WireOptions.COALESCED_FRAME_BYTES, maxFrameBytes),
            Math.max(SMALLEST_CHUNK_BYTES, Integer.highestOneBit(peerWindowBytes / 4)));
  }

  enum Appended {
    /** Queued, and a flush is under way. */
    QUEUED,
    /** Queued, and the caller has to start a flush. */
    FLUSH,
    /** Queued in a flood, and the caller has to call {@link #flushOverdue} a little later. */
    FLUSH_SOON,
    FULL
  }

  Appended append(Encoded message, Bound bound) {
    lock.lock();
    try {
      checkOpen();
      if (!hasRoom(bound)) {
        return Appended.FULL;
      }
      return write(message);
    } finally {
      lock.unlock();
    }
  }

  /** Waits for space. */
  Appended appendBlocking(Encoded message) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      checkOpen();
      while (!hasRoom(Bound.QUEUE)) {
        blockedThreads++;
        try {
          room.await();
        } finally {
          blockedThreads--;
        }
        checkOpen();
      }
      return write(message);
    } finally {
      lock.unlock();
    }
  }

  /** Completes the future once the message is queued; several wait in order. */
  Appended appendLater(Encoded message, CompletableFuture<@Nullable Void> accepted) {
    lock.lock();
    try {
      checkOpen();
      if (hasRoom(Bound.QUEUE)) {
        Appended result = write(message);
        accepted.complete(null);
        return result;
      }
      if (waitingSends.size() >= MAX_WAITING_SENDS) {
        throw new SendQueueFullException(MAX_WAITING_SENDS + " asynchronous sends wait already");
      }
      waitingSends.add(new WaitingSend(message, accepted));
      return Appended.QUEUED;
    } finally {
      lock.unlock();
    }
  }

  private boolean hasRoom(Bound bound) {
    return appended - sent < (long) queueLimitBytes * bound.factor
        && (bound == Bound.ANSWERS || waitingSends.isEmpty());
  }

  private Appended write(Encoded message) {
    int bytes = message.messageBytes();
    Chunk chunk = chunkFor(bytes);
    message.writeTo(chunk.data, chunk.limit);
    chunk.limit += bytes;
    appended += bytes;
    messages++;
    return flushPending ? Appended.QUEUED : scheduleFlush();
  }

  /**
   * A single message leaves immediately. In a flood, detected by the size of the last flush,
   * messages are gathered until they fill a large frame or {@link #GATHER_NANOS} have passed.
   */
  private Appended scheduleFlush() {
    boolean gathering = flooded && appended - sent < GATHER_BYTES;
    if (gathering && flushDelayed) {
      return Appended.QUEUED;
    }
    if (gathering && System.nanoTime() - lastFlushNanos < 2 * GATHER_NANOS) {
      flushDelayed = true;
      return Appended.FLUSH_SOON;
    }
    flushPending = true;
    return Appended.FLUSH;
  }

  /** To be called {@link #GATHER_NANOS} after {@link Appended#FLUSH_SOON}: is a flush due? */
  boolean flushOverdue() {
    lock.lock();
    try {
      flushDelayed = false;
      if (flushPending || appended == sent) {
        return false;
      }
      flushPending = true;
      return true;
    } finally {
      lock.unlock();
    }
  }

  private Chunk chunkFor(int bytes) {
    Chunk tail = unsentChunks.peekLast();
    if (tail != null && tail.data.length - tail.limit >= bytes) {
      return tail;
    }
    if (bytes > OWN_CHUNK_BYTES) {
      return addChunk(bytes);
    }
    boolean filledAtOnce = tail != null && sent <= tail.start;
    nextChunkBytes =
        filledAtOnce
            ? Math.min(largestChunkBytes, nextChunkBytes * 2)
            : Math.max(SMALLEST_CHUNK_BYTES, nextChunkBytes / 2);
    return addChunk(Math.max(bytes, nextChunkBytes));
  }

  private Chunk addChunk(int bytes) {
    Chunk chunk = new Chunk(appended, new byte[bytes]);
    unsentChunks.addLast(chunk);
    return chunk;
  }

  /** Next frame for this connection, or null: nothing to send, no credit, not the connection. */
  @Nullable Slice take(Object byLink) {
    List<CompletableFuture<@Nullable Void>> accepted = List.of();
    Slice slice;
    lock.lock();
    try {
      if (!byLink.equals(link)) {
        return null;
      }
      slice = nextSlice();
      if (slice == null) {
        // The rest waits for credit; the confirmation that grants it flushes again.
        flushPending = appended > sent;
        flooded = flushedBytes >= FLOOD_BYTES;
        flushedBytes = 0;
        lastFlushNanos = System.nanoTime();
        return null;
      }
      sent += slice.length;
      flushedBytes += slice.length;
      if (appended - sent <= queueLimitBytes / 2) {
        if (blockedThreads > 0) {
          room.signalAll();
        }
        accepted = admitWaiting();
      }
    } finally {
      lock.unlock();
    }
    accepted.forEach(future -> future.complete(null));
    return slice;
  }

  private @Nullable Slice nextSlice() {
    if (sent - confirmed >= peerWindowBytes) {
      return null;
    }
    for (Chunk head = unsentChunks.peekFirst(); head != null; head = unsentChunks.peekFirst()) {
      int offset = (int) (sent - head.start);
      if (offset < head.limit) {
        return new Slice(head.data, offset, head.limit - offset);
      }
      if (unsentChunks.size() == 1) {
        return null;
      }
      sentChunks.addLast(unsentChunks.removeFirst());
    }
    return null;
  }

  private List<CompletableFuture<@Nullable Void>> admitWaiting() {
    List<CompletableFuture<@Nullable Void>> admitted = new ArrayList<>();
    while (!waitingSends.isEmpty() && appended - sent < queueLimitBytes) {
      WaitingSend next = waitingSends.remove();
      write(next.message);
      admitted.add(next.accepted);
    }
    return admitted;
  }

  /** The peer has processed this much; false if that is impossible. */
  boolean confirm(long processed) {
    lock.lock();
    try {
      if (processed > sent || processed < 0) {
        return false;
      }
      advanceConfirmed(processed);
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void advanceConfirmed(long processed) {
    confirmed = Math.max(confirmed, processed);
    for (Chunk c = sentChunks.peekFirst(); c != null && c.end() <= confirmed; ) {
      sentChunks.removeFirst();
      c = sentChunks.peekFirst();
    }
  }

  /** Whether this buffer can continue for a peer that has received and processed this much. */
  boolean canResume(long received, long processed) {
    lock.lock();
    try {
      return closed == null
          && processed >= 0
          && processed <= received
          && received >= confirmed
          && received <= sent;
    } finally {
      lock.unlock();
    }
  }

  /** Sends over this connection from now on, starting at the peer's position. */
  void attach(Object newLink, long received, long processed) {
    lock.lock();
    try {
      link = newLink;
      flushPending = true;
      advanceConfirmed(processed);
      sent = received;
      for (Chunk c = sentChunks.peekLast(); c != null && c.end() > sent; ) {
        unsentChunks.addFirst(sentChunks.removeLast());
        c = sentChunks.peekLast();
      }
    } finally {
      lock.unlock();
    }
  }

  void detach() {
    lock.lock();
    try {
      link = null;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Closes the buffer: waiting and later senders fail with this reason, and its content is
   * discarded.
   */
  void close(String reason) {
    List<WaitingSend> failed;
    lock.lock();
    try {
      if (closed != null) {
        return;
      }
      closed = reason;
      link = null;
      failed = List.copyOf(waitingSends);
      waitingSends.clear();
      sentChunks.clear();
      unsentChunks.clear();
      room.signalAll();
    } finally {
      lock.unlock();
    }
    failed.forEach(send -> send.accepted.completeExceptionally(new SessionClosedException(reason)));
  }

  private void checkOpen() {
    if (closed != null) {
      throw new SessionClosedException("session is closed: " + closed);
    }
  }

  long messages() {
    lock.lock();
    try {
      return messages;
    } finally {
      lock.unlock();
    }
  }

  /** Bytes held at the moment: kept for a resume, or waiting to be sent. */
  long heldBytes() {
    lock.lock();
    try {
      return closed == null ? appended - confirmed : 0;
    } finally {
      lock.unlock();
    }
  }

  private static final class Chunk {
    private final long start;
    private final byte[] data;
    private int limit;

    Chunk(long start, byte[] data) {
      this.start = start;
      this.data = data;
    }

    long end() {
      return start + limit;
    }
  }
}
