package dev.imker.wire;

import dev.imker.wire.failure.RequestTimeoutException;
import dev.imker.wire.failure.SessionClosedException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait for their response. Time-outs cost nothing per request: a single sweep is
 * scheduled, for the earliest known deadline.
 */
final class PendingRequests {

  /** A request under way. */
  record Pending(
      long id,
      String what,
      Class<?> expected,
      long deadlineNanos,
      CompletableFuture<Object> response) {}

  private static final long NO_SWEEP = Long.MAX_VALUE;

  private final ConcurrentHashMap<Long, Pending> byId = new ConcurrentHashMap<>();
  private final AtomicLong lastId = new AtomicLong();
  private final Object sweepLock = new Object();
  private long nextSweepNanos = NO_SWEEP;

  Pending add(String what, Class<?> expected, Duration timeout) {
    long id = lastId.incrementAndGet();
    long deadline = System.nanoTime() + timeout.toNanos();
    Pending pending = new Pending(id, what, expected, deadline, new CompletableFuture<>());
    byId.put(id, pending);
    sweepBy(deadline);
    return pending;
  }

  /** Removes the request; null if it was already answered or abandoned. */
  @Nullable Pending remove(long id) {
    return byId.remove(id);
  }

  boolean isEmpty() {
    return byId.isEmpty();
  }

  int size() {
    return byId.size();
  }

  void failAll(String reason) {
    for (Pending pending : byId.values()) {
      if (byId.remove(pending.id()) != null) {
        pending.response().completeExceptionally(new SessionClosedException(reason));
      }
    }
  }

  private void sweepBy(long deadlineNanos) {
    synchronized (sweepLock) {
      if (nextSweepNanos != NO_SWEEP && nextSweepNanos - deadlineNanos <= 0) {
        return;
      }
      nextSweepNanos = deadlineNanos;
    }
    long delay = Math.max(0, deadlineNanos - System.nanoTime());
    var _ =
        ForkJoinPool.commonPool().schedule(() -> sweep(deadlineNanos), delay, TimeUnit.NANOSECONDS);
  }

  private void sweep(long scheduledFor) {
    synchronized (sweepLock) {
      if (nextSweepNanos != scheduledFor) {
        return;
      }
      nextSweepNanos = NO_SWEEP;
    }
    long now = System.nanoTime();
    boolean left = false;
    long earliest = 0;
    for (Pending pending : byId.values()) {
      if (pending.deadlineNanos() - now > 0) {
        earliest =
            left && earliest - pending.deadlineNanos() < 0 ? earliest : pending.deadlineNanos();
        left = true;
      } else if (byId.remove(pending.id()) != null) {
        expire(pending);
      }
    }
    if (left) {
      sweepBy(earliest);
    }
  }

  private static void expire(Pending pending) {
    pending
        .response()
        .completeExceptionally(
            new RequestTimeoutException("no response to " + pending.what() + " in time"));
  }
}
