package dev.imker.core.internal.tasks;

import dev.imker.core.message.Dependency;
import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskRange;
import dev.imker.model.TaskState;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the tasks of a job wait for. Between stages there are {@link Join}s, where all wait for all,
 * and {@link GroupLink}s; what is kept grows with the number of tasks, never with that of their
 * pairs. It is built from the states that tasks have, so that nothing of it needs to be stored.
 */
public final class TaskGraph {
  private static final class Links {
    final List<Join> joinsIn = new ArrayList<>();
    final List<GroupLink> groupsIn = new ArrayList<>();
    final List<Join> joinsOut = new ArrayList<>();
    final List<GroupLink> groupsOut = new ArrayList<>();
    int incomplete;
    int unended;
    int broken;

    void count(Join join) {
      int change = (join.isComplete() ? 0 : 1) - (join.countedIncomplete ? 1 : 0);
      incomplete += join.any() ? 0 : change;
      unended += join.any() ? change : 0;
      broken += (join.isBroken() ? 1 : 0) - (join.countedBroken ? 1 : 0);
      join.countedIncomplete = !join.isComplete();
      join.countedBroken = join.isBroken();
    }
  }

  /** The other jobs in memory. */
  public interface Jobs {
    /** Null if there is none of that number. */
    @Nullable TaskArray get(JobId id);
  }

  /** Takes note of tasks whose predecessors changed. */
  public interface Rechecks {
    void recheck(TaskArray job, int from, int toExclusive);
  }

  private final TaskArray job;
  private final Jobs jobs;
  private final Links[] links;
  private final List<ForeignJoin> foreign = new ArrayList<>();

  /** A join of tasks of other jobs. */
  public record ForeignJoin(TaskGraph graph, Join join, List<TaskRange> tasks) {
    /** Tasks of one of the other jobs changed. */
    public void moved(
        TaskArray other,
        int from,
        int toExclusive,
        TaskState before,
        TaskState after,
        Rechecks found) {
      int moved = 0;
      for (TaskRange range : tasks) {
        moved += range.job().equals(other.id()) ? range.overlap(from, toExclusive) : 0;
      }
      if (moved > 0 && join.moved(moved, before, after)) {
        graph.joinChanged(join, found);
      }
    }
  }

  public TaskGraph(TaskArray job, Jobs jobs) {
    this.job = job;
    this.jobs = jobs;
    StageTasks[] stages = job.stages();
    links = new Links[stages.length];
    for (int i = 0; i < links.length; i++) {
      links[i] = new Links();
    }
    for (StageTasks stage : stages) {
      for (Dependency dependency : stage.header().after()) {
        link(stage, dependency);
      }
    }
    for (Links own : links) {
      own.joinsIn.forEach(own::count);
    }
  }

  /** Whether a task in this state stands in the way of those that wait for it. */
  static boolean isLostFor(TaskState state) {
    return state.isSettled() && state != TaskState.DONE;
  }

  public List<ForeignJoin> foreign() {
    return foreign;
  }

  private void link(StageTasks stage, Dependency dependency) {
    StageTasks[] stages = job.stages();
    switch (dependency) {
      case Dependency.All all -> {
        Join join = new Join(stage, all.any());
        StageTasks before = stages[all.stage()];
        join.add(job, before.first, before.end);
        links[stage.number].joinsIn.add(join);
        links[before.number].joinsOut.add(join);
      }
      case Dependency.Each each -> link(new EachLink(job, stages[each.stage()], stage));
      case Dependency.Grouped grouped ->
          link(new ParamsLink(job, stages[grouped.stage()], stage, grouped));
      case Dependency.Tasks tasks -> {
        Join join = new Join(stage, tasks.any());
        join.addMissing(tasks.tasks().isEmpty() ? 1 : 0);
        tasks.tasks().forEach(range -> count(join, range));
        links[stage.number].joinsIn.add(join);
        foreign.add(new ForeignJoin(this, join, tasks.tasks()));
      }
    }
  }

  private void link(GroupLink link) {
    links[link.after().number].groupsIn.add(link);
    links[link.before().number].groupsOut.add(link);
  }

  private void count(Join join, TaskRange range) {
    TaskArray other = jobs.get(range.job());
    if (other == null) { // the caller brings back what is needed, so it is gone for good
      join.addMissing(1);
    } else {
      join.add(
          other, Math.min(range.from(), other.size()), Math.min(range.toExclusive(), other.size()));
    }
  }

  public boolean isUnmet(int index) {
    return links[job.stage(index).number].unended > 0 || lacksResults(index);
  }

  /** Whether something that a task waits for is not done; what only had to end does not count. */
  public boolean lacksResults(int index) {
    Links own = links[job.stage(index).number];
    if (own.incomplete > 0) {
      return true;
    }
    for (GroupLink link : own.groupsIn) {
      if (!link.isComplete(index)) {
        return true;
      }
    }
    return false;
  }

  /** Whether a task waits for something that will not be done. */
  public boolean isBroken(int index) {
    Links own = links[job.stage(index).number];
    if (own.broken > 0) {
      return true;
    }
    for (GroupLink link : own.groupsIn) {
      if (link.isBroken(index)) {
        return true;
      }
    }
    return false;
  }

  /** Whether all tasks of a stage wait for the same. */
  public boolean isUniform(StageTasks stage) {
    return links[stage.number].groupsIn.isEmpty();
  }

  /** A task that will not be done and that the given one waits for; null if there is none. */
  public @Nullable TaskId culprit(int index) {
    StageTasks stage = job.stage(index);
    for (Dependency dependency : stage.header().after()) {
      TaskId found =
          switch (dependency) {
            case Dependency.All all when !all.any() ->
                lost(job, job.stages()[all.stage()].first, job.stages()[all.stage()].end);
            case Dependency.Tasks tasks when !tasks.any() -> lost(tasks.tasks());
            default -> null;
          };
      if (found != null) {
        return found;
      }
    }
    for (GroupLink link : links[stage.number].groupsIn) {
      int found = link.culprit(index);
      if (found >= 0) {
        return job.task(found);
      }
    }
    return null;
  }

  private @Nullable TaskId lost(List<TaskRange> ranges) {
    for (TaskRange range : ranges) {
      TaskArray other = jobs.get(range.job());
      TaskId found =
          other == null
              ? null
              : lost(
                  other,
                  Math.min(range.from(), other.size()),
                  Math.min(range.toExclusive(), other.size()));
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static @Nullable TaskId lost(TaskArray from, int first, int end) {
    for (int i = first; i < end; i = from.endOfRun(i, end)) {
      if (isLostFor(from.state(i))) {
        return from.task(i);
      }
    }
    return null;
  }

  /** Tasks of this job changed; notes those of it that this may matter to. */
  public void moved(int from, int toExclusive, TaskState before, TaskState after, Rechecks found) {
    for (int next = from; next < toExclusive; ) {
      StageTasks stage = job.stage(next);
      int end = Math.min(stage.end, toExclusive);
      Links own = links[stage.number];
      for (Join join : own.joinsOut) {
        if (join.moved(end - next, before, after)) {
          joinChanged(join, found);
        }
      }
      for (GroupLink link : own.groupsOut) {
        link.moved(next, end, before, after, (f, t) -> found.recheck(job, f, t));
      }
      next = end;
    }
  }

  private void joinChanged(Join join, Rechecks found) {
    Links own = links[join.stage.number];
    boolean wasBroken = own.broken > 0;
    own.count(join);
    if (own.incomplete + own.unended == 0 || wasBroken != own.broken > 0) {
      found.recheck(job, join.stage.first, join.stage.end);
    }
  }
}
