package dev.imker.coord.tasks;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Threads that wait for a change. Each is woken individually, so that a departure wakes the next
 * one and not everybody. Wake-ups are never lost: a thread that is woken while it leaves passes the
 * wake-up on.
 */
public final class Waiters {
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Deque<Waiter>> waiting = new HashMap<>();
  private final AtomicLong wakeUps = new AtomicLong();

  private static final class Waiter {
    final String node;
    final Condition called;
    boolean woken;

    Waiter(String node, Condition called) {
      this.node = node;
      this.called = called;
    }
  }

  /**
   * Looks, and again whenever it is woken, until something is found or the time is over.
   *
   * @param path of the thing
   * @param node prefix of the name of the waiter's node, if each has one
   */
  public <T> Optional<T> await(
      String path, String node, long waitMillis, Supplier<Optional<T>> look)
      throws InterruptedException {
    if (waitMillis <= 0) {
      return look.get();
    }
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
    Waiter self = begin(path, node);
    try {
      Optional<T> found = look.get();
      while (found.isEmpty() && isWoken(self, deadline)) {
        found = look.get();
      }
      return found;
    } finally {
      end(path, self);
    }
  }

  private Waiter begin(String path, String node) {
    lock.lock();
    try {
      Waiter self = new Waiter(node, lock.newCondition());
      waiting.computeIfAbsent(path, _ -> new ArrayDeque<>()).add(self);
      return self;
    } finally {
      lock.unlock();
    }
  }

  /** False after the time-out. */
  private boolean isWoken(Waiter self, long deadline) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      while (!self.woken) {
        long left = deadline - System.nanoTime();
        if (left <= 0) {
          return false;
        }
        var _ = self.called.awaitNanos(left);
      }
      self.woken = false;
      wakeUps.incrementAndGet();
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void end(String path, Waiter self) {
    lock.lock();
    try {
      Deque<Waiter> all = Objects.requireNonNull(waiting.get(path), path);
      all.remove(self);
      if (all.isEmpty()) {
        waiting.remove(path);
      } else if (self.woken && self.node.isEmpty()) {
        wake(all.stream().filter(other -> !other.woken).findFirst());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Wakes the waiter with this node. */
  public void wake(String path, String node) {
    wakeFirst(path, waiter -> !waiter.node.isEmpty() && node.startsWith(waiter.node + "_"));
  }

  /** Wakes the one that has waited longest. */
  public void wakeOne(String path) {
    wakeFirst(path, waiter -> !waiter.woken);
  }

  private void wakeFirst(String path, Predicate<Waiter> which) {
    lock.lock();
    try {
      wake(waiting.getOrDefault(path, new ArrayDeque<>()).stream().filter(which).findFirst());
    } finally {
      lock.unlock();
    }
  }

  private static void wake(Optional<Waiter> waiter) {
    waiter.ifPresent(
        one -> {
          one.woken = true;
          one.called.signal();
        });
  }

  public void wakeAll(String path) {
    lock.lock();
    try {
      waiting.getOrDefault(path, new ArrayDeque<>()).forEach(one -> wake(Optional.of(one)));
    } finally {
      lock.unlock();
    }
  }

  /** The objects that somebody waits for. */
  public List<String> paths() {
    lock.lock();
    try {
      return List.copyOf(waiting.keySet());
    } finally {
      lock.unlock();
    }
  }

  public int waiting(String path) {
    lock.lock();
    try {
      return waiting.getOrDefault(path, new ArrayDeque<>()).size();
    } finally {
      lock.unlock();
    }
  }

  /** The number of wake-ups. */
  public long wakeUps() {
    return wakeUps.get();
  }
}
