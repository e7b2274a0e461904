package dev.imker.core;

import dev.imker.core.internal.agents.AgentSlots;
import dev.imker.core.internal.agents.AgentTable;
import dev.imker.core.internal.dispatch.DecisionLog;
import dev.imker.core.internal.dispatch.Dispatcher;
import dev.imker.core.internal.dispatch.Gangs;
import dev.imker.core.internal.dispatch.Reservations;
import dev.imker.core.internal.jobs.FailureWays;
import dev.imker.core.internal.jobs.JobTable;
import dev.imker.core.internal.jobs.Order;
import dev.imker.core.internal.jobs.RangeOrders;
import dev.imker.core.internal.leases.Attempts;
import dev.imker.core.internal.leases.LeaseTable;
import dev.imker.core.internal.queues.ReadyWork;
import dev.imker.core.internal.steps.Consequences;
import dev.imker.core.internal.steps.StepListener;
import dev.imker.core.internal.steps.TaskSteps;
import dev.imker.core.internal.tasks.LiveAttempt;
import dev.imker.core.matching.RequirementClasses;
import dev.imker.core.message.AgentHello;
import dev.imker.core.message.JobHeader;
import dev.imker.core.message.NodeTerms;
import dev.imker.core.message.Outbox;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.message.StageHeader;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.resource.ResourceKinds;
import dev.imker.core.resource.Stock;
import dev.imker.core.strategy.Strategy;
import dev.imker.model.AgentId;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import dev.imker.model.TaskId;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.job.TaskLimits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Owns all live state of the pool: the states of tasks, leases, and ready work. A single thread
 * calls it; it does no I/O and has neither a clock nor randomness of its own. Events are passed to
 * the {@code on…} methods with a time that never goes back; their consequences go to the {@link
 * Outbox}. Events about an unknown job or agent have no effect.
 */
public final class Scheduler {
  private final PoolProfile profiles = new PoolProfile();
  private final ReadyWork ready = new ReadyWork(profiles);
  private final TaskSteps steps;
  private final Consequences consequences;
  private final LeaseTable leases;
  private final AgentTable agents;
  private final JobTable jobs;
  private final Attempts attempts;
  private final FailureWays ways;
  private final AgentEvents agentEvents;
  private final JobEvents jobEvents;
  private final Dispatcher dispatcher;
  private final Recovery recovery;
  private final SchedulerView view;
  private final RequirementClasses classes;
  private long largestMemoryBytes;

  /**
   * @param epoch of this leader, larger than that of any before it: makes lease tokens unique
   */
  public Scheduler(SchedulerSettings settings, Strategy strategy, long epoch, long seed) {
    this(settings, strategy, epoch, 0, seed);
  }

  /**
   * @param epoch of this leader, larger than that of any before it in its database
   * @param incarnation of this leader, drawn at random: distinguishes its leases from those of
   *     another leader with the same epoch, if one of the two databases is a restored backup
   */
  public Scheduler(
      SchedulerSettings settings, Strategy strategy, long epoch, long incarnation, long seed) {
    ResourceKinds kinds = new ResourceKinds();
    Stock pool = new Stock(kinds);
    RequirementClasses classes = new RequirementClasses(kinds, pool);
    steps = new TaskSteps(ready, profiles, settings.tasksPerTurn());
    consequences = steps.consequences();
    leases = new LeaseTable(epoch, incarnation);
    agents = new AgentTable(settings, classes, kinds, pool);
    Reservations reservations = new Reservations(agents);
    Gangs gangs = new Gangs(reservations);
    jobs = new JobTable(classes, agents, ready, gangs, profiles);
    SeededRandom random = new SeededRandom(seed);
    attempts = new Attempts(settings, steps, leases, agents, profiles, random);
    RangeOrders orders = new RangeOrders(steps, attempts);
    ways = new FailureWays(steps, orders, attempts, ready, settings.tasksPerTurn());
    agentEvents = new AgentEvents(settings, agents, leases, attempts, profiles, ready, jobs);
    jobEvents = new JobEvents(jobs, agents, ready, leases, profiles, consequences, orders, ways);
    DecisionLog decisions = new DecisionLog();
    dispatcher =
        new Dispatcher(
            settings,
            ready,
            gangs,
            reservations,
            agents,
            attempts,
            profiles,
            strategy,
            random,
            decisions);
    recovery = new Recovery(jobs, agents, attempts, profiles, consequences, ways);
    view = new SchedulerView(jobs, agents, leases, ready, agentEvents, reservations, decisions);
    this.classes = classes;
  }

