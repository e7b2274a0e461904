package dev.imker.cli.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.ImkerException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows a job by server-sent events until all of its tasks are settled. A server that goes away
 * is waited for: the job outlives it.
 */
public final class JobWatch {
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  private final ApiClient api;
  private final Consumer<String> onTrouble;
  private long latestEpoch;

  public JobWatch(ApiClient api, Consumer<String> onTrouble) {
    this.api = api;
    this.onTrouble = onTrouble;
  }

  /**
   * Blocks until the job is settled; returns its last view. Whoever knows the number of a job has
   * reached its pool, so one that is away, or without its database, is waited for however long.
   */
  public JsonNode untilSettled(long job, Consumer<JsonNode> onChange) {
    Duration pause = FIRST_PAUSE;
    while (true) {
      try {
        JsonNode settled = follow(job, onChange);
        if (settled != null) {
          return settled;
        }
        pause = FIRST_PAUSE;
      } catch (NoServerException e) {
        onTrouble.accept("server is away, waiting for it");
      } catch (ApiException e) {
        if (!e.isForNow()) {
          throw e;
        }
        onTrouble.accept(e.getMessage() + " Waiting for it.");
      }
      pauseFor(pause);
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
              ? pause.multipliedBy(2)
              : LONGEST_PAUSE;
    }
  }

  public static boolean isSettled(JsonNode job) {
    return job.hasNonNull("settled");
  }

  private @Nullable JsonNode follow(long job, Consumer<JsonNode> onChange) {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                api.openEvents("/api/v1/events?job=" + job), StandardCharsets.UTF_8))) {
      String event = "";
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.startsWith("event:")) {
          event = line.substring("event:".length()).strip();
        } else if (line.startsWith("data:") && event.equals("job")) {
          JsonNode view = parse(line.substring("data:".length()));
          onChange.accept(view);
          if (isSettled(view)) {
            return view;
          }
        } else if (line.startsWith("data:") && event.equals("alive")) {
          long epoch = parse(line.substring("data:".length())).path("epoch").asLong(0);
          if (epoch > 0 && epoch < latestEpoch) {
            onTrouble.accept("this server does not lead any more, looking for the one that does");
            api.leaveServer();
            return null;
          }
          latestEpoch = Math.max(latestEpoch, epoch);
        }
      }
    } catch (IOException e) {
      onTrouble.accept("connection lost, trying again");
    }
    return null;
  }

  private static JsonNode parse(String data) {
    try {
      return ApiClient.json().readTree(data);
    } catch (JsonProcessingException e) {
      throw new ImkerException("The server sent an event that is not JSON: " + data, e);
    }
  }

  private static void pauseFor(Duration pause) {
    LockSupport.parkNanos(pause.toNanos());
    if (Thread.currentThread().isInterrupted()) {
      throw new ImkerException("interrupted");
    }
  }
}
