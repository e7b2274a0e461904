package dev.imker.client.internal.http;

import dev.imker.model.ImkerException;
import java.time.Duration;

/** Tries again while a server is away: restarts and fail-overs are waited for. */
public final class Patience {
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;

  /** Something that needs the server. */
  public interface Attempt<T> {
    T get() throws RestClient.AwayException, InterruptedException;
  }

  private Patience() {}

  public static <T> T untilThere(Duration most, Attempt<T> attempt) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + most.toNanos();
    long pauseMillis = FIRST_PAUSE_MILLIS;
    while (true) {
      try {
        return attempt.get();
      } catch (RestClient.AwayException e) {
        if (System.nanoTime() - deadlineNanos >= 0) {
          throw new ImkerException(
              e.getMessage() + " It was waited for " + most.toSeconds() + " s.", e);
        }
        Thread.sleep(pauseMillis);
        pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
      }
    }
  }
}
