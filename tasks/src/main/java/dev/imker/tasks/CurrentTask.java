package dev.imker.tasks;

import org.jspecify.annotations.Nullable;

/** The task that runs on a thread. For those who run tasks. */
public final class CurrentTask {
  private static final ThreadLocal<@Nullable TaskContext> CURRENT = new ThreadLocal<>();

  private CurrentTask() {}

  public static @Nullable TaskContext get() {
    return CURRENT.get();
  }

  public static void set(TaskContext context) {
    CURRENT.set(context);
  }

  public static void clear() {
    CURRENT.remove();
  }
}
