package dev.imker.core;

import dev.imker.core.internal.agents.AgentSlots;
import dev.imker.core.internal.agents.AgentTable;
import dev.imker.core.internal.agents.Machine;
import dev.imker.core.internal.dispatch.DecisionLog;
import dev.imker.core.internal.dispatch.Reservations;
import dev.imker.core.internal.jobs.JobForecast;
import dev.imker.core.internal.jobs.JobTable;
import dev.imker.core.internal.leases.LeaseTable;
import dev.imker.core.internal.queues.ProjectQueues;
import dev.imker.core.internal.queues.ReadyQueue;
import dev.imker.core.internal.queues.ReadyWork;
import dev.imker.core.internal.tasks.LiveAttempt;
import dev.imker.core.internal.tasks.ReadyRange;
import dev.imker.core.internal.tasks.TaskArray;
import dev.imker.core.internal.tasks.TaskGraph;
import dev.imker.core.message.AgentView;
import dev.imker.core.message.AmountView;
import dev.imker.core.message.DecisionView;
import dev.imker.core.message.ExpectedEnd;
import dev.imker.core.message.HeldAmounts;
import dev.imker.core.message.JobHeader;
import dev.imker.core.message.JobPhase;
import dev.imker.core.message.JobPicture;
import dev.imker.core.message.ProjectView;
import dev.imker.core.message.QueuePlace;
import dev.imker.core.message.ReservationView;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.model.AgentId;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The state of the pool, read-only, for the scheduler's thread. */
public final class SchedulerView {
  private final JobTable jobs;
  private final AgentTable agents;
  private final LeaseTable leases;
  private final ReadyWork ready;
  private final AgentEvents agentEvents;
  private final Reservations reservations;
  private final DecisionLog decisions;

  SchedulerView(
      JobTable jobs,
      AgentTable agents,
      LeaseTable leases,
      ReadyWork ready,
      AgentEvents agentEvents,
      Reservations reservations,
      DecisionLog decisions) {
    this.jobs = jobs;
    this.agents = agents;
    this.leases = leases;
    this.ready = ready;
    this.agentEvents = agentEvents;
    this.reservations = reservations;
    this.decisions = decisions;
  }

  /** The recorded decisions about a task, oldest first. */
  public List<DecisionView> decisions(TaskId task, long nowMillis) {
    return decisions.of(task, nowMillis);
  }

  /**
   * The decision that sent a task of a job to a node at about that time; null if none is recorded.
   */
  public @Nullable DecisionView decisionNear(
      JobId job, NodeId node, long atMillis, long nowMillis) {
    return decisions.near(job, node, atMillis, nowMillis);
  }

  /** What a node offers and how much of it is taken, by name; empty if the node is unknown. */
  public SortedMap<String, AmountView> amounts(NodeId node) {
    for (AgentSlots agent : agents.all()) {
      if (agent.profile().node().equals(node)) {
        return agent.machine().stock().view();
      }
    }
    return new TreeMap<>();
  }

  /** The same for all nodes with agents. */
  public Map<NodeId, SortedMap<String, AmountView>> amounts() {
    Map<NodeId, SortedMap<String, AmountView>> all = new HashMap<>();
    for (Machine machine : agents.machines()) {
      if (!machine.agents().isEmpty()) {
        all.put(machine.agents().getFirst().profile().node(), machine.stock().view());
      }
    }
    return all;
  }

  /** The resources of the pool and how much of them is taken, by name. */
  public SortedMap<String, AmountView> poolAmounts() {
    return agents.pool().view();
  }

  /** Who holds what of an agent's node and of the pool, the newest first. */
  public List<HeldAmounts> held(AgentId agent, long nowMillis) {
    AgentSlots slots = agents.get(agent);
    return slots == null
        ? List.of()
        : slots.attempts().stream()
            .map(
                a ->
                    new HeldAmounts(a.lease.task(), a.grant.told(), a.expectedEndMillis(nowMillis)))
            .toList();
  }

  /** Reservations for tasks that fit nowhere yet, with their expected start. */
  public List<ReservationView> reservations(long nowMillis) {
    return reservations.active().stream()
        .filter(one -> !one.machine().agents().isEmpty())
        .map(
            one -> {
              ProjectQueues project = one.project();
              ReadyQueue queue = project == null ? null : project.queue(one.requirementClass());
              ReadyRange head = queue == null ? null : queue.head();
              return new ReservationView(
                  one.machine().agents().get(0).profile().node(),
                  head == null ? null : head.job.task(head.from),
                  one.count(),
                  reservations.startMillis(one, nowMillis));
            })
        .toList();
  }

