package dev.imker.core;

import dev.imker.core.internal.agents.AgentSlots;
import dev.imker.core.internal.agents.AgentTable;
import dev.imker.core.internal.jobs.FailureWays;
import dev.imker.core.internal.jobs.JobTable;
import dev.imker.core.internal.leases.Attempts;
import dev.imker.core.internal.steps.Consequences;
import dev.imker.core.internal.tasks.LiveAttempt;
import dev.imker.core.internal.tasks.RunningTask;
import dev.imker.core.internal.tasks.TaskArray;
import dev.imker.core.message.AgentHello;
import dev.imker.core.message.JobHeader;
import dev.imker.core.message.JobPhase;
import dev.imker.core.profile.PoolProfile;
import dev.imker.model.AgentId;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.job.TaskLimits;
import dev.imker.model.job.TaskRules;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Rebuilds the state of a {@link Scheduler} from stored data. Jobs are added in the order of their
 * submission, each followed by what is known about its tasks; nothing becomes live before {@link
 * #complete}. A job that has left memory can be restored in this way at any time.
 */
public final class Recovery {
  private final JobTable jobs;
  private final AgentTable agents;
  private final Attempts attempts;
  private final PoolProfile profiles;
  private final Consequences consequences;
  private final FailureWays ways;
  private final List<TaskArray> added = new ArrayList<>();
  private final Set<AgentSlots> holders = new HashSet<>();

  Recovery(
      JobTable jobs,
      AgentTable agents,
      Attempts attempts,
      PoolProfile profiles,
      Consequences consequences,
      FailureWays ways) {
    this.ways = ways;
    this.consequences = consequences;
    this.jobs = jobs;
    this.agents = agents;
    this.attempts = attempts;
    this.profiles = profiles;
  }

  /** A job whose tasks are all READY unless {@link #task} says otherwise. */
  public void job(JobHeader header) {
    added.add(jobs.add(header));
  }

  /** The limits of single tasks of a job. */
  public void taskLimits(JobId id, List<TaskLimits> limits) {
    TaskArray job = jobs.get(id);
    if (job != null) {
      job.own = jobs.own(job, limits);
    }
  }

  /**
   * A task that is not in its initial state.
   *
   * @param attemptsStarted the number of the last attempt that started
   */
  public void task(TaskId task, TaskState state, int failures, int losses, int attemptsStarted) {
    TaskArray job = known(task);
    int index = task.index();
    job.fill(index, index + 1, job.state(index), state);
    job.failures().set(index, failures);
    job.losses().set(index, losses);
    if (state != TaskState.DONE || job.mayBeginAgain()) {
      job.otherAttempts().set(index, Math.max(0, attemptsStarted - failures - losses));
    }
    job.told().set(index);
  }

  /** The phase of a job as a whole, if it is not just running. */
  public void phase(JobId id, String phase) {
    TaskArray job = jobs.get(id);
    if (job != null) {
      job.phase = JobPhase.parse(phase);
      job.heldBack = job.phase.isUnderWay();
    }
  }

  /** A success that does not count alone, in order of arrival. */
  public void vote(TaskId task, NodeId node, AttemptReport report) {
    TaskArray job = known(task);
    int quorum = job.stage(task.index()).quorum();
    job.votes(task.index())
        .restore(report, profiles.node(node), quorum == TaskRules.ADAPTIVE ? 2 : quorum);
    RunningTask running = job.running(task.index());
    if (running != null) {
      attempts.votesChanged(running);
    }
  }

  /** A success that is no longer trusted; its task has to be executed on another node. */
  public void doubt(TaskId task, NodeId node) {
    known(task).votes(task.index()).doubt(profiles.node(node));
  }

  /** When a task was DONE; only needed for jobs that may have to be rolled back. */
  public void doneAt(TaskId task, long atMillis) {
    known(task).doneOrder().restore(task.index(), atMillis);
  }

  /**
   * An open lease; its task is RUNNING.
   *
   * @param granted what it holds
   */
  public void lease(
      Lease lease, AgentId agentId, NodeId node, int number, long startedMillis, Granted granted) {
    TaskArray job = known(lease.task());
    int index = lease.task().index();
    job.fill(index, index + 1, job.state(index), TaskState.RUNNING);
    RunningTask task = job.running(index);
    if (task == null) {
      task = attempts.addRunning(job, index);
    }
    // Attempts that still run were counted among those that started.
    job.otherAttempts().set(index, Math.max(0, job.otherAttempts().get(index) - 1));
    AgentSlots agent = agents.get(agentId);
    if (agent == null) {
      agent = agents.add(agentId, profiles.node(node));
    }
    holders.add(agent);
    profiles.onAssigned(startedMillis, agent.profile(), job.project(), task.attempts() > 0);
    attempts.begin(
        new LiveAttempt(lease, agent, task, number, startedMillis, -1, agent.restore(granted)),
        task);
  }

  /** An agent that is connected to another server, for a state that only answers questions. */
  public void agent(long nowMillis, AgentHello hello, boolean draining, String pause) {
    AgentSlots agent = agents.get(hello.agent());
    if (agent == null) {
      agent = agents.add(hello.agent(), profiles.node(hello.node()));
    }
    agent.hello = hello;
    agent.incarnation = hello.incarnation();
    agent.connected = true;
    agent.draining = draining;
    agent.pause = pause;
    agents.heard(agent, nowMillis);
    agents.group(agent, hello);
  }

  /**
   * Everything has been added: agents have one lease period to come back with their tasks. RUNNING
   * tasks without a lease become READY.
   */
  public void complete(long nowMillis) {
    for (TaskArray job : added) {
      if (job.count(TaskState.RUNNING) > job.running().size()) {
        returnLost(job);
      }
    }
    for (TaskArray job : added) {
      if (!job.isSettled() || jobs.hasAllBefore(job)) {
        jobs.connect(job);
        if (!job.heldBack) {
          wake(job, nowMillis);
        }
        if (job.count(TaskState.WAITING)
                + job.count(TaskState.BLOCKED)
                + job.count(TaskState.FAILED)
            > 0) {
          // Consequences of other tasks may not have reached all of them.
          consequences.recheck(job, 0, job.size());
        }
      }
      jobs.open(job);
      if (job.heldBack) {
        ways.resume(job);
      }
    }
    added.clear();
    for (AgentSlots agent : holders) {
      agents.heard(agent, nowMillis);
    }
    holders.clear();
  }

  /** That a task no longer waits follows from its predecessors and is not stored. */
  private void wake(TaskArray job, long nowMillis) {
    for (int i = 0; job.count(TaskState.WAITING) > 0 && i < job.size(); i++) {
      if (job.state(i) == TaskState.WAITING && !job.isUnmet(i)) {
        if (job.failures().get(i) > 0) {
          attempts.pause(nowMillis, job, i);
        } else if (!job.told().get(i)) { // else its row says otherwise, and changes with it
          job.fill(i, i + 1, TaskState.WAITING, TaskState.READY);
        }
      }
    }
  }

  /** RUNNING tasks without a lease were lost before the restart. */
  private static void returnLost(TaskArray job) {
    for (int i = 0; i < job.size(); i++) {
      if (job.state(i) == TaskState.RUNNING && job.running(i) == null) {
        job.fill(i, i + 1, TaskState.RUNNING, TaskState.READY);
      }
    }
  }

  private TaskArray known(TaskId task) {
    TaskArray job = jobs.get(task.job());
    if (job == null || task.index() >= job.size()) {
      throw new IllegalArgumentException("task " + task + " belongs to no restored job");
    }
    return job;
  }
}
