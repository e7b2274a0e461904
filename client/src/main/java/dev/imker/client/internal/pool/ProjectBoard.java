package dev.imker.client.internal.pool;

import dev.imker.client.internal.http.RestClient;
import dev.imker.model.ImkerException;
import dev.imker.tasks.Blackboard;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The blackboard of a project of the user, as its tasks see it. */
record ProjectBoard(RestClient rest, String project) implements Blackboard {
  @Override
  public Optional<String> read(String key) {
    try {
      return rest.find(path(key)).map(text -> new String(text, StandardCharsets.UTF_8));
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  @Override
  public void write(String key, String text) {
    try {
      rest.put(path(key), text.getBytes(StandardCharsets.UTF_8));
    } catch (InterruptedException e) {
      throw interrupted(e);
    }
  }

  private String path(String key) {
    String board = "/api/v1/board/" + JobSession.encoded(key);
    return project.isEmpty() ? board : board + "?project=" + JobSession.encoded(project);
  }

  private static ImkerException interrupted(InterruptedException cause) {
    Thread.currentThread().interrupt();
    return new ImkerException("interrupted while waiting for the blackboard", cause);
  }
}
