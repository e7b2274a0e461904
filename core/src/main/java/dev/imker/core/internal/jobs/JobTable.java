package dev.imker.core.internal.jobs;

import dev.imker.core.internal.agents.AgentTable;
import dev.imker.core.internal.dispatch.Gangs;
import dev.imker.core.internal.queues.ProjectQueues;
import dev.imker.core.internal.queues.ReadyWork;
import dev.imker.core.internal.tasks.OwnLimits;
import dev.imker.core.internal.tasks.StageTasks;
import dev.imker.core.internal.tasks.TaskArray;
import dev.imker.core.internal.tasks.TaskGraph;
import dev.imker.core.matching.Placement;
import dev.imker.core.matching.RequirementClasses;
import dev.imker.core.message.Dependency;
import dev.imker.core.message.JobHeader;
import dev.imker.core.message.StageHeader;
import dev.imker.core.profile.PoolProfile;
import dev.imker.model.JobId;
import dev.imker.model.TaskRange;
import dev.imker.model.TaskState;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.TaskLimits;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** The jobs in memory, in the order of their submission. */
public final class JobTable implements TaskGraph.Jobs {
  /** The default for automatic memory while nothing is known about the project. */
  private static final long FIRST_MEMORY_BYTES = 1L << 30;

  private static final int MAX_DOUBLINGS = 24;

  private final Map<JobId, TaskArray> byId = new LinkedHashMap<>();
  private final Map<JobId, List<TaskGraph.ForeignJoin>> dependants = new HashMap<>();
  private final RequirementClasses classes;
  private final AgentTable agents;
  private final ReadyWork ready;
  private final Gangs gangs;
  private final PoolProfile profiles;
  private final PriorityQueue<Start> starts =
      new PriorityQueue<>(Comparator.comparingLong(Start::atMillis));

  /** Tasks of a stage that are not to begin before a time. */
  private record Start(TaskArray job, StageTasks stage) {
    long atMillis() {
      return stage.header().rules().startMillis();
    }
  }

  public JobTable(
      RequirementClasses classes,
      AgentTable agents,
      ReadyWork ready,
      Gangs gangs,
      PoolProfile profiles) {
    this.classes = classes;
    this.agents = agents;
    this.ready = ready;
    this.gangs = gangs;
    this.profiles = profiles;
  }

  @Override
  public @Nullable TaskArray get(JobId id) {
    return byId.get(id);
  }

  public Collection<TaskArray> all() {
    return byId.values();
  }

  /** Adds a job whose tasks are all in their initial state; {@link #open} makes them live. */
  public TaskArray add(JobHeader header) {
    sweepClasses();
    StageTasks[] stages = new StageTasks[header.stages().size()];
    int first = 0;
    for (int i = 0; i < stages.length; i++) {
      StageHeader stage = header.stages().get(i);
      stages[i] = new StageTasks(i, first, stage, classOf(Placement.of(stage)));
      stages[i].gangClass = stage.isGang() ? classOf(Placement.own(stage)) : 0;
      first = stages[i].end;
    }
    ProjectQueues queues = ready.project(header.project());
    TaskArray job = new TaskArray(header, queues.profile(), queues.user(), stages);
    if (byId.putIfAbsent(header.id(), job) != null) {
      throw new IllegalArgumentException("job " + header.id() + " is already there");
    }
    for (StageTasks stage : stages) {
      grow(job, stage);
    }
    job.dependants = dependants.get(header.id());
    for (StageTasks stage : stages) {
      if (stage.early) {
        starts.add(new Start(job, stage));
      }
    }
    gangs.add(job);
    return job;
  }

  /** Releases tasks whose start time has come. */
  public void startDue(long nowMillis) {
    while (!starts.isEmpty() && starts.element().atMillis() <= nowMillis) {
      Start due = starts.remove();
      due.stage.early = false;
      if (byId.get(due.job.id()) == due.job) {
        ready.changeClass(due.job, due.stage, due.stage.requirementClass);
      }
    }
  }

  /** Finds out whether what tasks of a stage ask for depends on earlier attempts. */
  public void grow(TaskArray job, StageTasks stage) {
    Requirements needs = stage.header().needs();
    boolean growing = needs.growsByAttempt() && !stage.header().isGang();
    stage.growing =
        !growing
            ? null
            : index -> {
              long largest = agents.largestMemoryBytes();
              long memory = memoryOf(job, stage, job.shortages().get(index));
              int attempt = 1 + job.failures().get(index);
              return classOf(
                  Placement.own(stage.header())
                      .asking(needs.at(attempt, memory, largest == 0 ? Long.MAX_VALUE : largest)));
            };
  }

