package dev.imker.core.internal.queues;

import dev.imker.core.internal.tasks.OwnLimits;
import dev.imker.core.internal.tasks.ReadyRange;
import dev.imker.core.internal.tasks.StageTasks;
import dev.imker.core.internal.tasks.TaskArray;
import dev.imker.core.internal.tasks.UserShare;
import dev.imker.core.message.JobHeader;
import dev.imker.core.message.QueuePlace;
import dev.imker.core.profile.PoolProfile;
import dev.imker.core.profile.ProjectProfile;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskState;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * All READY tasks, by project. The version changes whenever a project gets or loses its last READY
 * task of a requirement class: as long as it stays, so does the list of projects that fit a node.
 */
public final class ReadyWork {
  private static final long NEW = -1;

  /** How many changes are kept for those who follow them. */
  private static final int KEPT_CHANGES = 64;

  private final PoolProfile profiles;
  private final List<ProjectQueues> projects = new ArrayList<>();
  private final BitSet readyProjects = new BitSet();
  private final Map<String, UserShare> users = new HashMap<>();
  private final Map<UserShare, List<ProjectQueues>> byUser = new HashMap<>();
  private final int[] readyByPriority = new int[JobHeader.PRIORITIES];
  private final ClassesInPlay inPlay = new ClassesInPlay();
  private final @Nullable ProjectQueues[] changes = new ProjectQueues[KEPT_CHANGES];
  private int total;
  private long grants;
  private long version;
  private long lastStamp;

  public ReadyWork(PoolProfile profiles) {
    this.profiles = profiles;
  }

  public int total() {
    return total;
  }

  /** How many tasks were handed out so far. */
  public long grants() {
    return grants;
  }

  /** Whether all READY tasks are equally urgent. */
  boolean hasOnePriority() {
    int used = 0;
    for (int tasks : readyByPriority) {
      used += tasks > 0 ? 1 : 0;
    }
    return used < 2;
  }

  public int[] readyByPriority() {
    return readyByPriority.clone();
  }

  public long version() {
    return version;
  }

  public List<ProjectQueues> projects() {
    return projects;
  }

  public ProjectQueues project(ProjectId id) {
    int index = profiles.project(id).index();
    for (int i = projects.size(); i <= index; i++) {
      ProjectProfile profile = profiles.project(i);
      UserShare user = user(profile.project().user());
      ProjectQueues queues = new ProjectQueues(profile, user, readyByPriority, inPlay);
      projects.add(queues);
      byUser.computeIfAbsent(user, _ -> new ArrayList<>()).add(queues);
    }
    return projects.get(index);
  }

  /** The position of a READY task in the queue of its project; null if it is not READY. */
  public @Nullable QueuePlace place(TaskArray job, int index) {
    return queues(job).place(job, index);
  }

  private ProjectQueues queues(TaskArray job) {
    return projects.get(job.project().index());
  }

  public boolean knowsUser(String name) {
    return users.containsKey(name);
  }

  public UserShare user(String name) {
    return users.computeIfAbsent(name, user -> new UserShare());
  }

  /** Changes the number of running tasks of a stage. */
  public void ran(TaskArray job, StageTasks stage, int tasks) {
    UserShare user = job.user();
    boolean wasFull = user.isFull();
    user.ran(tasks);
    filled(user, wasFull);
    stage.open += tasks;
    if (tasks < 0) {
      release(job, stage);
    }
  }

  /** Changes the number of running tasks of a user that wait for others. */
  public void waits(String user, int tasks) {
    UserShare share = user(user);
    boolean wasFull = share.isFull();
    share.waits(tasks);
    filled(share, wasFull);
  }

  public void quota(String user, int slots) {
    UserShare share = user(user);
    boolean wasFull = share.isFull();
    share.most(slots);
    filled(share, wasFull);
  }

  /** Stops handing out tasks of a job, whatever becomes READY. */
  public void holdBack(TaskArray job) {
    remove(job, 0, job.size());
    job.heldBack = true;
  }

  /** The end of {@link #holdBack}. */
  public void letGo(TaskArray job) {
    job.heldBack = false;
    appendReady(job);
  }

  /** Queues all READY tasks of a job. */
  public void appendReady(TaskArray job) {
    for (int from = 0; from < job.size(); ) {
      int end = job.endOfRun(from, job.size());
      if (job.state(from) == TaskState.READY) {
        append(job, from, end);
      }
      from = end;
    }
  }

  public void append(TaskArray job, int from, int toExclusive) {
    if (job.heldBack) {
      return;
    }
    StageTasks stage = job.stage(from);
    if (toExclusive <= stage.end) {
      append(job, stage, from, toExclusive);
      return;
    }
    for (int next = from; next < toExclusive; next = stage.end) {
      stage = job.stage(next);
      append(job, stage, next, Math.min(stage.end, toExclusive));
    }
  }

  private void append(TaskArray job, StageTasks stage, int from, int toExclusive) {
    append(job, stage, from, toExclusive, NEW);
  }

  /**
   * @param oldStamp tells when they were queued first; {@link #NEW}: now
   */
  private void append(TaskArray job, StageTasks stage, int from, int toExclusive, long oldStamp) {
    ProjectQueues project = queues(job);
    total += toExclusive - from;
    if (project.ready() == 0) {
      project.servedAt(grants);
    }
    for (int next = from; next < toExclusive; ) {
      int end = job.endOfSameGrowth(next, job.own.endOfSame(next, toExclusive));
      int room = stage.room();
      boolean held = room == 0;
      end = held || end - next <= room ? end : next + room;
      long stamp = oldStamp == NEW ? ++lastStamp : oldStamp;
      add(new ReadyRange(job, stage, next, end, stamp, held));
      next = end;
    }
  }

