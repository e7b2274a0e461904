package dev.imker.client.internal.pool;

import org.jspecify.annotations.Nullable;

/** A submitted job whose outcomes are waited for. Outcomes may come more than once. */
public interface Followed {
  /** How a task ended; on any thread. */
  void ended(Outcome outcome);

  /**
   * All tasks of the job are settled.
   *
   * @param allTold whether every outcome was told before; if not, some may still be on their way
   */
  void settled(boolean allTold);

  /** Whether there is nothing left to wait for. */
  boolean isOver();

  /** Nobody will hear of the job any more: it is to end. */
  void cancel();

  /** Whether {@link #cancel} ends the job; if not, it goes on without the program. */
  default boolean endsWithProgram() {
    return true;
  }

  /** It cannot be found out what became of the job. */
  void fail(RuntimeException cause);

  /**
   * What the server told of tasks.
   *
   * @param number of the first task, from one on
   * @param last number of the last task
   * @param stdoutBlob whether what they wrote has to be fetched
   */
  record Outcome(
      int number,
      int last,
      String state,
      byte @Nullable [] stdout,
      boolean stdoutBlob,
      String error) {}
}
