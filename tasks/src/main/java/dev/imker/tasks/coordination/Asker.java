package dev.imker.tasks.coordination;

import java.util.Map;

/**
 * Takes questions to where they are decided, in the form of the pool's REST interface ({@code POST
 * /api/v1/coord/KIND/NAME}). Asking twice is like asking once.
 */
public interface Asker {
  /** In an answer to an update whose condition did not hold. */
  String CONFLICT = "conflict";

  /**
   * @throws IllegalStateException if the question is refused
   */
  Map<String, Object> ask(String kind, String name, Map<String, Object> body)
      throws InterruptedException;

  /** The task begins or ends to wait, with nothing else to do. */
  void waits(boolean on);
}