  /** The phase of a job as a whole; running if it is not in memory. */
  public JobPhase phase(JobId job) {
    TaskArray tasks = jobs.get(job);
    return tasks == null ? JobPhase.RUNNING : tasks.phase;
  }

  /** Whether all tasks of a job are being changed over several turns, because one has failed. */
  public boolean isHeldBack(JobId job) {
    TaskArray tasks = jobs.get(job);
    return tasks != null && tasks.heldBack;
  }

  /** Whether tasks of a job are handed out to be undone. */
  public boolean isUndoing(JobId job) {
    TaskArray tasks = jobs.get(job);
    return tasks != null && tasks.isUndoing();
  }

  /** The number of unsettled tasks of a user. */
  public long liveTasks(String user) {
    return ready.knowsUser(user) ? ready.user(user).live() : 0;
  }

  public int running(String user) {
    return ready.user(user).running();
  }

  /**
   * The number of slots that a user may use at a time; {@link Integer#MAX_VALUE} without a limit.
   */
  public int slotQuota(String user) {
    return ready.user(user).most();
  }

  /** The number of slots that the tasks of a user take; those that wait for others take none. */
  public int busySlots(String user) {
    return ready.user(user).busy();
  }

  public boolean isHeld(AgentId agent, Lease lease) {
    LiveAttempt attempt = leases.find(agent, lease);
    return attempt != null && !attempt.isRevoked();
  }

  /** Whether an attempt with this lease is running and counts. */
  public boolean isOpen(Lease lease) {
    return leases.isOpen(lease);
  }

  /** Whether the agent has this lease, even if it has to stop. */
  public boolean isKnown(AgentId agent, Lease lease) {
    return leases.find(agent, lease) != null;
  }

  /** Whether tasks of another job in memory depend on tasks of this one. */
  public boolean isWaitedFor(JobId job) {
    return jobs.isWaitedFor(job);
  }

  /** A failed task on which this one depends; null if there is none. */
  public @Nullable TaskId culprit(TaskId task) {
    TaskArray tasks = jobs.get(task.job());
    if (tasks == null || task.index() >= tasks.size()) {
      return null;
    }
    TaskGraph graph = tasks.graph();
    return graph == null ? null : graph.culprit(task.index());
  }

  /** Tasks of a job by the ordinal of their state; null if the job is not in memory. */
  public int @Nullable [] counts(JobId job) {
    TaskArray tasks = jobs.get(job);
    return tasks == null ? null : tasks.counts();
  }

  /** The expected end of a job; null while unknown. */
  public @Nullable ExpectedEnd expectedEnd(JobId job, long nowMillis) {
    TaskArray tasks = jobs.get(job);
    return tasks == null ? null : JobForecast.of(tasks, nowMillis);
  }

  /**
   * All tasks in memory by the ordinal of their state; those that agents merely hold in advance
   * count as READY.
   */
  public int[] totals() {
    int[] totals = new int[TaskState.values().length];
    for (TaskArray job : jobs.all()) {
      for (TaskState state : TaskState.values()) {
        totals[state.ordinal()] += job.count(state);
      }
    }
    int inAdvance = agents.all().stream().mapToInt(AgentSlots::inAdvance).sum();
    int early = Math.min(inAdvance, totals[TaskState.RUNNING.ordinal()]);
    totals[TaskState.READY.ordinal()] += early;
    totals[TaskState.RUNNING.ordinal()] -= early;
    return totals;
  }

  /** READY tasks of all jobs. */
  public int ready() {
    return ready.total();
  }

  /** How often a task has failed or was lost since it was submitted or its job was restarted. */
  public int tries(TaskId task) {
    TaskArray job = jobs.get(task.job());
    return job == null ? 0 : job.failures().get(task.index()) + job.losses().get(task.index());
  }

  /** How many of its attempts were lost with their machines. */
  public int losses(TaskId task) {
    TaskArray job = jobs.get(task.job());
    return job == null ? 0 : job.losses().get(task.index());
  }

  /** Whether an agent's node could not start a task, and another one is waited for. */
  public boolean isUnfit(TaskId task, AgentId agent, long nowMillis) {
    TaskArray job = jobs.get(task.job());
    AgentSlots slots = agents.get(agent);
    return job != null
        && slots != null
        && job.failedNodes().isUnfit(task.index(), slots.profile(), nowMillis);
  }

