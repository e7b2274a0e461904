package dev.imker.core.internal.tasks;

import dev.imker.core.message.Dependency;
import dev.imker.model.TaskState;

/**
 * Tasks that share values of parameters belong together. A group is a node between its earlier and
 * its later tasks; its members are kept as in a sparse matrix: all members one group after the
 * other, and where each group begins.
 */
final class ParamsLink implements GroupLink {
  private final TaskArray job;
  private final StageTasks before;
  private final StageTasks after;
  private final Dependency.Grouped groups;
  private final int[] missing;
  private final int[] failed;
  private final int[] laterStart;
  private final int[] later;
  private final int[] earlierStart;
  private final int[] earlier;

  ParamsLink(TaskArray job, StageTasks before, StageTasks after, Dependency.Grouped groups) {
    this.job = job;
    this.before = before;
    this.after = after;
    this.groups = groups;
    missing = new int[groups.groups()];
    failed = new int[groups.groups()];
    laterStart = starts(groups.groupOfAfter(), groups.groups());
    later = members(groups.groupOfAfter(), laterStart, after.first);
    earlierStart = starts(groups.groupOfBefore(), groups.groups());
    earlier = members(groups.groupOfBefore(), earlierStart, before.first);
    for (int i = before.first; i < before.end; i++) {
      count(i, job.state(i), 1);
    }
  }

  private static int[] starts(int[] groupOf, int groups) {
    int[] starts = new int[groups + 1];
    for (int group : groupOf) {
      if (group >= 0) {
        starts[group + 1]++;
      }
    }
    for (int i = 0; i < groups; i++) {
      starts[i + 1] += starts[i];
    }
    return starts;
  }

  private static int[] members(int[] groupOf, int[] starts, int firstTask) {
    int[] next = starts.clone();
    int[] members = new int[starts[starts.length - 1]];
    for (int i = 0; i < groupOf.length; i++) {
      if (groupOf[i] >= 0) {
        members[next[groupOf[i]]++] = firstTask + i;
      }
    }
    return members;
  }

  @Override
  public StageTasks before() {
    return before;
  }

  @Override
  public StageTasks after() {
    return after;
  }

  @Override
  public boolean isComplete(int index) {
    int group = groupOfAfter(index);
    return group < 0 || missing[group] == 0;
  }

  @Override
  public boolean isBroken(int index) {
    int group = groupOfAfter(index);
    return group >= 0 && failed[group] > 0;
  }

  @Override
  public int culprit(int index) {
    int group = groupOfAfter(index);
    for (int i = group < 0 ? 0 : earlierStart[group];
        group >= 0 && i < earlierStart[group + 1];
        i++) {
      if (TaskGraph.isLostFor(job.state(earlier[i]))) {
        return earlier[i];
      }
    }
    return -1;
  }

  @Override
  public void moved(int from, int toExclusive, TaskState was, TaskState is, RecheckList recheck) {
    for (int i = from; i < toExclusive; i++) {
      int group = groups.groupOfBefore()[i - before.first];
      if (group >= 0) {
        boolean complete = missing[group] == 0;
        boolean broken = failed[group] > 0;
        count(i, was, -1);
        count(i, is, 1);
        if (complete != (missing[group] == 0) || broken != failed[group] > 0) {
          recheckGroup(group, recheck);
        }
      }
    }
  }

  private void recheckGroup(int group, RecheckList recheck) {
    int start = laterStart[group];
    for (int i = start; i < laterStart[group + 1]; i++) {
      boolean runEnds = i + 1 == laterStart[group + 1] || later[i + 1] != later[i] + 1;
      if (runEnds) {
        recheck.add(later[start], later[i] + 1);
        start = i + 1;
      }
    }
  }

  private void count(int index, TaskState state, int by) {
    int group = groups.groupOfBefore()[index - before.first];
    if (group >= 0) {
      missing[group] += state == TaskState.DONE ? 0 : by;
      failed[group] += TaskGraph.isLostFor(state) ? by : 0;
    }
  }

  private int groupOfAfter(int index) {
    return groups.groupOfAfter()[index - after.first];
  }
}
