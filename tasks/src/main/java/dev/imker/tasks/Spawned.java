package dev.imker.tasks;

import java.util.concurrent.ExecutionException;

/** A task spawned by another task. */
public interface Spawned<T> {
  /**
   * Waits for the result. While it waits, the task's slot on its machine is free for others.
   *
   * @throws ExecutionException if the spawned task failed; the message says why
   */
  T join() throws ExecutionException, InterruptedException;
}
