package dev.imker.core.internal.dispatch;

import dev.imker.core.internal.agents.AgentSlots;
import dev.imker.core.internal.agents.AgentTable;
import dev.imker.core.internal.leases.Attempts;
import dev.imker.core.internal.queues.ReadyWork;
import dev.imker.core.internal.tasks.ReadyRange;
import dev.imker.core.internal.tasks.StageTasks;
import dev.imker.core.internal.tasks.TaskArray;
import dev.imker.core.matching.Placement;
import dev.imker.core.message.AgentHello;
import dev.imker.core.message.Outbox;
import dev.imker.model.TaskState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Stages whose tasks start together, or not at all. Their READY tasks are queued under a class that
 * fits no agent, so that nothing hands them out one by one; here they are handed out as soon as
 * there are free slots for all. Other work fills the slots meanwhile, until a gang has waited for
 * long: then slots that fit it are kept free for it, one gang after the other. A task that comes
 * back later starts again alone. Costs as much as there are agents for every gang that waits, and
 * nothing without one.
 */
public final class Gangs {
  private static final long PATIENCE_MILLIS = 60_000;
  private static final EnumSet<TaskState> HELD_UP =
      EnumSet.of(TaskState.WAITING, TaskState.BLOCKED, TaskState.AUTO_BLOCKED);

  private static final class Gang {
    final TaskArray job;
    final StageTasks stage;
    long completeSinceMillis = -1;

    Gang(TaskArray job, StageTasks stage) {
      this.job = job;
      this.stage = stage;
    }

    Placement placement() {
      return Placement.own(stage.header());
    }

    long stamp() {
      return Objects.requireNonNull(stage.firstRange()).stamp;
    }

    /** Whether tasks are READY, and none of the others is on its way there. */
    boolean isComplete() {
      return stage.firstRange() != null && job.next(stage.first, HELD_UP) >= stage.end;
    }
  }

  private final List<Gang> gangs = new ArrayList<>();
  private @Nullable Placement reserved;

  public void add(TaskArray job) {
    for (StageTasks stage : job.stages()) {
      if (stage.header().isGang()) {
        gangs.add(new Gang(job, stage));
      }
    }
  }

  public void remove(TaskArray job) {
    gangs.removeIf(gang -> gang.job == job);
  }

  /** Whether the slots of an agent are kept for a gang that has waited for long. */
  boolean isReserved(AgentSlots agent) {
    AgentHello hello = agent.hello;
    return reserved != null && hello != null && reserved.matches(hello);
  }

  void serve(long nowMillis, ReadyWork ready, AgentTable agents, Attempts attempts, Outbox out) {
    if (gangs.isEmpty()) {
      reserved = null;
      return;
    }
    boolean wasReserved = reserved != null;
    reserved = null;
    for (Gang gang : waiting(nowMillis)) {
      List<Integer> tasks = readyTasks(gang.stage);
      List<AgentSlots> fitting = fitting(gang, agents);
      int free = 0;
      int all = 0;
      for (AgentSlots agent : fitting) {
        free += Math.max(0, agent.slots() - agent.held());
        all += agent.slots();
      }
      if (free >= tasks.size() && gang.job.user().hasRoomFor(tasks.size())) {
        start(nowMillis, gang, tasks, fitting, ready, attempts, out);
      } else if (reserved == null
          && all >= tasks.size()
          && nowMillis - gang.completeSinceMillis >= PATIENCE_MILLIS) {
        reserved = gang.placement();
      }
    }
    if (wasReserved && reserved == null) {
      agents.unpark();
    }
  }

  /** Gangs that could start, by priority and then by age. */
  private List<Gang> waiting(long nowMillis) {
    List<Gang> waiting = new ArrayList<>();
    for (Gang gang : gangs) {
      if (!gang.isComplete()) {
        gang.completeSinceMillis = -1;
      } else {
        gang.completeSinceMillis =
            gang.completeSinceMillis < 0 ? nowMillis : gang.completeSinceMillis;
        waiting.add(gang);
      }
    }
    waiting.sort(
        Comparator.comparingInt((Gang gang) -> -gang.job.priority())
            .thenComparingLong(Gang::stamp));
    return waiting;
  }

  private static List<Integer> readyTasks(StageTasks stage) {
    List<Integer> tasks = new ArrayList<>();
    for (ReadyRange range = stage.firstRange(); range != null; range = range.afterInStage) {
      for (int i = range.from; i < range.toExclusive; i++) {
        tasks.add(i);
      }
    }
    return tasks;
  }

  private static List<AgentSlots> fitting(Gang gang, AgentTable agents) {
    Placement placement = gang.placement();
    List<AgentSlots> fitting = new ArrayList<>();
    for (AgentSlots agent : agents.all()) {
      AgentHello hello = agent.hello;
      if (hello != null
          && agent.isServing()
          && placement.matches(hello)
          && agent.offer().serves(gang.job.project())) {
        fitting.add(agent);
      }
    }
    return fitting;
  }

  /** One task each in turn, as long as there are any. */
  private static void start(
      long nowMillis,
      Gang gang,
      List<Integer> tasks,
      List<AgentSlots> fitting,
      ReadyWork ready,
      Attempts attempts,
      Outbox out) {
    gang.completeSinceMillis = -1;
    ready.remove(gang.job, gang.stage.first, gang.stage.end);
    int next = 0;
    while (next < tasks.size()) {
      for (AgentSlots agent : fitting) {
        if (next < tasks.size() && agent.hasFreeSlot()) {
          attempts.assign(nowMillis, agent, gang.job, tasks.get(next++), out);
        }
      }
    }
  }
}
