package dev.imker.cli.api;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * One stream of what a task wrote or writes. A patient client goes on where it was when the
 * connection broke; another attempt of the task is shown from its beginning.
 */
public final class TaskOutput {
  private static final int BUFFER_BYTES = 1 << 14;

  private final ApiClient api;
  private final String task;
  private final String stream;
  private final boolean follow;
  private long offset;
  private int attempt;

  /**
   * @param stream {@code stdout} or {@code stderr}
   * @param follow whether to go on until the task has ended
   */
  public TaskOutput(ApiClient api, String task, String stream, boolean follow) {
    this.api = api;
    this.task = task;
    this.stream = stream;
    this.follow = follow;
  }

  /** Blocks until all of it is copied. */
  public void copyTo(OutputStream target) {
    api.outlastOutages(() -> copyRest(target));
  }

  private void copyRest(OutputStream target) {
    turnTo(follow ? latestAttempt() : 0);
    String path = "/api/v1/tasks/" + task + "/" + stream + "?offset=" + offset;
    String live = "&follow=true&attempt=" + attempt;
    try (InputStream body = follow ? api.openLive(path + live) : api.open(path)) {
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int n = ApiClient.read(body, buffer); n >= 0; n = ApiClient.read(body, buffer)) {
        offset += n;
        target.write(buffer, 0, n);
        target.flush();
      }
    } catch (IOException e) {
      throw new ImkerException("Cannot write the output of " + task + ": " + e.getMessage(), e);
    }
  }

  private int latestAttempt() {
    int latest = 0;
    for (JsonNode one : api.get("/api/v1/tasks/" + task).path("attemptHistory")) {
      latest = Math.max(latest, one.path("number").asInt());
    }
    return latest;
  }

  private void turnTo(int latest) {
    boolean same = latest == attempt || (attempt == 0 && latest == 1); // seen from its beginning
    offset = same ? offset : 0;
    attempt = latest;
  }
}