  /** Queues tasks anew that ask for no more memory than the largest machine has, which changed. */
  public void regrow() {
    for (TaskArray job : byId.values()) {
      for (StageTasks stage : job.stages()) {
        if (stage.growing != null && stage.firstRange() != null) {
          ready.requeue(job, stage);
        }
      }
    }
  }

  /** Of a task whose memory is left to the pool, that was short of it so many times. */
  private static long memoryOf(TaskArray job, StageTasks stage, int shortages) {
    if (stage.memoryEstimate == 0) {
      stage.memoryEstimate = job.project().memoryEstimate(stage.header().program());
    }
    long first = stage.memoryEstimate == 0 ? FIRST_MEMORY_BYTES : stage.memoryEstimate;
    return shortages >= MAX_DOUBLINGS ? Long.MAX_VALUE : first << shortages;
  }

  /** The number of a placement, which agents are sorted by if it is new. */
  public int classOf(Placement placement) {
    int known = classes.known(placement);
    if (known >= 0) {
      return known;
    }
    int number = classes.add(placement);
    agents.regroup(number);
    return number;
  }

  /** Drops classes that no job in memory has, before numbers for another job are assigned. */
  private void sweepClasses() {
    if (classes.isSweepDue()) {
      BitSet used = new BitSet();
      byId.values().forEach(job -> job.addClasses(used));
      classes.sweep(used);
    }
  }

  /** The limits of single tasks of a job. */
  public OwnLimits own(TaskArray job, List<TaskLimits> limits) {
    if (limits.isEmpty()) {
      return OwnLimits.NONE;
    }
    sweepClasses();
    int[][] pinned = new int[limits.size()][job.stages().length];
    for (int i = 0; i < pinned.length; i++) {
      String pin = limits.get(i).pin();
      for (StageTasks stage : job.stages()) {
        pinned[i][stage.number] =
            pin == null ? -1 : classOf(Placement.own(stage.header()).pinnedTo(pin));
      }
    }
    return new OwnLimits(List.copyOf(limits), pinned);
  }

  /** Whether all jobs that tasks of this one wait for are in memory. */
  public boolean hasAllBefore(TaskArray job) {
    for (StageTasks stage : job.stages()) {
      for (Dependency dependency : stage.header().after()) {
        if (dependency instanceof Dependency.Tasks other
            && other.tasks().stream().anyMatch(range -> !byId.containsKey(range.job()))) {
          return false;
        }
      }
    }
    return true;
  }

  /** Determines the dependencies of the tasks of a job from their states, unless known. */
  public void connect(TaskArray job) {
    if (job.graph() != null || !job.header().hasDependencies()) {
      return;
    }
    TaskGraph graph = new TaskGraph(job, this);
    job.graph(graph);
    for (TaskGraph.ForeignJoin join : graph.foreign()) {
      for (TaskRange range : join.tasks()) {
        TaskArray other = byId.get(range.job());
        if (other != null) {
          other.dependants = dependants.computeIfAbsent(range.job(), id -> new ArrayList<>());
          if (!other.dependants.contains(join)) {
            other.dependants.add(join);
          }
        }
      }
    }
  }

  /** Whether tasks of another job in memory depend on tasks of this one. */
  public boolean isWaitedFor(JobId id) {
    return !dependants.getOrDefault(id, List.of()).isEmpty();
  }

  /** Counts the job's tasks and queues those that are READY. */
  public void open(TaskArray job) {
    job.settledTold(job.isSettled());
    job.running().forEach(task -> ready.ran(job, task.stage, 1));
    job.user().lives(job.live());
    // The profile of a project whose tasks are all settled begins anew, so the live ones go first.
    addToProfile(job, false);
    addToProfile(job, true);
    ready.appendReady(job);
  }

  /** Drops a settled job. */
  public void remove(TaskArray job) {
    byId.remove(job.id());
    gangs.remove(job);
    disconnect(job);
  }

  /** Drops the dependencies of the tasks of a job. */
  public void disconnect(TaskArray job) {
    TaskGraph graph = job.graph();
    if (graph == null) {
      return;
    }
    for (TaskGraph.ForeignJoin join : graph.foreign()) {
      for (TaskRange range : join.tasks()) {
        List<TaskGraph.ForeignJoin> joins = dependants.get(range.job());
        if (joins != null) {
          joins.remove(join);
          if (joins.isEmpty()) {
            dependants.remove(range.job());
            TaskArray other = byId.get(range.job());
            if (other != null) {
              other.dependants = null;
            }
          }
        }
      }
    }
    job.graph(null);
  }

  private void addToProfile(TaskArray job, boolean settled) {
    for (TaskState state : TaskState.values()) {
      if (state.isSettled() == settled && job.count(state) > 0) {
        profiles.onTasksAdded(job.project(), state, job.count(state));
      }
    }
  }
}
