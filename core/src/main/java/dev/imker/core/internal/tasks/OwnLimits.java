package dev.imker.core.internal.tasks;

import dev.imker.core.message.JobHeader;
import dev.imker.model.job.TaskLimits;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Limits of single tasks of a job; most jobs have none, so tasks carry nothing for it. */
public final class OwnLimits {
  public static final OwnLimits NONE = new OwnLimits(List.of(), new int[0][]);

  private final List<TaskLimits> all;

  /** Requirement classes of pinned tasks, by segment and number of the stage; −1 for others. */
  private final int[][] classes;

  public OwnLimits(List<TaskLimits> all, int[][] classes) {
    this.all = all;
    this.classes = classes;
  }

  /** Whether limits are in order and apart, and none of them is absurd. */
  public static boolean areValid(List<TaskLimits> limits) {
    int end = 0;
    for (TaskLimits one : limits) {
      Integer priority = one.priority();
      Integer failures = one.maxFailures();
      Long runtime = one.maxRuntimeMillis();
      if (one.from() < end
          || (priority != null && !JobHeader.isPriority(priority))
          || (failures != null && failures <= 0)
          || (runtime != null && runtime < 0)) {
        return false;
      }
      end = one.toExclusive();
    }
    return true;
  }

  @Nullable TaskLimits of(int index) {
    int segment = segment(index);
    return segment < all.size() && all.get(segment).from() <= index ? all.get(segment) : null;
  }

  /** The first segment that ends behind a task. */
  private int segment(int index) {
    int low = 0;
    int high = all.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (all.get(middle).toExclusive() <= index) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The requirement class of a pinned task; −1 if it is not pinned by itself. */
  int requirementClass(int index, StageTasks stage) {
    TaskLimits own = of(index);
    return own == null || own.pin() == null || stage.header().isGang()
        ? -1
        : classes[segment(index)][stage.number];
  }

  /** Adds all classes that pinned tasks have. */
  void addClasses(BitSet used) {
    for (int[] ofSegment : classes) {
      for (int number : ofSegment) {
        if (number >= 0) {
          used.set(number);
        }
      }
    }
  }

  /** End of the tasks from one on that have the same limits. */
  public int endOfSame(int index, int end) {
    int segment = segment(index);
    if (segment == all.size()) {
      return end;
    }
    TaskLimits limits = all.get(segment);
    return Math.min(end, index < limits.from() ? limits.from() : limits.toExclusive());
  }
}
