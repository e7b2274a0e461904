package dev.imker.tasks.coordination;

import java.util.Map;

/**
 * Sends requests to where they are decided, in the form of the pool's REST interface ({@code POST
 * /api/v1/coord/KIND/NAME}). Requests may be repeated without further effect.
 */
public interface Asker {
  /** In an answer to an update whose condition did not hold. */
  String CONFLICT = "conflict";

  /**
   * @throws IllegalStateException if the question is refused
   */
  Map<String, Object> ask(String kind, String name, Map<String, Object> body)
      throws InterruptedException;

  /** The task begins or ends waiting idly. */
  void waits(boolean on);
}
