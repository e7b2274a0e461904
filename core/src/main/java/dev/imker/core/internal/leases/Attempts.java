package dev.imker.core.internal.leases;

import dev.imker.core.internal.agents.AgentSlots;
import dev.imker.core.internal.agents.AgentTable;
import dev.imker.core.internal.steps.Consequences;
import dev.imker.core.internal.steps.JobReports;
import dev.imker.core.internal.steps.TaskSteps;
import dev.imker.core.internal.tasks.LiveAttempt;
import dev.imker.core.internal.tasks.RunningTask;
import dev.imker.core.internal.tasks.StageTasks;
import dev.imker.core.internal.tasks.Tally;
import dev.imker.core.internal.tasks.TaskArray;
import dev.imker.core.internal.tasks.Votes;
import dev.imker.core.message.Outbox;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.core.resource.Grant;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.TaskEvent;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.AttemptStarted;
import dev.imker.model.change.AttemptStopped;
import dev.imker.model.change.TaskChanged;
import dev.imker.model.job.Requirements;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.random.RandomGenerator;

/** Begins and ends attempts, and applies the consequences for their tasks. */
public final class Attempts {
  private static final double MUCH_LESS = 0.75;
  private static final long UNDELIVERED_PAUSE_MILLIS = 10_000;

  /** A task whose attempt was lost is READY again at that time, unless something happens first. */
  private record Return(RunningTask task, long atMillis) {}

  private final SchedulerSettings settings;
  private final TaskSteps steps;
  private final LeaseTable leases;
  private final AgentTable agents;
  private final PoolProfile profiles;
  private final CopyableTasks copyable = new CopyableTasks();
  private final OpenVotes openVotes = new OpenVotes();
  private final ArrayDeque<Return> returns = new ArrayDeque<>();
  private final Pauses pauses = new Pauses();
  private final Quorums quorums;
  private final Failures failures;

  public Attempts(
      SchedulerSettings settings,
      TaskSteps steps,
      LeaseTable leases,
      AgentTable agents,
      PoolProfile profiles,
      RandomGenerator random) {
    this.settings = settings;
    this.steps = steps;
    this.leases = leases;
    this.agents = agents;
    this.profiles = profiles;
    quorums = new Quorums(agents, profiles, random);
    failures = new Failures(settings, agents, profiles);
  }

  public CopyableTasks copyable() {
    return copyable;
  }

  public OpenVotes openVotes() {
    return openVotes;
  }

  /**
   * Gives a READY task that has left its queue, or a copy of a RUNNING one, to an agent.
   *
   * @param grant what the agent has taken for it
   * @return the number of the attempt
   */
  public int assign(
      long nowMillis, AgentSlots agent, TaskArray job, int index, Grant grant, Outbox out) {
    RunningTask task = job.running(index);
    if (task == null) {
      steps.take(job, index, TaskEvent.ASSIGN);
      job.failedNodes().forgetAvoidance(index);
      task = addRunning(job, index);
    }
    int number = job.attempts(index) + task.attempts() + 1;
    ProjectProfile project = job.project();
    LiveAttempt attempt =
        new LiveAttempt(
            new Lease(job.task(index), leases.nextToken()),
            agent,
            task,
            number,
            nowMillis,
            agent.meanMillis(project.index()),
            grant);
    profiles.onAssigned(nowMillis, agent.profile(), project, task.attempts() > 0);
    begin(attempt, task);
    Lease lease = attempt.lease;
    out.change(started(nowMillis, attempt, number));
    out.assign(agent.id(), lease, number, grant.told());
    JobReports.touched(job, nowMillis, out);
    agents.place(agent);
    return number;
  }

  /**
   * Lets an agent go on with an attempt that was lost while nothing was heard of it: its task is
   * READY, and nobody else was given it. The loss no longer counts: it is the same attempt.
   */
  public void readopt(
      long nowMillis,
      AgentSlots agent,
      TaskArray job,
      Lease lease,
      LostLeases.Lost lost,
      Grant grant,
      Outbox out) {
    int index = lease.task().index();
    steps.take(job, index, TaskEvent.ASSIGN);
    steps.withdraw(job, index); // the other way round, another task would take its room
    RunningTask task = addRunning(job, index);
    boolean isLoss = lost.counted() && job.losses().get(index) > 0; // else forgiven since
    Tally counted = isLoss ? job.losses() : job.otherAttempts();
    counted.set(index, Math.max(0, counted.get(index) - 1));
    int failures = job.failures().get(index);
    int losses = job.losses().get(index);
    out.change(new TaskChanged(lease.task(), TaskState.READY, failures, losses, nowMillis));
    int number = job.attempts(index) + 1;
    ProjectProfile project = job.project();
    LiveAttempt attempt =
        new LiveAttempt(
            lease,
            agent,
            task,
            number,
            lost.startedMillis(),
            agent.meanMillis(project.index()),
            grant);
    profiles.onAssigned(nowMillis, agent.profile(), project, false);
    begin(attempt, task);
    out.change(started(nowMillis, attempt, number));
    JobReports.touched(job, nowMillis, out);
  }

