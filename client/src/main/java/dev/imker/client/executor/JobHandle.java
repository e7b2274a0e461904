package dev.imker.client.executor;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A job that outlives the program that submitted it. It can be found by its key from another
 * program or after a restart of this one; {@code Imker.close} does not affect it.
 *
 * @param <T> type of its result
 */
public interface JobHandle<T> {
  /** The key by which it is found, unique among this user's jobs. */
  String key();

  /** Its number in {@code imker ls}; 0 without a pool. */
  long id();

  /**
   * Completes when the job has ended, exceptionally if one of its tasks failed. Cancelling this
   * future does not affect the job.
   */
  CompletableFuture<T> result();

  /** Its current progress. */
  JobProgress progress();

  /** Registers a listener for progress: called now, on every change, and at the end. */
  void onProgress(Consumer<JobProgress> listener);

  /** Cancels the job. */
  void cancel();
}
