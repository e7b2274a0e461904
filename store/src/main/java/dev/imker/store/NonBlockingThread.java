package dev.imker.store;

import java.util.function.Supplier;

/**
 * Threads that must never wait for a database or a file, such as the one that schedules. With
 * assertions enabled, as in tests, blocking calls on such a thread fail instead.
 */
public final class NonBlockingThread {
  private static final ThreadLocal<Boolean> MARKED = ThreadLocal.withInitial(() -> false);

  private NonBlockingThread() {}

  /** Marks the calling thread as non-blocking. */
  public static void begin() {
    MARKED.set(true);
  }

  /** Executes work that may block even on such a thread: a leader writes before it answers. */
  public static <T> T waiting(Supplier<T> work) {
    boolean marked = MARKED.get();
    MARKED.set(false);
    try {
      return work.get();
    } finally {
      MARKED.set(marked);
    }
  }

  /** To be called before waiting; {@code doing} completes "The scheduler's thread was to ...". */
  public static void check(String doing) {
    assert !MARKED.get() : "The scheduler's thread was to " + doing + ".";
  }
}