  private static AttemptStarted started(long nowMillis, LiveAttempt attempt, int number) {
    return new AttemptStarted(
        attempt.lease.task(),
        attempt.lease.token(),
        attempt.agent.id(),
        attempt.agent.profile().node(),
        number,
        attempt.grant.text(),
        nowMillis);
  }

  public RunningTask addRunning(TaskArray job, int index) {
    RunningTask task = new RunningTask(job, index);
    job.running().put(index, task);
    if (task.copyable) {
      copyable.append(task);
    }
    return task;
  }

  public void begin(LiveAttempt attempt, RunningTask task) {
    task.add(attempt);
    leases.add(attempt);
    if (!attempt.grant.isPlain() && task.beyondOneCore == 0) {
      weigh(task, attempt.grant.own().weight() - Requirements.HUNDREDTHS);
    }
    task.job.project().onBegun(attempt.grant.own().weight());
    votesChanged(task);
  }

  /** Whether other nodes may work on a RUNNING task as well, to come to an equal result. */
  public void votesChanged(RunningTask task) {
    if (openVotes.changed(task)) {
      agents.unpark(task.job.requirementClass(task.index));
    }
  }

  /** The agent's report about an attempt that still counts. */
  public void finished(long nowMillis, LiveAttempt attempt, AttemptReport report, Outbox out) {
    if (report.outcome() == AttemptOutcome.SUCCEEDED) {
      commit(nowMillis, attempt, report, out);
    } else {
      end(nowMillis, attempt, report, out);
    }
  }

  public void lost(long nowMillis, LiveAttempt attempt, String why, Outbox out) {
    end(nowMillis, attempt, AttemptReport.withoutRun(AttemptOutcome.LOST, nowMillis, why), out);
  }

  /**
   * The task never reached its agent. If another attempt may succeed, the task waits for a moment.
   */
  public void undeliverable(
      long nowMillis, LiveAttempt attempt, String why, boolean forGood, Outbox out) {
    attempt.hopeless = forGood;
    attempt.undelivered = true;
    AttemptOutcome outcome = forGood ? AttemptOutcome.FAILED : AttemptOutcome.GIVEN_BACK;
    end(nowMillis, attempt, AttemptReport.withoutRun(outcome, nowMillis, why), out);
  }

  /** The resources of an attempt are free for others. */
  private void slotFreed(LiveAttempt attempt) {
    agents.freed(AgentSlots.of(attempt));
    if (!attempt.grant.shared().isNothing()) {
      agents.unpark();
    }
  }

  /** The agent has ended a revoked attempt: its slot is free. */
  public void freed(LiveAttempt attempt) {
    leases.remove(attempt);
    slotFreed(attempt);
  }

  /** The same, with what the attempt took until it was stopped. */
  public void stopped(long nowMillis, LiveAttempt attempt, AttemptReport report, Outbox out) {
    freed(attempt);
    if (report.startedMillis() > 0) {
      Lease lease = attempt.lease;
      NodeId node = attempt.agent.profile().node();
      AttemptReport costs = report.ofStopped(attempt.revoked);
      out.change(new AttemptStopped(lease.task(), lease.token(), node, costs, nowMillis));
    }
  }

  /** Ends all attempts at a task that has just left RUNNING; reports each with its new state. */
  public void withdrawAll(
      long nowMillis, RunningTask task, String reason, TaskState state, Outbox out) {
    removeRunning(task);
    task.returning = null;
    for (LiveAttempt a = task.first(); a != null; a = task.first()) {
      AgentSlots agent = AgentSlots.of(a);
      detach(a, task);
      leases.revoke(a);
      a.revoked = reason;
      task.job.otherAttempts().increment(task.index);
      profiles.onWithdrawn(nowMillis, agent.profile(), task.job.project(), a.ageMillis(nowMillis));
      AttemptReport report = AttemptReport.withoutRun(AttemptOutcome.STOPPED, nowMillis, reason);
      out.change(ended(nowMillis, a, task, report, state));
      out.stop(agent.id(), a.lease, reason);
    }
  }

