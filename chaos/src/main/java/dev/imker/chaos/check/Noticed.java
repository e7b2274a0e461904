package dev.imker.chaos.check;

import dev.imker.model.JobId;
import java.util.List;

/**
 * What came of the message that a job has settled.
 *
 * @param states what the pool says of each message
 * @param received how often one arrived
 */
public record Noticed(JobId job, List<String> states, int received) {
  public Noticed {
    states = List.copyOf(states);
  }

  /** Whether it waits for another try. */
  public boolean isOpen() {
    return states.isEmpty() || states.contains("WAITING");
  }

  /**
   * One message, which arrived once; or nobody knows whether it did, since the server died while it
   * was sent.
   */
  boolean isAsPromised() {
    return switch (states.size() == 1 ? states.getFirst() : "") {
      case "SENT" -> received == 1;
      case "SENDING", "GIVEN_UP" -> received <= 1;
      default -> false;
    };
  }
}
