package dev.imker.server.internal.rest.explain;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a task is where it is.
 *
 * @param reason one word for programs
 * @param text the same for people, one reason a line
 * @param ahead its place in the queue; null unless it is READY
 * @param nodes connected machines in classes that differ in what they lack; empty unless READY
 * @param decisions why its latest attempts went where they went, as far as that is kept
 */
public record TaskExplanation(
    String task,
    String state,
    Reason reason,
    String text,
    String strategy,
    @Nullable Ahead ahead,
    List<NodeClass> nodes,
    List<PastDecision> decisions) {
  /** What it comes down to. */
  public enum Reason {
    WAITING,
    TOO_EARLY,
    NO_NODE,
    NO_NODE_FITS,
    SLOTS_BUSY,
    AMOUNTS_TAKEN,
    SLOT_QUOTA,
    NEXT,
    RUNNING,
    BLOCKED,
    AUTO_BLOCKED,
    DONE,
    FAILED,
    CANCELLED
  }

  /** READY tasks of its project that come first. */
  public record Ahead(int priority, int higherPriority, int samePriority) {}

  /** Machines that lack the same; those that lack nothing fit. */
  public record NodeClass(int nodes, int slots, int free, String example, List<String> unmet) {}
}
