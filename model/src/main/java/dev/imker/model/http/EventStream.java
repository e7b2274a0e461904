package dev.imker.model.http;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Server-sent events from the current leader. A broken stream is reopened; a server that has
 * stopped leading is left for another one.
 */
public final class EventStream {
  private static final Pattern EPOCH = Pattern.compile("\\{\"epoch\":(\\d{1,18})}");
  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 1_000;

  /** Opens the stream. */
  public interface Opening {
    /**
     * @throws IOException if no server has one at present
     */
    InputStream open() throws IOException, InterruptedException;
  }

  /** The receiver of events. */
  public interface Listener {
    /** An event; returns whether to continue listening. */
    boolean heard(String event, String data);

    /** There is currently no stream. */
    default void lost(String why) {}
  }

  private final Opening opening;
  private final Runnable leave;
  private long latestEpoch;

  /**
   * @param leave switches to another server
   */
  public EventStream(Opening opening, Runnable leave) {
    this.opening = opening;
    this.leave = leave;
  }

  /** Listens until the listener is done; throws if the stream is refused. */
  public void listen(Listener listener) throws InterruptedException {
    long pauseMillis = FIRST_PAUSE_MILLIS;
    while (true) {
      try {
        if (!read(listener)) {
          return;
        }
        listener.lost("connection lost, reconnecting");
        pauseMillis = FIRST_PAUSE_MILLIS;
      } catch (IOException e) {
        if (Thread.interrupted()) { // the caller has waited long enough
          throw new InterruptedException(e.getMessage());
        }
        listener.lost("server is unreachable, waiting for it");
        pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, 2 * pauseMillis);
      }
      Thread.sleep(pauseMillis);
    }
  }

  /** Whether to continue with another stream. */
  private boolean read(Listener listener) throws IOException, InterruptedException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(opening.open(), StandardCharsets.UTF_8), 1 << 16)) {
      String event = "";
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("event: ")) {
          event = line.substring("event: ".length());
        } else if (line.startsWith("data: ")) {
          String data = line.substring("data: ".length());
          if (isOfFormerLeader(data)) {
            leave.run();
            return true;
          }
          if (!listener.heard(event, data)) {
            return false;
          }
        }
      }
    }
    return true;
  }

  private boolean isOfFormerLeader(String data) {
    Matcher matcher = EPOCH.matcher(data);
    if (!matcher.matches()) {
      return false;
    }
    long epoch = Long.parseLong(matcher.group(1));
    boolean former = epoch > 0 && epoch < latestEpoch;
    latestEpoch = Math.max(latestEpoch, epoch);
    return former;
  }
}
