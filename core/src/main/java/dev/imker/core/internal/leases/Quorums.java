package dev.imker.core.internal.leases;

import dev.imker.core.internal.agents.AgentTable;
import dev.imker.core.internal.tasks.RunningTask;
import dev.imker.core.internal.tasks.Votes;
import dev.imker.core.message.Outbox;
import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolProfile;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.Doubt;
import dev.imker.model.job.TaskRules;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** The number of equal results a task needs, and which nodes were right once there are enough. */
record Quorums(AgentTable agents, PoolProfile profiles, RandomGenerator random) {
  /**
   * How many equal results it takes. Where the job leaves that to the scheduler, a second one is
   * asked for the more rarely the more often in a row the node's results were confirmed, as in
   * BOINC's adaptive replication; never where nobody else could give one.
   */
  int of(RunningTask task, NodeProfile node) {
    if (task.job.isUndoing()) {
      return 1;
    }
    if (task.stage.quorum() == 1) {
      return isBelievedAlone(task, node) ? 1 : 2;
    }
    if (task.stage.quorum() != TaskRules.ADAPTIVE) {
      return task.stage.quorum();
    }
    boolean checked =
        task.job.hasVotes(task.index)
            || (random.nextDouble() < node.checkRate()
                && agents.hasNodeBesides(List.of(node), task.job.requirementClass(task.index)));
    return checked ? 2 : 1;
  }

  /**
   * A node that was caught is believed where the job asks for one result only if another suspect
   * came to the same, if nobody else is left to ask, or if the task must not run twice.
   */
  private boolean isBelievedAlone(RunningTask task, NodeProfile node) {
    if (!node.isSuspect() || !task.stage.speculative()) {
      return true;
    }
    List<NodeProfile> asked = new ArrayList<>(List.of(node));
    if (task.job.hasVotes(task.index)) {
      asked.addAll(task.job.votes(task.index).nodes());
    }
    return !agents.hasNodeBesides(asked, task.job.requirementClass(task.index));
  }

  /**
   * One result counts. Suspects that came to the same before are confirmed; who came to something
   * else is not blamed, since nobody said that the task comes to the same every time.
   */
  void settledBy(RunningTask task, AttemptReport report) {
    if (task.job.hasVotes(task.index)) {
      task.job.votes(task.index).decide(report, NodeProfile::onConfirmed, (_, _) -> {});
    }
  }

  /** Counts a result; with enough equal ones, says what that means for those that gave one. */
  boolean isReached(
      long nowMillis,
      RunningTask task,
      NodeProfile node,
      int quorum,
      AttemptReport report,
      Outbox out) {
    Votes votes = task.job.votes(task.index);
    if (votes.add(report, node) < quorum) {
      return false;
    }
    votes.decide(
        report,
        NodeProfile::onConfirmed,
        (outvoted, runMillis) -> outvoted(nowMillis, outvoted, runMillis, out));
    return true;
  }

  /** The server checks the node's other results, even after a restart. */
  private void outvoted(long nowMillis, NodeProfile node, long runMillis, Outbox out) {
    profiles.onFault(node, runMillis);
    node.onOutvoted();
    out.change(new Doubt(node.node(), nowMillis).put());
  }
}