  /** State of a task; null if it is not in memory. */
  public @Nullable TaskState state(TaskId task) {
    TaskArray tasks = jobs.get(task.job());
    return tasks == null || task.index() >= tasks.size() ? null : tasks.state(task.index());
  }

  /** The ordinals of the states of all tasks of a job; null if it is not in memory. */
  public byte @Nullable [] states(JobId job) {
    TaskArray tasks = jobs.get(job);
    return tasks == null ? null : tasks.states();
  }

  /**
   * Positions of the first tasks from a position on that are in one of the states, with their
   * states; null if the job is not in memory.
   */
  public @Nullable SortedMap<Integer, TaskState> find(
      JobId job, Set<TaskState> states, int fromIndex, int limit) {
    TaskArray tasks = jobs.get(job);
    if (tasks == null) {
      return null;
    }
    SortedMap<Integer, TaskState> found = new TreeMap<>();
    EnumSet<TaskState> wanted = EnumSet.noneOf(TaskState.class);
    wanted.addAll(states);
    int index = tasks.next(fromIndex, wanted);
    while (found.size() < limit && index < tasks.size()) {
      found.put(index, tasks.state(index));
      index = tasks.next(index + 1, wanted);
    }
    return found;
  }

  /** The position of a READY task in the queue of its project; null if it is not READY. */
  public @Nullable QueuePlace place(TaskId task) {
    TaskArray tasks = jobs.get(task.job());
    return tasks == null ? null : ready.place(tasks, task.index());
  }

  /** The state of a job and its tasks; null if it is not in memory. */
  public @Nullable JobPicture picture(JobId job) {
    TaskArray tasks = jobs.get(job);
    if (tasks == null) {
      return null;
    }
    int[] tries = new int[tasks.hasCounts() ? tasks.size() : 0];
    for (int i = 0; i < tries.length; i++) {
      tries[i] = tasks.failures().get(i) | (tasks.losses().get(i) << Short.SIZE);
    }
    Map<Integer, List<LeaseToken>> open = new HashMap<>();
    tasks
        .running()
        .forEach(
            task -> {
              for (LiveAttempt one = task.first(); one != null; one = one.nextOfTask) {
                open.computeIfAbsent(task.index, _ -> new ArrayList<>(1)).add(one.lease.token());
              }
            });
    open.values().forEach(Collections::sort);
    return new JobPicture(tasks.priority(), tasks.phase, tasks.states(), tries, open);
  }

  /** Jobs in memory, in the order of submission. */
  public List<JobId> jobs() {
    return jobs.all().stream().map(TaskArray::id).toList();
  }

  /** The job as submitted, but with its current priority; null if it is not in memory. */
  public @Nullable JobHeader job(JobId job) {
    TaskArray tasks = jobs.get(job);
    return tasks == null ? null : tasks.present();
  }

  /** Known agents, connected or still holding leases. */
  public List<AgentView> agents() {
    return agents.all().stream().map(AgentSlots::view).toList();
  }

  /**
   * Changes whenever something about an agent is written; while it is the same, earlier reads
   * remain valid.
   */
  public long agentEdition() {
    return agentEvents.edition();
  }

  /** Valid leases of an agent, the newest first. */
  public List<Lease> leases(AgentId agent) {
    AgentSlots slots = agents.get(agent);
    return slots == null
        ? List.of()
        : slots.attempts().stream().filter(a -> !a.isRevoked()).map(a -> a.lease).toList();
  }

  /**
   * Known projects, in the order of their definition. Tasks that agents hold in advance count as
   * ready.
   */
  public List<ProjectView> projects() {
    Map<ProjectProfile, Integer> inAdvance = new HashMap<>();
    for (AgentSlots agent : agents.all()) {
      int count = agent.inAdvance();
      if (count > 0) {
        agent.attempts().stream()
            .limit(count)
            .map(attempt -> attempt.task)
            .filter(Objects::nonNull)
            .forEach(task -> inAdvance.merge(task.job.project(), 1, Integer::sum));
      }
    }
    return ready.projects().stream()
        .map(
            p -> {
              int working = p.profile().working();
              int early = Math.min(working, inAdvance.getOrDefault(p.profile(), 0));
              return new ProjectView(p.profile().project(), p.ready() + early, working - early);
            })
        .toList();
  }
}
