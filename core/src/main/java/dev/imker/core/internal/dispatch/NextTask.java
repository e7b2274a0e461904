package dev.imker.core.internal.dispatch;

import dev.imker.core.internal.agents.AgentSlots;
import dev.imker.core.internal.agents.AgentTable;
import dev.imker.core.internal.queues.ProjectQueues;
import dev.imker.core.internal.queues.ReadyQueue;
import dev.imker.core.internal.tasks.Avoidance;
import dev.imker.core.internal.tasks.ReadyRange;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Which task of those in line an agent gets. */
record NextTask(AgentTable agents) {
  /** How far to look for a task that has not just failed on the same node. */
  private static final int LOOK_AHEAD = 4;

  /**
   * The next task of a project. A queue of which this node can have nothing now holds up none of
   * the others.
   */
  @Nullable ReadyRange of(AgentSlots slots, ProjectQueues project, BitSet classes, long nowMillis) {
    ReadyQueue next = Objects.requireNonNull(project.nextQueue(classes));
    ReadyRange picked = of(slots, next, nowMillis);
    if (picked != null) {
      return picked;
    }
    for (ReadyQueue other : project.byUrgency(classes)) {
      picked = other == next ? null : of(slots, other, nowMillis);
      if (picked != null) {
        return picked;
      }
    }
    return null;
  }

  /** The first task in line, or one of the next if that one has just failed on this node. */
  @Nullable ReadyRange of(AgentSlots slots, ReadyQueue queue, long nowMillis) {
    ReadyRange first = queue.head();
    ReadyRange range = queue.firstWithoutVoteOf(slots.profile());
    for (int i = 0; i < LOOK_AHEAD && range != null; i++) {
      Avoidance avoidance = range.job.failedNodes().avoidance(range.from);
      if ((avoidance == null || !avoidance.concerns(slots.profile(), nowMillis))
          && !range.job.hasVoteOf(range.from, slots.profile())
          && !range.job.failedNodes().isUnfit(range.from, slots.profile(), nowMillis)) {
        return range;
      }
      range = range.after;
    }
    if (first != null
        && (first.job.hasVoteOf(first.from, slots.profile())
            || first.job.failedNodes().isUnfit(first.from, slots.profile(), nowMillis))) {
      return null;
    }
    int number = Objects.requireNonNull(first).requirementClass;
    return agents.hasFreeSlotBesides(slots, number) ? null : first;
  }
}