  /** Brings back to READY what was lost long enough ago. */
  public void returnDue(long nowMillis, Outbox out) {
    endPauses(nowMillis, out);
    while (!returns.isEmpty() && returns.getFirst().atMillis() <= nowMillis) {
      Return due = returns.removeFirst();
      RunningTask task = due.task();
      TaskEvent event = task.returning;
      if (event != null && task.returnMillis == due.atMillis()) {
        TaskArray job = task.job;
        TaskState state = steps.take(job, task.index, event);
        removeRunning(task);
        int failures = job.failures().get(task.index);
        int losses = job.losses().get(task.index);
        out.change(new TaskChanged(job.task(task.index), state, failures, losses, nowMillis));
        JobReports.touched(job, nowMillis, out);
      }
    }
  }

  /** Tells agents to stop what is over its run-time limit; their reports decide. */
  public void stopOverLimit(long nowMillis, Outbox out) {
    for (LiveAttempt attempt = leases.pollOverLimit(nowMillis);
        attempt != null;
        attempt = leases.pollOverLimit(nowMillis)) {
      attempt.overLimit = true;
      out.stop(attempt.agent.id(), attempt.lease, "exceeded its time limit");
    }
  }

  private void commit(long nowMillis, LiveAttempt attempt, AttemptReport report, Outbox out) {
    RunningTask task = Objects.requireNonNull(attempt.task);
    NodeProfile node = attempt.agent.profile();
    int quorum = quorums.of(task, node);
    if (quorum > 1 && !quorums.isReached(nowMillis, task, node, quorum, report, out)) {
      vote(nowMillis, attempt, task, quorum, report, out);
      return;
    }
    if (quorum == 1) {
      quorums.settledBy(task, report);
    }
    task.job.forgetVotes(task.index);
    AgentSlots agent = AgentSlots.of(attempt);
    ProjectProfile project = task.job.project();
    leases.remove(attempt);
    detach(attempt, task);
    long runMillis = attempt.runMillis(nowMillis, report);
    profiles.onSucceeded(nowMillis, agent.profile(), project, runMillis);
    failures.blame(task, agent.profile());
    learnMemory(task, report);
    agent.ran(project.index(), runMillis);
    long doneMillis =
        task.job.isUndoing() ? nowMillis : task.job.doneOrder().add(task.index, nowMillis);
    TaskState state = steps.take(task.job, task.index, done(task));
    out.change(ended(doneMillis, attempt, task, report, state));
    withdrawAll(nowMillis, task, "another copy was faster", state, out);
    JobReports.touched(task.job, nowMillis, out);
    slotFreed(attempt);
  }

  /** What tasks need whose memory is left to the pool follows what was seen, not too closely. */
  private void learnMemory(RunningTask task, AttemptReport report) {
    ProjectProfile project = task.job.project();
    StageTasks stage = task.stage;
    String program = stage.header().program();
    project.onMemoryPeak(program, report.peakMemoryBytes());
    if (stage.growing != null && stage.header().needs().leavesMemoryToPool()) {
      long estimate = project.memoryEstimate(program);
      if (estimate > stage.memoryEstimate || estimate < MUCH_LESS * stage.memoryEstimate) {
        stage.memoryEstimate = estimate;
        steps.requeue(task.job, stage);
      }
    }
  }

  private static String unequal(Votes votes, int quorum) {
    return "%d nodes returned results, no %d of them equal".formatted(votes.size(), quorum);
  }

  private TaskEvent done(RunningTask task) {
    if (task.job.isUndoing()) {
      steps.failedJobs().add(task.job);
      task.job.otherAttempts().increment(task.index);
      return TaskEvent.UNDONE;
    }
    if (task.job.mayBeginAgain()) {
      task.job.otherAttempts().increment(task.index);
    }
    return TaskEvent.COMMIT;
  }