  private void add(ReadyRange range) {
    ProjectQueues project = queues(range.job);
    if (project.add(range)) {
      readyProjects.set(project.index());
      changed(project);
    }
  }

  /**
   * Lets as many tasks of a stage with a limit be handed out as it has room for. They go by the
   * time at which they were queued first: it was their stage's turn before. Costs as much as the
   * limit at most, whatever the number of tasks.
   */
  private void release(TaskArray job, StageTasks stage) {
    ReadyRange range = stage.room() == Integer.MAX_VALUE ? null : stage.firstRange();
    while (range != null && stage.room() > 0) {
      ReadyRange next = range.afterInStage;
      if (range.isHeld()) {
        int from = range.from;
        int end = from + Math.min(stage.room(), range.size());
        if (queues(job).cut(range, from, end)) {
          changed(queues(job));
        }
        add(new ReadyRange(job, stage, from, end, range.stamp, false));
      }
      range = next;
    }
  }

  public void remove(TaskArray job, int from, int toExclusive) {
    if (job.heldBack) {
      return;
    }
    StageTasks stage = job.stage(from);
    remove(job, stage, from, Math.min(stage.end, toExclusive));
    for (int next = stage.end; next < toExclusive; next = stage.end) {
      stage = job.stage(next);
      remove(job, stage, next, Math.min(stage.end, toExclusive));
    }
  }

  private void remove(TaskArray job, StageTasks stage, int from, int toExclusive) {
    ProjectQueues project = queues(job);
    int before = project.ready();
    boolean emptied = project.remove(stage, from, toExclusive);
    total -= before - project.ready();
    if (emptied) {
      emptied(project);
    }
    release(job, stage);
  }

  public int take(ReadyRange range) {
    ProjectQueues project = queues(range.job);
    int index = project.take(range);
    total--;
    project.servedAt(++grants);
    if (project.isEmpty(range.requirementClass)) {
      emptied(project);
    }
    return index;
  }

  /** Requeues a job's READY tasks under another priority. */
  public void changePriority(TaskArray job, int priority) {
    List<ReadyRange> ranges = new ArrayList<>();
    for (StageTasks stage : job.stages()) {
      ranges.addAll(takeOut(job, stage));
    }
    job.priority(priority);
    for (ReadyRange range : ranges) {
      append(job, range.stage, range.from, range.toExclusive);
    }
  }

  /** Requeues a stage's READY tasks, which ask for other amounts now. */
  public void requeue(TaskArray job, StageTasks stage) {
    for (ReadyRange range : takeOut(job, stage)) {
      append(job, stage, range.from, range.toExclusive, range.stamp);
    }
  }

  /** Requeues a stage's READY tasks under another requirement class. */
  public void changeClass(TaskArray job, StageTasks stage, int requirementClass) {
    List<ReadyRange> ranges = takeOut(job, stage);
    stage.requirementClass = requirementClass;
    for (ReadyRange range : ranges) {
      append(job, stage, range.from, range.toExclusive);
    }
  }

  /** Requeues a job's READY tasks under what single ones have of their own. */
  public void changeOwn(TaskArray job, OwnLimits own) {
    List<ReadyRange> ranges = new ArrayList<>();
    for (StageTasks stage : job.stages()) {
      ranges.addAll(takeOut(job, stage));
    }
    job.own = own;
    for (ReadyRange range : ranges) {
      append(job, range.stage, range.from, range.toExclusive);
    }
  }

  private List<ReadyRange> takeOut(TaskArray job, StageTasks stage) {
    List<ReadyRange> ranges = new ArrayList<>();
    for (ReadyRange range = stage.firstRange(); range != null; range = range.afterInStage) {
      ranges.add(new ReadyRange(job, stage, range.from, range.toExclusive, range.stamp, false));
    }
    if (!ranges.isEmpty()) {
      remove(job, stage, stage.first, stage.end);
    }
    return ranges;
  }

  /** Fills the list with the projects that have a READY task of one of the classes. */
  void collect(BitSet classes, Candidates fitting) {
    fitting.clear();
    for (int i = readyProjects.nextSetBit(0); i >= 0; i = readyProjects.nextSetBit(i + 1)) {
      ProjectQueues project = projects.get(i);
      if (project.hasWork(classes)) {
        fitting.add(project);
      }
    }
  }

  /** The classes that have READY tasks whose user may run more; not to be changed. */
  public BitSet inPlay() {
    return inPlay.any();
  }

  /** Whether {@link #changed(long)} knows all that has changed since a version. */
  boolean hasChangesSince(long before) {
    return version - before <= KEPT_CHANGES;
  }

  /** The project whose classes with READY tasks changed after a version. */
  ProjectQueues changed(long before) {
    return Objects.requireNonNull(changes[(int) (before % KEPT_CHANGES)]);
  }

  private void changed(ProjectQueues project) {
    changes[(int) (version++ % KEPT_CHANGES)] = project;
  }

  /** A user has left or reached a quota, which changes the projects with work. */
  private void filled(UserShare user, boolean wasFull) {
    if (wasFull == user.isFull()) {
      return;
    }
    for (ProjectQueues project : byUser.getOrDefault(user, List.of())) {
      if (project.ready() > 0) {
        project.filled();
        changed(project);
      }
    }
  }

  private void emptied(ProjectQueues project) {
    changed(project);
    if (project.ready() == 0) {
      readyProjects.clear(project.index());
    }
  }
}
