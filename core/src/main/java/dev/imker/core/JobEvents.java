package dev.imker.core;

import dev.imker.core.internal.agents.AgentTable;
import dev.imker.core.internal.jobs.FailureWays;
import dev.imker.core.internal.jobs.JobTable;
import dev.imker.core.internal.jobs.Order;
import dev.imker.core.internal.jobs.RangeOrders;
import dev.imker.core.internal.leases.LeaseTable;
import dev.imker.core.internal.queues.ReadyWork;
import dev.imker.core.internal.steps.Consequences;
import dev.imker.core.internal.steps.JobReports;
import dev.imker.core.internal.tasks.LiveAttempt;
import dev.imker.core.internal.tasks.OwnLimits;
import dev.imker.core.internal.tasks.StageTasks;
import dev.imker.core.internal.tasks.TaskArray;
import dev.imker.core.matching.Placement;
import dev.imker.core.message.JobHeader;
import dev.imker.core.message.JobPhase;
import dev.imker.core.message.Outbox;
import dev.imker.core.message.StageHeader;
import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolProfile;
import dev.imker.model.JobId;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.job.TaskLimits;
import java.util.List;

/** Jobs come, get orders, are changed and go. */
record JobEvents(
    JobTable jobs,
    AgentTable agents,
    ReadyWork ready,
    LeaseTable leases,
    PoolProfile profiles,
    Consequences consequences,
    RangeOrders orders,
    FailureWays ways) {
  boolean submit(long nowMillis, JobHeader job, Outbox out) {
    if (jobs.get(job.id()) != null) {
      return false;
    }
    TaskArray tasks = jobs.add(job);
    jobs.open(tasks);
    jobs.connect(tasks);
    if (tasks.graph() != null) {
      consequences.recheck(tasks, 0, tasks.size());
    }
    ways.settle(nowMillis, out);
    out.jobTouched(job.id());
    return true;
  }

  void restart(long nowMillis, JobId job, Outbox out) {
    TaskArray tasks = jobs.get(job);
    if (tasks != null) {
      jobs.connect(tasks);
      ways.restart(nowMillis, tasks, tasks.phase.number() + 1, out);
      ways.settle(nowMillis, out);
    }
  }

  boolean doubt(long nowMillis, TaskId task, NodeId node, String why, Outbox out) {
    TaskArray job = jobs.get(task.job());
    NodeProfile profile = profiles.node(node);
    if (job == null
        || task.index() >= job.size()
        || job.state(task.index()) != TaskState.DONE
        || job.phase.way() == JobPhase.Way.ROLLED_BACK
        || job.isUndoing()
        || job.heldBack
        || !job.stage(task.index()).header().rules().speculative()
        || !agents.hasNodeBesides(List.of(profile), job.requirementClass(task.index()))) {
      return false;
    }
    jobs.connect(job);
    ways.repeat(nowMillis, job, task.index(), why, out);
    job.votes(task.index()).doubt(profile);
    ways.settle(nowMillis, out);
    return true;
  }

  boolean limits(JobId job, List<StageHeader> stages, Outbox out) {
    TaskArray tasks = jobs.get(job);
    if (tasks == null || !tasks.hasShapeOf(stages)) {
      return false;
    }
    for (StageTasks stage : tasks.stages()) {
      StageHeader next = stages.get(stage.number);
      boolean otherLimit = next.rules().atMost() != stage.header().rules().atMost();
      stage.change(next);
      jobs.grow(tasks, stage);
      int placement = jobs.classOf(Placement.of(next));
      stage.gangClass = next.isGang() ? jobs.classOf(Placement.own(next)) : 0;
      if (otherLimit || placement != stage.requirementClass || stage.growing != null) {
        ready.changeClass(tasks, stage, placement);
      }
    }
    relimit(tasks, out);
    return true;
  }

  void published(long nowMillis, JobId job, List<StageHeader> stages, Outbox out) {
    TaskArray tasks = jobs.get(job);
    if (tasks == null || !tasks.hasShapeOf(stages)) {
      return;
    }
    jobs.disconnect(tasks);
    for (StageTasks stage : tasks.stages()) {
      stage.change(stages.get(stage.number));
    }
    jobs.connect(tasks);
    consequences.recheck(tasks, 0, tasks.size());
    ways.settle(nowMillis, out);
    out.jobTouched(job);
  }

  private void relimit(TaskArray tasks, Outbox out) {
    tasks
        .running()
        .forEach(
            task -> {
              leases.relimit(task);
              for (LiveAttempt a = task.first(); a != null; a = a.nextOfTask) {
                out.limitsChanged(a.agent.id(), tasks.id(), task.stage.number);
              }
            });
    agents.unpark();
    out.jobTouched(tasks.id());
  }

  boolean taskLimits(JobId job, List<TaskLimits> limits, Outbox out) {
    TaskArray tasks = jobs.get(job);
    if (tasks == null || !OwnLimits.areValid(limits)) {
      return false;
    }
    ready.changeOwn(tasks, jobs.own(tasks, limits));
    relimit(tasks, out);
    return true;
  }

  boolean priority(long nowMillis, JobId job, int priority, Outbox out) {
    TaskArray tasks = jobs.get(job);
    if (tasks == null || !JobHeader.isPriority(priority)) {
      return false;
    }
    if (tasks.priority() != priority) {
      ready.changePriority(tasks, priority);
      JobReports.changed(tasks, nowMillis, out);
      out.jobTouched(job);
    }
    return true;
  }

  boolean forget(JobId job) {
    TaskArray tasks = jobs.get(job);
    if (tasks == null || !tasks.isSettled()) {
      return false;
    }
    jobs.remove(tasks);
    return true;
  }

  int order(
      long nowMillis, JobId job, int fromIndex, int toIndexExclusive, Order order, Outbox out) {
    TaskArray tasks = jobs.get(job);
    if (tasks == null || tasks.heldBack) {
      return 0;
    }
    jobs.connect(tasks);
    int changed = apply(nowMillis, tasks, fromIndex, toIndexExclusive, order, out);
    if (order == Order.RELEASE && changed > 0) {
      ways.released(tasks, out);
    }
    ways.settle(nowMillis, out);
    return changed;
  }

  /** While a job is rolled back, only the task that is being undone can be let go on. */
  private int apply(
      long nowMillis, TaskArray job, int fromIndex, int toIndexExclusive, Order order, Outbox out) {
    if (order != Order.RELEASE || !job.isUndoing()) {
      return orders.apply(nowMillis, job, fromIndex, toIndexExclusive, order, out);
    }
    int undoing = job.heldUndo(fromIndex, toIndexExclusive);
    return undoing < 0 ? 0 : orders.apply(nowMillis, job, undoing, undoing + 1, order, out);
  }
}
