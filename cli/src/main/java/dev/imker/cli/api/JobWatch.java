package dev.imker.cli.api;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.client.context.NoServerException;
import dev.imker.model.ImkerException;
import dev.imker.model.http.EventStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Follows the outcomes of a job until all of its tasks are settled. A server that goes away is
 * waited for: the job outlives it.
 */
public final class JobWatch {
  /** What happens to the job. */
  public interface Listener {
    /** The job has changed. */
    void changed(JsonNode job);

    /** These tasks have ended, and what came of them is on disk. */
    default void ended(int first, int last) {}

    /** Tasks may have ended that were not told. */
    default void missed() {}
  }

  private final ApiClient api;
  private final Consumer<String> onTrouble;
  private String trouble = "";
  private @Nullable JsonNode settled;

  public JobWatch(ApiClient api, Consumer<String> onTrouble) {
    this.api = api;
    this.onTrouble = onTrouble;
  }

  /**
   * Blocks until the job is settled; returns its last view. Whoever knows the number of a job has
   * reached its pool, so one that is away, or without its database, is waited for however long.
   */
  public JsonNode untilSettled(long job, Listener listener) {
    EventStream stream = new EventStream(() -> open(job), api::leaveServer);
    try {
      stream.listen(
          new EventStream.Listener() {
            @Override
            public boolean heard(String event, String data) {
              take(event, data, listener);
              return settled == null;
            }

            @Override
            public void lost(String why) {
              onTrouble.accept(trouble.isEmpty() ? why : trouble);
            }
          });
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ImkerException("interrupted", e);
    }
    if (settled == null) {
      throw new IllegalStateException("no end of job " + job);
    }
    return settled;
  }

  public static boolean isSettled(JsonNode job) {
    return job.hasNonNull("settled");
  }

  private InputStream open(long job) throws IOException {
    try {
      trouble = "";
      return api.openEvents("/api/v1/outcomes?job=" + job);
    } catch (NoServerException e) {
      throw new IOException(e.getMessage(), e);
    } catch (ApiException e) {
      if (!e.isForNow()) {
        throw e;
      }
      trouble = e.getMessage() + " Waiting for it.";
      throw new IOException(e.getMessage(), e);
    }
  }

  private void take(String event, String data, Listener listener) {
    switch (event) {
      case "open", "missed" -> listener.missed();
      case "outcomes" -> {
        for (JsonNode outcome : parse(data)) {
          if (outcome.has("number")) {
            int first = outcome.get("number").asInt();
            listener.ended(first, outcome.path("last").asInt(first));
          }
        }
      }
      case "job" -> {
        JsonNode view = parse(data);
        listener.changed(view);
        settled = isSettled(view) ? view : null;
      }
      default -> {} // a sign of life, or of a later version
    }
  }

  private static JsonNode parse(String data) {
    try {
      return ApiClient.json().readTree(data);
    } catch (JsonProcessingException e) {
      throw new ImkerException("The server sent an event that is not JSON: " + data, e);
    }
  }
}