  /** Changes the strategy for all further decisions. */
  public void setStrategy(Strategy strategy) {
    dispatcher.strategy(strategy);
  }

  public Strategy strategy() {
    return dispatcher.strategy();
  }

  /** The profiles of nodes and projects. */
  public PoolProfile profiles() {
    return profiles;
  }

  /** A view of the current state. */
  public SchedulerView view() {
    return view;
  }

  /** Restores the state of an earlier process. */
  public Recovery recovery() {
    return recovery;
  }

  /**
   * A job. Tasks that wait for nothing are READY, the others WAITING. The caller has written its
   * JobAdded, and restored other jobs on which it depends. Returns false, and changes nothing, if
   * there is a job of that number.
   */
  public boolean onSubmit(long nowMillis, JobHeader job, Outbox out) {
    return jobEvents.submit(nowMillis, job, out);
  }

  /** An agent connected. Leases that it should have but does not name are lost immediately. */
  public void onHello(long nowMillis, AgentHello hello, Outbox out) {
    agentEvents.hello(nowMillis, hello, out);
    regrow();
    ways.settle(nowMillis, out);
  }

  /** The connection closed; the agent keeps its leases until they expire. */
  public void onDisconnect(long nowMillis, AgentId agent, Outbox out) {
    agentEvents.disconnect(nowMillis, agent, out);
  }

  /**
   * Renews the leases named; others are lost unless they are so young that the message may have
   * crossed them. Returns those the agent names but no longer has: it must stop them.
   */
  public List<Lease> onSignOfLife(long nowMillis, AgentId agent, List<Lease> held, Outbox out) {
    List<Lease> unknown = agentEvents.signOfLife(nowMillis, agent, held, out);
    ways.settle(nowMillis, out);
    return unknown;
  }

  /**
   * An attempt ended on an agent. Always answered with a confirm: accepted if the lease was valid,
   * also when the same report comes again.
   */
  public void onFinished(
      long nowMillis, AgentId agent, Lease lease, AttemptReport report, Outbox out) {
    AgentSlots slots = agents.get(agent);
    if (leases.find(agent, lease) == null) { // it may be the first message after a silence
      agentEvents.comesBackWith(nowMillis, agent, lease, out);
    }
    LiveAttempt attempt = leases.find(agent, lease);
    if (attempt == null) {
      boolean again = slots != null && slots.accepted().contains(lease.token());
      out.confirm(agent, lease, again);
    } else if (attempt.isRevoked()) {
      attempts.stopped(nowMillis, attempt, report, out);
      out.confirm(agent, lease, false);
    } else {
      attempt.agent.accepted().add(lease.token());
      attempts.finished(nowMillis, attempt, report, out);
      ways.settle(nowMillis, out);
      out.confirm(agent, lease, true);
    }
  }

  /** The agent that lost this lease while silent cannot regain it. */
  public void forgetLost(Lease lease) {
    agentEvents.forgetLost(lease);
  }

  /**
   * A task could not be sent to the agent it was given to, and the agent knows nothing of it.
   *
   * @param forGood whether further attempts are pointless
   */
  public void onUndeliverable(
      long nowMillis, AgentId agent, Lease lease, String why, boolean forGood, Outbox out) {
    LiveAttempt attempt = leases.find(agent, lease);
    if (attempt == null) {
      return;
    }
    if (attempt.isRevoked()) {
      attempts.freed(attempt);
    } else {
      attempts.undeliverable(nowMillis, attempt, why, forGood, out);
    }
    ways.settle(nowMillis, out);
  }

  /** A draining agent gets no further work. */
  public void onDrain(long nowMillis, AgentId agent, boolean on, Outbox out) {
    agentEvents.drain(agent, on, out);
  }

