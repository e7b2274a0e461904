package dev.imker.core;

import dev.imker.core.internal.agents.AgentGroup;
import dev.imker.core.internal.agents.AgentList;
import dev.imker.core.internal.agents.AgentSlots;
import dev.imker.core.internal.agents.AgentTable;
import dev.imker.core.internal.agents.Machine;
import dev.imker.core.internal.jobs.JobTable;
import dev.imker.core.internal.leases.Attempts;
import dev.imker.core.internal.leases.LeaseTable;
import dev.imker.core.internal.queues.ClassQueues;
import dev.imker.core.internal.queues.ProjectQueues;
import dev.imker.core.internal.queues.ReadyQueue;
import dev.imker.core.internal.queues.ReadyWork;
import dev.imker.core.internal.tasks.LiveAttempt;
import dev.imker.core.internal.tasks.ReadyRange;
import dev.imker.core.internal.tasks.RunningTask;
import dev.imker.core.internal.tasks.StageTasks;
import dev.imker.core.internal.tasks.TaskArray;
import dev.imker.core.internal.tasks.UserShare;
import dev.imker.core.message.JobHeader;
import dev.imker.core.resource.Grant;
import dev.imker.model.TaskState;
import dev.imker.model.job.Requirements;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What must hold between any two events. */
final class Invariants {
  private final JobTable jobs;
  private final ReadyWork ready;
  private final LeaseTable leases;
  private final AgentTable agents;
  private final Attempts attempts;
  private int queued;
  private int valid;
  private int speculative;

  Invariants(
      JobTable jobs, ReadyWork ready, LeaseTable leases, AgentTable agents, Attempts attempts) {
    this.jobs = jobs;
    this.ready = ready;
    this.leases = leases;
    this.agents = agents;
    this.attempts = attempts;
  }

  void check() {
    for (TaskArray job : jobs.all()) {
      checkCounts(job);
      checkRanges(job);
      checkRunning(job);
      job.running().forEach(task -> speculative += task.copyable ? 1 : 0);
      require(job.settledTold() == job.isSettled(), "job " + job.id() + " settled but not told");
    }
    require(queued == ready.total(), "total of ready tasks " + ready.total() + ", not " + queued);
    int copyable = attempts.copyable().size();
    require(speculative == copyable, "tasks that may be copied " + copyable);
    require(
        attempts.openVotes().all().stream().allMatch(task -> task.job.running(task.index) == task),
        "a task that is not RUNNING needs votes");
    checkQueues();
    checkUsers();
    checkLeases();
    agents.all().forEach(this::checkAgent);
    checkAmounts();
  }

  /** All taken amounts belong to attempts, and all amounts of attempts are taken. */
  private void checkAmounts() {
    List<Grant> all = new ArrayList<>();
    for (Machine machine : agents.machines()) {
      List<Grant> special = new ArrayList<>();
      int plainCores = 0;
      int held = 0;
      for (AgentSlots agent : machine.agents()) {
        plainCores += agent.plainCores();
        for (LiveAttempt attempt : agent.attempts()) {
          held++;
          if (!attempt.grant.isPlain()) {
            special.add(attempt.grant);
          }
        }
      }
      require(
          machine.stock().isTakenBy(special, false, plainCores),
          "amounts taken of a machine: "
              + machine.stock().view()
              + " by "
              + special
              + " and plain "
              + plainCores);
      require(
          machine.ahead() == held - special.size() - plainCores,
          "tasks ahead of a machine: " + machine.ahead());
      all.addAll(special);
    }
    require(agents.pool().isTakenBy(all, true, 0), "amounts taken of the pool");
  }

  private void checkUsers() {
    Map<UserShare, Integer> running = new HashMap<>();
    Map<UserShare, Integer> live = new HashMap<>();
    Map<UserShare, Long> load = new HashMap<>();
    for (TaskArray job : jobs.all()) {
      running.merge(job.user(), job.count(TaskState.RUNNING), Integer::sum);
      live.merge(job.user(), job.live(), Integer::sum);
      job.running()
          .forEach(
              task ->
                  load.merge(job.user(), Requirements.HUNDREDTHS + task.beyondOneCore, Long::sum));
    }
    running
        .keySet()
        .forEach(
            user -> require(user.load() == load.getOrDefault(user, 0L), "cores of a user's tasks"));
    live.forEach((user, tasks) -> require(user.live() == tasks, "live tasks of a user"));
    running.forEach((user, tasks) -> require(user.running() == tasks, "running tasks of a user"));
  }

  private static void checkCounts(TaskArray job) {
    int[] counted = new int[TaskState.values().length];
    for (int i = 0; i < job.size(); i++) {
      counted[job.state(i).ordinal()]++;
    }
    require(Arrays.equals(counted, job.counts()), "counts of job " + job.id());
    require(job.done().cardinality() == job.count(TaskState.DONE), "DONE of job " + job.id());
    job.done().stream()
        .forEach(
            i -> require(job.state(i) == TaskState.DONE, job.task(i) + " was DONE, and stays so"));
  }

  private void checkRanges(TaskArray job) {
    int inRanges = 0;
    for (StageTasks stage : job.stages()) {
      inRanges += checkRanges(job, stage);
    }
    int inQueue = job.heldBack ? 0 : job.count(TaskState.READY);
    require(inRanges == inQueue, "READY but not queued in job " + job.id());
    require(job.heldBack == job.phase.isUnderWay(), "held back without need: job " + job.id());
    queued += inRanges;
  }