  /** A result that others must confirm. */
  private void vote(
      long nowMillis,
      LiveAttempt attempt,
      RunningTask task,
      int quorum,
      AttemptReport report,
      Outbox out) {
    Votes votes = task.job.votes(task.index);
    boolean hopeless = votes.size() >= Votes.maxResults(quorum);
    leases.remove(attempt);
    detach(attempt, task);
    task.job.otherAttempts().increment(task.index);
    long runMillis = attempt.runMillis(nowMillis, report);
    profiles.onSucceeded(nowMillis, attempt.agent.profile(), task.job.project(), runMillis);
    TaskState state = TaskState.RUNNING;
    if (hopeless || task.attempts() == 0) {
      TaskEvent event = hopeless ? TaskEvent.FAILED_TOO_OFTEN : TaskEvent.VOTE;
      state = steps.take(task.job, task.index, event);
      AttemptReport last = hopeless ? report.withError(unequal(votes, quorum)) : report;
      out.change(ended(nowMillis, attempt, task, last, state));
      withdrawAll(nowMillis, task, "its results are not equal", state, out);
    } else {
      out.change(ended(nowMillis, attempt, task, report, state));
    }
    JobReports.touched(task.job, nowMillis, out);
    slotFreed(attempt);
  }

  private void end(long nowMillis, LiveAttempt attempt, AttemptReport report, Outbox out) {
    RunningTask task = Objects.requireNonNull(attempt.task);
    leases.remove(attempt);
    detach(attempt, task);
    failures.count(nowMillis, attempt, task, report);
    TaskState state =
        task.attempts() > 0
            ? TaskState.RUNNING
            : leave(nowMillis, task, failures.eventAfter(nowMillis, attempt, task, report));
    out.change(ended(nowMillis, attempt, task, report, state));
    JobReports.touched(task.job, nowMillis, out);
    slotFreed(attempt);
  }

  /** The last attempt ended without success: takes the task where it belongs now. */
  private TaskState leave(long nowMillis, RunningTask task, TaskEvent event) {
    boolean returns = event == TaskEvent.LEASE_LOST || event == TaskEvent.ATTEMPT_FAILED;
    if (returns && settings.lostReturnDelayMillis() > 0) {
      task.returning = event;
      task.returnMillis = nowMillis + settings.lostReturnDelayMillis();
      this.returns.addLast(new Return(task, task.returnMillis));
      return TaskState.RUNNING;
    }
    removeRunning(task);
    if (event == TaskEvent.ATTEMPT_FAILED && task.stage.header().rules().backoffMillis() > 0) {
      TaskState state = steps.take(task.job, task.index, TaskEvent.PAUSE);
      pause(nowMillis, task.job, task.index);
      return state;
    }
    if (event == TaskEvent.PAUSE) {
      pauses.add(task.job, task.index, nowMillis + UNDELIVERED_PAUSE_MILLIS);
    }
    return steps.take(task.job, task.index, event);
  }

  /** Lets a WAITING task wait for the end of its back-off. */
  public void pause(long nowMillis, TaskArray job, int index) {
    long millis = Pauses.millis(job.stage(index), job.failures().get(index));
    pauses.add(job, index, nowMillis + millis);
  }

  private void endPauses(long nowMillis, Outbox out) {
    for (Pauses.Pause over = pauses.pollDue(nowMillis);
        over != null;
        over = pauses.pollDue(nowMillis)) {
      TaskState state = steps.take(over.job(), over.index(), TaskEvent.PAUSE_OVER);
      int next = over.index() + 1;
      Consequences.tell(nowMillis, over.job(), over.index(), next, state, "", out);
      JobReports.touched(over.job(), nowMillis, out);
    }
  }

  private void detach(LiveAttempt attempt, RunningTask task) {
    if (task.attempts() > 1) {
      profiles.onCopyEnded(task.job.project());
    }
    task.remove(attempt);
    votesChanged(task);
  }

  private static void weigh(RunningTask task, long more) {
    task.beyondOneCore += more;
    task.job.user().weighs(more);
    task.job.project().onWeighed(more);
  }

  private void removeRunning(RunningTask task) {
    weigh(task, -task.beyondOneCore);
    task.job.running().remove(task.index);
    openVotes.remove(task);
    if (task.copyable) {
      copyable.remove(task);
    }
  }

  private static AttemptEnded ended(
      long nowMillis,
      LiveAttempt attempt,
      RunningTask task,
      AttemptReport report,
      TaskState state) {
    return new AttemptEnded(
        attempt.lease.task(),
        attempt.lease.token(),
        report,
        state,
        task.job.failures().get(task.index),
        task.job.losses().get(task.index),
        nowMillis);
  }
}
