package dev.imker.store;

import java.util.function.Supplier;

/**
 * Threads that must never wait for a database or a file, such as the one that schedules. While
 * assertions are on, as they are in tests, whatever would wait on such a thread fails instead.
 */
public final class NonBlockingThread {
  private static final ThreadLocal<Boolean> MARKED = ThreadLocal.withInitial(() -> false);

  private NonBlockingThread() {}

  /** The calling thread is one of them from now on. */
  public static void begin() {
    MARKED.set(true);
  }

  /** Does what has to wait even on such a thread: a server that leads writes before it answers. */
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