  /** Tasks of a stage with a limit are held back exactly as long as the limit is reached. */
  private static void checkOpen(TaskArray job, StageTasks stage) {
    int[] open = new int[1];
    job.running().forEach(task -> open[0] += task.stage == stage ? 1 : 0);
    boolean anyHeld = false;
    for (ReadyRange range = stage.firstRange(); range != null; range = range.afterInStage) {
      open[0] += range.isHeld() ? 0 : range.size();
      anyHeld |= range.isHeld() && !stage.header().isGang();
    }
    require(open[0] == stage.open, "open tasks of job " + job.id());
    require(!anyHeld || stage.room() == 0, "tasks held back without need in job " + job.id());
  }

  private static int checkRanges(TaskArray job, StageTasks stage) {
    int inRanges = 0;
    ReadyRange last = null;
    for (ReadyRange range = stage.firstRange(); range != null; range = range.afterInStage) {
      require(
          range.job == job
              && range.stage == stage
              && range.size() > 0
              && range.from >= stage.first
              && range.toExclusive <= stage.end,
          "range of job " + job.id());
      require(range.beforeInStage == last, "links between the ranges of job " + job.id());
      for (int i = range.from; i < range.toExclusive; i++) {
        require(job.state(i) == TaskState.READY, job.task(i) + " is queued but not READY");
      }
      inRanges += range.size();
      last = range;
    }
    return inRanges;
  }

  private void checkRunning(TaskArray job) {
    require(
        job.running().size() == job.count(TaskState.RUNNING), "running tasks of job " + job.id());
    job.running().forEach(this::checkTask);
    for (StageTasks stage : job.stages()) {
      checkOpen(job, stage);
    }
  }

  private void checkTask(RunningTask task) {
    String name = task.job.task(task.index).toString();
    require(task.job.state(task.index) == TaskState.RUNNING, name + " is not RUNNING");
    require(
        task.attempts() > 0 == (task.returning == null), name + " has neither lease nor return");
    int attempts = 0;
    for (LiveAttempt a = task.first(); a != null; a = a.nextOfTask) {
      require(a.task == task, name + " has an attempt of another task");
      require(leases.find(a.agent.id(), a.lease) == a, name + " has an attempt without lease");
      attempts++;
    }
    require(attempts == task.attempts(), name + " number of attempts");
    valid += attempts;
  }

  private void checkQueues() {
    int total = 0;
    for (ProjectQueues project : ready.projects()) {
      int inProject = 0;
      for (int number = 0; number < project.classes().size(); number++) {
        ClassQueues queues = project.classes().get(number);
        int inClass = queues == null ? 0 : size(queues, project, number);
        require(queues == null || queues.size() == inClass, "size of a class of queues");
        require(project.isEmpty(number) == (inClass == 0), "ready classes of a project");
        inProject += inClass;
      }
      require(project.ready() == inProject, "ready tasks of a project");
      total += inProject;
    }
    require(total == ready.total(), "ready tasks of all projects");
    require(agents.groups().stream().allMatch(group -> group.isRight(ready)), "lists of a group");
    require(Arrays.stream(ready.readyByPriority()).sum() == total, "ready tasks of all priorities");
  }

  private static int size(ClassQueues queues, ProjectQueues project, int number) {
    int size = 0;
    for (int priority = 0; priority < JobHeader.PRIORITIES; priority++) {
      ReadyQueue queue = queues.queue(priority);
      for (ReadyRange r = queue == null ? null : queue.head(); r != null; r = r.after) {
        require(
            r.job.project() == project.profile()
                && r.requirementClass == number
                && r.priority == priority
                && (r.isHeld()
                    || r.stage.growing != null
                    || r.job.requirementClass(r.from) == number)
                && r.job.priorityOf(r.toExclusive - 1) == priority,
            "job " + r.job.id() + " is in a wrong queue");
        size += r.size();
      }
    }
    return size;
  }

  private void checkLeases() {
    int[] live = new int[1];
    leases.forEach(
        attempt -> {
          live[0] += attempt.isRevoked() ? 0 : 1;
          require(agents.get(attempt.agent.id()) == attempt.agent, "a lease of an unknown agent");
        });
    require(live[0] == valid, "valid leases " + live[0] + ", not " + valid);
    int held = agents.all().stream().mapToInt(AgentSlots::held).sum();
    require(held == leases.size(), "leases " + leases.size() + ", held " + held);
  }

  private void checkAgent(AgentSlots agent) {
    String name = "agent " + agent.id();
    Set<LiveAttempt> attempts = new HashSet<>(agent.attempts());
    require(attempts.size() == agent.held(), name + " number of attempts");
    require(agent.isServing() || agent.list == null, name + " is offered but not serving");
    AgentGroup group = agent.group;
    if (group != null && agent.isServing() && agent.hasFreeSlot()) {
      require(agent.list == group.idle || group.isParked(agent), name + " is forgotten");
    }
    require(!agent.silent || agent.held() == 0, name + " is silent but holds leases");
    if (group != null && agent.list != null) {
      require(contains(agent.list, agent), name + " is not in its list");
      require(
          agent.list == group.idle || group.isParked(agent) || agent.list == group.hungry,
          name + " is in the list of another group");
      require(agent.hasFreeSlot() == (agent.list != group.hungry), name + " is in a wrong list");
    }
  }

  private static boolean contains(AgentList list, AgentSlots wanted) {
    AgentSlots agent = list.head();
    while (agent != null && agent != wanted) {
      agent = agent.after;
    }
    return agent != null;
  }

  private static void require(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException("broken: " + what);
    }
  }
}