  /**
   * The owner of the agent's node freezes its tasks for a reason, or, with an empty one, resumes
   * them.
   */
  public void onPause(long nowMillis, AgentId agent, String why, Outbox out) {
    onPause(nowMillis, agent, why, Map.of(), out);
  }

  /**
   * The same, with the time for which attempts have been frozen so far, which does not count as run
   * time. No run-time limit applies while they are frozen.
   */
  public void onPause(
      long nowMillis, AgentId agent, String why, Map<Lease, Long> pausedMillis, Outbox out) {
    agentEvents.pause(nowMillis, agent, why, pausedMillis, out);
  }

  /**
   * The number of an agent's tasks that now wait for others and yield their slots to them.
   *
   * @param byUser the users whose tasks wait: they do not count towards the quota
   */
  public void onWaiting(long nowMillis, AgentId agent, int count, Map<String, Integer> byUser) {
    agentEvents.waiting(agent, count, byUser);
  }

  /** An agent learnt more about its node. */
  public void onPlatform(long nowMillis, AgentId agent, Platform platform, Outbox out) {
    agentEvents.platform(nowMillis, agent, platform, out);
    regrow();
  }

  /** Tasks whose memory grows get at most as much as the largest machine has. */
  private void regrow() {
    long largest = agents.largestMemoryBytes();
    if (largest != largestMemoryBytes) {
      largestMemoryBytes = largest;
      jobs.regrow();
    }
  }

  /** An agent was granted another level of trust; its running tasks stay. */
  public void onTrust(AgentId agent, int level) {
    agentEvents.trust(agent, level);
  }

  /** An admin changed the terms on which a node is used; its running tasks stay. */
  public void onTerms(NodeId node, NodeTerms terms, Outbox out) {
    agentEvents.terms(node, terms, out);
  }

  /**
   * Who may use agents without a sandbox has changed.
   *
   * @param to the users to whom an agent may be exposed; empty: everybody
   */
  public void onExposure(Function<AgentHello, List<String>> to) {
    agentEvents.expose(to);
  }

  /**
   * The resources of the pool, by name; tasks that hold more than the new amount keep it until they
   * end.
   */
  public void onPoolResources(Map<String, Double> amounts) {
    Map<String, Platform.Resource> all = new HashMap<>();
    amounts.forEach((name, amount) -> all.put(name, Platform.Resource.of(amount)));
    agents.pool().has(0, 0, 0, all);
    agents.regroupAll();
    agents.unpark();
  }

  /**
   * Cancels all tasks that can be cancelled. Returns their number; none while {@link
   * SchedulerView#isHeldBack}, as for all orders to tasks.
   */
  public int onCancel(long nowMillis, JobId job, int fromIndex, int toIndexExclusive, Outbox out) {
    return jobEvents.order(nowMillis, job, fromIndex, toIndexExclusive, Order.CANCEL, out);
  }

  /** Holds back all tasks that can be held back. Returns their number. */
  public int onBlock(long nowMillis, JobId job, int fromIndex, int toIndexExclusive, Outbox out) {
    return jobEvents.order(nowMillis, job, fromIndex, toIndexExclusive, Order.BLOCK, out);
  }

  /**
   * Releases blocked tasks and retries failed and cancelled ones, with failures and losses
   * forgotten. Returns how many.
   */
  public int onRelease(long nowMillis, JobId job, int fromIndex, int toIndexExclusive, Outbox out) {
    return jobEvents.order(nowMillis, job, fromIndex, toIndexExclusive, Order.RELEASE, out);
  }

  /**
   * Restarts a job from the beginning, like the first failure of a job with that failure strategy.
   */
  void restart(long nowMillis, JobId job, Outbox out) {
    jobEvents.restart(nowMillis, job, out);
  }

  /**
   * The result of a task is no longer trusted, because its node returned wrong ones: it is computed
   * again elsewhere, and the new result replaces it. Returns false, and changes nothing, if that is
   * impossible: the task is not DONE or must not run twice, its job is being undone, or nobody else
   * could run it.
   *
   * @param why explanation for the task's user
   */
  public boolean onDoubt(long nowMillis, TaskId task, NodeId node, String why, Outbox out) {
    return jobEvents.doubt(nowMillis, task, node, why, out);
  }

