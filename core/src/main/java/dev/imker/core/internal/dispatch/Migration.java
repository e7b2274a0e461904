package dev.imker.core.internal.dispatch;

import dev.imker.core.internal.agents.AgentGroup;
import dev.imker.core.internal.agents.AgentSlots;
import dev.imker.core.internal.agents.AgentTable;
import dev.imker.core.internal.tasks.LiveAttempt;
import dev.imker.core.internal.tasks.RunningTask;
import dev.imker.core.message.Outbox;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Recalls tasks that wait at agents for a slot, as many as others have room for: they become READY,
 * and the others get them immediately. An agent keeps a task that it has begun in the meantime.
 */
final class Migration {
  /** An agent that has not returned a task by then has begun it. */
  private static final long ANSWER_MILLIS = 5_000;

  /** A short task that was given in advance and has waited this long is better moved elsewhere. */
  private static final long STRANDED_MILLIS = 1_000;

  private static final long LOOK_MILLIS = 250;

  private final AgentTable agents;
  private final List<AgentSlots> idle = new ArrayList<>();
  private final List<AgentSlots> queues = new ArrayList<>();
  private long nextLookMillis;

  Migration(AgentTable agents) {
    this.agents = agents;
  }

  void migrate(long nowMillis, Outbox out) {
    idle.clear();
    queues.clear();
    int underWay = 0;
    for (AgentSlots agent : agents.all()) {
      if (agent.queued() > 0) {
        queues.add(agent);
        underWay += recalled(agent, nowMillis - ANSWER_MILLIS);
      } else if (agent.isServing() && agent.hasFreeSlot()) {
        idle.add(agent);
      }
    }
    for (AgentSlots agent : queues.isEmpty() ? List.<AgentSlots>of() : idle) {
      for (int room = agent.slots() - agent.held(); room > 0; room--) {
        if (underWay > 0) {
          underWay--;
        } else if (!takeFor(agent, nowMillis, out)) {
          break;
        }
      }
    }
  }

  /** Recalls tasks that wait behind one that takes longer than expected. */
  void recallStranded(long nowMillis, Outbox out) {
    if (nowMillis < nextLookMillis) {
      return;
    }
    nextLookMillis = nowMillis + LOOK_MILLIS;
    for (AgentSlots agent : agents.all()) {
      LiveAttempt last = agent.firstAttempt();
      for (int queued = agent.queued(); queued > 0 && last != null; queued--) {
        if (last.recalledMillis == 0 && nowMillis - last.startedMillis > STRANDED_MILLIS) {
          recall(last, nowMillis, out);
        }
        last = last.afterOfAgent;
      }
    }
  }

  private static void recall(LiveAttempt attempt, long nowMillis, Outbox out) {
    attempt.recalledMillis = nowMillis;
    out.recall(attempt.agent.id(), attempt.lease);
  }

  private static int recalled(AgentSlots agent, long sinceMillis) {
    int count = 0;
    for (LiveAttempt a = agent.firstAttempt(); a != null; a = a.afterOfAgent) {
      count += a.recalledMillis > sinceMillis ? 1 : 0;
    }
    return count;
  }

  /** From the longest queue that has something for it. */
  private boolean takeFor(AgentSlots agent, long nowMillis, Outbox out) {
    LiveAttempt best = null;
    int longest = 0;
    for (AgentSlots other : queues) {
      int queued = other.queued() - recalled(other, 0);
      LiveAttempt last = queued > longest ? last(other, agent) : null;
      if (last != null) {
        best = last;
        longest = queued;
      }
    }
    if (best == null) {
      return false;
    }
    recall(best, nowMillis, out);
    return true;
  }

  /** What the agent was given last and the other one could run. */
  private static @Nullable LiveAttempt last(AgentSlots from, AgentSlots to) {
    AgentGroup group = to.group;
    for (LiveAttempt a = from.firstAttempt(); a != null; a = a.afterOfAgent) {
      RunningTask task = a.task;
      if (group != null
          && task != null
          && a.recalledMillis == 0
          && group.classes().get(task.job.requirementClass(task.index))
          && to.offer().serves(task.job.project())) {
        return a;
      }
    }
    return null;
  }
}
