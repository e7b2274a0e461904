package dev.imker.cli.api;

import dev.imker.client.context.NoServerException;
import dev.imker.model.ImkerException;
import java.io.PrintWriter;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Repeats requests while the pool or its database is away, for commands that wait anyway. Somebody
 * who has mistyped an address learns so at once: before any server has answered, none is waited
 * for.
 */
final class Outages {
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;

  private final @Nullable PrintWriter err;
  private volatile boolean reached;
  private volatile boolean told;

  private Outages(@Nullable PrintWriter err) {
    this.err = err;
  }

  /** Every failure is one at once. */
  static Outages fatal() {
    return new Outages(null);
  }

  /**
   * @param err where it is said, once in each outage
   */
  static Outages waitedFor(PrintWriter err) {
    return new Outages(err);
  }

  <T> T outlast(Supplier<T> request) {
    long pauseMillis = FIRST_PAUSE_MILLIS;
    while (true) {
      try {
        T answer = request.get();
        reached = true;
        told = false;
        return answer;
      } catch (NoServerException e) {
        if (err == null || !reached) {
          throw e;
        }
        tell(err, e);
      } catch (ApiException e) {
        if (err == null || !e.isForNow()) {
          throw e;
        }
        reached = true;
        tell(err, e);
      }
      pause(pauseMillis);
      pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, 2 * pauseMillis);
    }
  }

  private void tell(PrintWriter writer, ImkerException trouble) {
    if (!told) {
      told = true;
      String what = String.valueOf(trouble.getMessage());
      String stop = what.endsWith(".") ? "" : ".";
      writer.println("imker: " + what + stop + " Waiting for the pool to answer.");
      writer.flush();
    }
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ImkerException("interrupted", e);
    }
  }
}