  /** The maximum number of tasks that a user may have RUNNING at a time. */
  public void onQuota(String user, int slots) {
    ready.quota(user, slots);
    agents.unpark();
  }

  /**
   * Changes limits of a job's tasks, including running ones; the caller writes its SpecChanged.
   * Returns false, and changes nothing, if the stages are not those of the job.
   *
   * @param stages the same number as the job has, with the same numbers of tasks
   */
  public boolean onLimits(long nowMillis, JobId job, List<StageHeader> stages, Outbox out) {
    return jobEvents.limits(job, stages, out);
  }

  /**
   * The tasks of other jobs on which some stages depend are now known; the caller has restored
   * those jobs, and writes its SpecChanged.
   *
   * @param stages the same number as the job has, with the same numbers of tasks
   */
  public void onPublished(long nowMillis, JobId job, List<StageHeader> stages, Outbox out) {
    jobEvents.published(nowMillis, job, stages, out);
  }

  /**
   * Changes the limits of single tasks of a job, including running ones; the caller stores them.
   * Returns false, and changes nothing, if the limits are invalid.
   *
   * @param limits the complete new limits, sorted and disjoint
   */
  public boolean onTaskLimits(long nowMillis, JobId job, List<TaskLimits> limits, Outbox out) {
    return jobEvents.taskLimits(job, limits, out);
  }

  /** Changes the priority of a job; returns false, and changes nothing, if it is not 0 to 9. */
  public boolean onPriority(long nowMillis, JobId job, int priority, Outbox out) {
    return jobEvents.priority(nowMillis, job, priority, out);
  }

  /**
   * Time has passed: leases of silent agents are lost, attempts over their run-time limit are
   * stopped. The cost is proportional to what there is to do.
   */
  public void onTick(long nowMillis, Outbox out) {
    jobs.startDue(nowMillis);
    attempts.returnDue(nowMillis, out);
    agentEvents.expire(nowMillis, out);
    attempts.stopOverLimit(nowMillis, out);
    ways.settle(nowMillis, out);
    agents.unpark();
  }

  /**
   * The server itself was stopped until now; to be called before any event that arrived in the
   * meantime. Silence in that time is not counted: agents get the rest of their lease to report,
   * and what is lost nevertheless counts neither for the task nor for the node.
   */
  public void onStoodStill(long nowMillis, long millis) {
    agents.stoodStill(nowMillis, millis);
  }

  /** Whether there are consequences left for the next turn. */
  public boolean hasUnfinished() {
    return consequences.areLeft() || ways.areLeft();
  }

  /** Hands out as much as possible; to be called once per turn of the loop. */
  public void dispatch(long nowMillis, Outbox out) {
    boolean more = ways.goOn(nowMillis, out);
    if (consequences.goOn() || more) {
      ways.settle(nowMillis, out);
    }
    consequences.turnEnds();
    ways.turnEnds();
    dispatcher.dispatch(nowMillis, out);
  }

  /** Fills the free slots of one agent only. */
  public void dispatchTo(long nowMillis, AgentId agent, Outbox out) {
    AgentSlots slots = agents.get(agent);
    if (slots != null) {
      dispatcher.dispatchTo(nowMillis, slots, out);
    }
  }

  /** Drops a settled job from memory. Returns false, and keeps it, if it is not settled. */
  public boolean forget(JobId job) {
    return jobEvents.forget(job);
  }

  /** Explains what an agent would get now. */
  public String explain(long nowMillis, AgentId agent) {
    AgentSlots slots = agents.get(agent);
    return slots == null ? "This agent is unknown." : dispatcher.explain(nowMillis, slots);
  }

  /** Throws IllegalStateException if any part of the state contradicts another. */
  public void checkInvariants() {
    new Invariants(jobs, ready, leases, agents, attempts).check();
  }

  /** The number of different requirement classes. */
  int requirementClasses() {
    return classes.size();
  }

  /** Lets tests observe the steps of tasks. */
  void listenToSteps(StepListener listener) {
    steps.listener(listener);
  }
}
