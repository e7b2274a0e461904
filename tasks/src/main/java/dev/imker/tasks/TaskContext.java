package dev.imker.tasks;

import dev.imker.tasks.coordination.Coordination;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;

/**
 * Access of a running task to its run and to the pool. {@link #current()} also works in lambdas.
 */
public interface TaskContext {
  /** The number of the task in its job, such as {@code 12.3}. */
  String taskId();

  /** 1 for the first attempt. */
  int attempt();

  /**
   * The resources reserved for the task, under the names that commands find in their environment:
   * {@code IMKER_CORES}, {@code IMKER_MEMORY_MB}, {@code IMKER_GPUS} and so on. Threads that it
   * starts share its cores.
   */
  default Map<String, String> granted() {
    return Map.of("IMKER_VARIANT", "0", "IMKER_CORES", "1", "IMKER_GPUS", "0");
  }

  /** Reports progress: a fraction from 0 to 1, and a short text. */
  void progress(double fraction, String text);

  /** Whether the task should stop, because it was cancelled or exceeded its time limit. */
  boolean isCancelled();

  /**
   * Stops the task if it should stop.
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

  /** Saves a value for the next attempt, replacing the one saved before. */
  void saveCheckpoint(Object value);

  /** The value last saved by this or an earlier attempt. */
  <T> Optional<T> checkpoint(Class<T> type);

  /** A folder for files, private to this attempt and deleted with it. */
  Path folder();

  /**
   * Stores a file of any size in the pool, as it is now, and returns once it is there. It becomes a
   * result of the task, if that succeeds. A call that does this runs in a task of its own.
   *
   * @param file in {@link #folder()}, where its path becomes its name, or elsewhere
   * @return for the call to return to the program, which uses it to download the content
   * @throws IOException if the file cannot be read, or the pool does not accept it
   */
  TaskFile saveFile(Path file) throws IOException;

  /** Runs a call as a separate task, anywhere in the pool. */
  <T> Spawned<T> spawn(RemoteCallable<T> call);

  /** Small texts shared by all tasks of the user. */
  Blackboard blackboard();

  /** Barriers, locks and similar, shared with related tasks. */
  Coordination coordination();

  /**
   * The context of the task that runs on this thread.
   *
   * @throws IllegalStateException outside of a task
   */
  static TaskContext current() {
    TaskContext context = CurrentTask.get();
    if (context == null) {
      throw new IllegalStateException("This thread is not running a task.");
    }
    return context;
  }
}
