package dev.imker.core.internal.tasks;

import dev.imker.core.profile.NodeProfile;
import dev.imker.model.change.AttemptReport;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;

/** The results of different nodes for a task that counts only when enough of them are equal. */
public final class Votes {
  private static final String DOUBTED = "";

  private record Vote(String result, NodeProfile node, long runMillis) {}

  private final List<Vote> votes = new ArrayList<>();

  public int size() {
    return (int) votes.stream().filter(vote -> !vote.result.equals(DOUBTED)).count();
  }

  /** The result of this node is no longer trusted; another one has to be asked. */
  public void doubt(NodeProfile node) {
    votes.add(new Vote(DOUBTED, node, 0));
  }

  /** The nodes that were already asked. */
  public List<NodeProfile> nodes() {
    return votes.stream().map(Vote::node).toList();
  }

  boolean has(NodeProfile node) {
    return votes.stream().anyMatch(vote -> vote.node == node);
  }

  /** Counts a result; returns how many are equal to it. */
  public int add(AttemptReport report, NodeProfile node) {
    String result = report.result();
    votes.add(new Vote(result, node, Math.max(0, report.runMillis())));
    return equalTo(result);
  }

  /** How many nodes came to the same, of the result that has most. */
  public int mostEqual() {
    int most = 0;
    for (Vote vote : votes) {
      most = vote.result.equals(DOUBTED) ? most : Math.max(most, equalTo(vote.result));
    }
    return most;
  }

  private int equalTo(String result) {
    return (int) votes.stream().filter(vote -> vote.result.equals(result)).count();
  }

  /** Names those that came to this, and those that came to something else, and how long it took. */
  public void decide(
      AttemptReport report, Consumer<NodeProfile> right, ObjLongConsumer<NodeProfile> outvoted) {
    String result = report.result();
    for (Vote vote : votes) {
      if (vote.result.equals(result)) {
        right.accept(vote.node);
      } else if (!vote.result.equals(DOUBTED)) {
        outvoted.accept(vote.node, vote.runMillis);
      }
    }
  }

  /**
   * Counts a result that was kept. Results from before the task was released, or its job begun
   * again, are kept too and do not count: nothing says which they are, but a node has one vote, and
   * a task that is not done has fewer equal ones than it needs.
   */
  public void restore(AttemptReport report, NodeProfile node, int quorum) {
    votes.removeIf(vote -> vote.node == node);
    boolean complete = add(report, node) >= quorum || size() >= maxResults(quorum);
    if (complete) {
      votes.subList(0, votes.size() - 1).clear();
    }
  }

  /** How many results there must be, at most, before a task is given up. */
  public static int maxResults(int quorum) {
    return 2 * quorum + 1;
  }
}
