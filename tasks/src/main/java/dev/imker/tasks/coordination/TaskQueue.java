package dev.imker.tasks.coordination;

import java.time.Duration;
import java.util.Optional;

/** A queue of texts; each is delivered once. */
public interface TaskQueue {
  /**
   * @param text up to 64 KB; put more on the blackboard and its key here
   */
  void put(String text) throws InterruptedException;

  /** Waits for the next one. */
  String take() throws InterruptedException;

  /** The next one, or empty if none arrived within the time. */
  Optional<String> poll(Duration patience) throws InterruptedException;
}
