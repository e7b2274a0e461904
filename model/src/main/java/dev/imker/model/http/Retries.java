package dev.imker.model.http;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.OptionalLong;

/** Whether and when a failed request is repeated. */
final class Retries {
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;

  /** The maximum {@code Retry-After} that is respected, even without patience. */
  private static final Duration BUSY_PATIENCE = Duration.ofSeconds(30);

  private final Duration patience;
  private long firstFailureNanos;
  private boolean failed;
  private long nextMillis = FIRST_PAUSE_MILLIS;
  private long pauseMillis;

  Retries(Duration patience) {
    this.patience = patience;
  }

  /** After no answer or an incomplete one. */
  boolean mayRepeat(Call call, IOException failure) {
    return (call.repeatable() || NoAnswerException.isUnsent(failure))
        && isInTime(nextMillis, patience);
  }

  /** After an answer that the leader, or a server under less load, would not have given. */
  boolean mayRepeat(Call call, HttpResponse<?> answer) {
    OptionalLong later = retryAfterMillis(answer);
    boolean worthIt =
        switch (answer.statusCode()) {
          case 307, 429 -> true;
          case 503 ->
              call.repeatable()
                  || later.isPresent(); // a server that names a time has not executed it
          case 502, 504 -> call.repeatable();
          default -> false;
        };
    if (!worthIt) {
      return false;
    }
    return later.isPresent()
        ? isInTime(later.getAsLong(), max(patience, BUSY_PATIENCE))
        : isInTime(nextMillis, patience);
  }

  private static Duration max(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }

  private boolean isInTime(long waitMillis, Duration within) {
    long nowNanos = System.nanoTime();
    firstFailureNanos = failed ? firstFailureNanos : nowNanos;
    failed = true;
    pauseMillis = waitMillis;
    return Duration.ofNanos(nowNanos - firstFailureNanos).plusMillis(waitMillis).compareTo(within)
        <= 0;
  }

  private static OptionalLong retryAfterMillis(HttpResponse<?> answer) {
    String seconds = answer.headers().firstValue("Retry-After").orElse("");
    return seconds.matches("[0-9]{1,6}")
        ? OptionalLong.of(1000L * Integer.parseInt(seconds))
        : OptionalLong.empty();
  }

  void pause() throws InterruptedException {
    Thread.sleep(pauseMillis);
    nextMillis = Math.min(2 * nextMillis, LONGEST_PAUSE_MILLIS);
  }
}
