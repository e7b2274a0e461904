package dev.imker.tasks;

import dev.imker.tasks.coordination.Coordination;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * What a running task knows of its run, and what it can tell the pool. {@link #current()} finds it
 * also in a lambda.
 */
public interface TaskContext {
  /** The number of the task in its job, such as {@code 12.3}. */
  String taskId();

  /** 1 for the first attempt. */
  int attempt();

  /**
   * What the task was given for its run, under the names that commands find in their environment:
   * {@code IMKER_CORES}, {@code IMKER_MEMORY_MB}, {@code IMKER_GPUS} and so on. Threads that it
   * begins share its cores.
   */
  default Map<String, String> granted() {
    return Map.of("IMKER_VARIANT", "0", "IMKER_CORES", "1", "IMKER_GPUS", "0");
  }

  /** Tells how far the task has come: a fraction from 0 to 1, and a few words. */
  void progress(double fraction, String text);

  /** Whether the task is to end: it was cancelled, or ran longer than it may. */
  boolean isCancelled();

  /**
   * Ends the task if it is to end.
   *
   * @throws CancellationException then
   */
  default void checkCancelled() {
    if (isCancelled()) {
      throw new CancellationException("The task " + taskId() + " was cancelled.");
    }
  }

  /** Adds a line to the task's log. What it prints to System.out and System.err goes there too. */
  void log(String line);

  /** Keeps a value for the next attempt, in place of the one kept before. */
  void saveCheckpoint(Object value);

  /** What this or an earlier attempt kept last. */
  <T> Optional<T> checkpoint(Class<T> type);

  /** A folder for files, private to this attempt; it goes with it. */
  Path folder();

  /** Runs a call as a task of its own, anywhere in the pool. */
  <T> Spawned<T> spawn(RemoteCallable<T> call);

  /** Small texts that all tasks of the user share. */
  Blackboard blackboard();

  /** Barriers, locks and the like, with the tasks that belong to this one. */
  Coordination coordination();

  /**
   * The context of the task that runs on this thread.
   *
   * @throws IllegalStateException outside of a task
   */
  static TaskContext current() {
    TaskContext context = CurrentTask.get();
    if (context == null) {
      throw new IllegalStateException("This thread runs no task.");
    }
    return context;
  }
}
