package dev.imker.client.executor;

import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A job that outlives the program that submitted it. Whoever knows its key finds it again, from
 * another program or after a restart of this one; {@code Imker.close} leaves it alone.
 *
 * @param <T> what it comes to
 */
public interface JobHandle<T> {
  /** By which it is found again; of this user's jobs only one has it. */
  String key();

  /** Its number, as {@code imker ls} shows it; 0 without a pool. */
  long id();

  /**
   * Completes when the job is over, exceptionally if one of its tasks failed. Cancelling this
   * future does nothing to the job.
   */
  CompletableFuture<T> result();

  /** How far it is now. */
  JobProgress progress();

  /** Has it told how far the job is: now, whenever that changes, and at the end. */
  void onProgress(Consumer<JobProgress> listener);

  /** Cancels the job. */
  void cancel();
}
