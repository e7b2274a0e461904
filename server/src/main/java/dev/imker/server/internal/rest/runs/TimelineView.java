package dev.imker.server.internal.rest.runs;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.List;
import java.util.Map;

/**
 * When and where the attempts of a job ran.
 *
 * @param runs every single one, where they are few enough to be drawn; else empty
 * @param bucketMillis how long each of the parts is that the time is divided into
 * @param outcomes how many attempts ran on average in each part, by how they ended
 * @param nodes the same for the busiest machines
 * @param otherNodes how many machines are not among them
 */
public record TimelineView(
    int attempts,
    String from,
    String to,
    long bucketMillis,
    Map<String, List<Double>> outcomes,
    List<Lane> nodes,
    int otherNodes,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Run> runs) {
  /** One machine. */
  public record Lane(String node, List<Double> running) {}

  /**
   * One attempt.
   *
   * @param task its number
   * @param outcome DONE, FAILED, RUNNING, CANCELLED, or EARLIER for one after which another came
   */
  public record Run(int task, String node, String from, String to, String outcome) {}
}
