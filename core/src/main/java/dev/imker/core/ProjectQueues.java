package dev.imker.core;

import dev.imker.core.profile.ProjectProfile;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A project's READY tasks by requirement class, and its profile. */
final class ProjectQueues {
  private final ProjectProfile profile;
  private final UserShare user;
  private final List<@Nullable ClassQueues> byClass = new ArrayList<>();
  private final BitSet readyClasses = new BitSet();
  private int ready;

  ProjectQueues(ProjectProfile profile, UserShare user) {
    this.profile = profile;
    this.user = user;
  }

  /** What its user has running in all projects. */
  UserShare user() {
    return user;
  }

  ProjectProfile profile() {
    return profile;
  }

  int index() {
    return profile.index();
  }

  int ready() {
    return ready;
  }

  boolean fits(BitSet classes) {
    return readyClasses.intersects(classes);
  }

  /** Returns whether the class had no READY task before. */
  boolean append(TaskArray job, StageTasks stage, int from, int toExclusive, long stamp) {
    int number = stage.requirementClass;
    boolean wasEmpty = !readyClasses.get(number);
    queues(number).append(job.priority(), job, stage, from, toExclusive, stamp);
    readyClasses.set(number);
    ready += toExclusive - from;
    return wasEmpty;
  }

  /** Removes what is queued of a stage's tasks from..to; returns whether that emptied the class. */
  boolean remove(TaskArray job, StageTasks stage, int from, int toExclusive) {
    ClassQueues queues = queues(stage.requirementClass);
    int removed = queues.remove(job.priority(), stage, from, toExclusive);
    ready -= removed;
    return removed > 0 && emptied(stage.requirementClass, queues);
  }

  /** Takes the first task of a range that {@link #best} brought; see {@link #isEmpty(int)}. */
  int take(ReadyRange range) {
    int number = range.stage.requirementClass;
    ClassQueues queues = queues(number);
    int index = queues.take(range);
    ready--;
    emptied(number, queues);
    return index;
  }

  boolean isEmpty(int requirementClass) {
    return !readyClasses.get(requirementClass);
  }

  /** Of the classes that fit: the one with the highest priority, and then the longest waiting. */
  @Nullable ClassQueues best(BitSet classes) {
    ClassQueues best = null;
    for (int number = readyClasses.nextSetBit(0);
        number >= 0;
        number = readyClasses.nextSetBit(number + 1)) {
      if (classes.get(number)) {
        ClassQueues queues = queues(number);
        if (best == null || isBefore(queues, best)) {
          best = queues;
        }
      }
    }
    return best;
  }

  /** Queues by requirement class; null where there never was one. */
  List<@Nullable ClassQueues> classes() {
    return byClass;
  }

  /** Where a READY task stands; null if it is not queued. Costs as much as there are ranges. */
  @Nullable QueuePlace place(TaskArray job, int index) {
    ReadyRange own = job.stage(index).firstRange();
    while (own != null && (index < own.from || index >= own.toExclusive)) {
      own = own.afterInStage;
    }
    if (own == null) {
      return null;
    }
    int higher = 0;
    int same = index - own.from;
    for (ClassQueues queues : byClass) {
      for (int p = job.priority(); queues != null && p < JobHeader.PRIORITIES; p++) {
        ReadyQueue queue = queues.queue(p);
        for (ReadyRange range = queue == null ? null : queue.head(); range != null; ) {
          if (p > job.priority()) {
            higher += range.size();
          } else if (range.isBefore(own)) {
            same += range.size();
          }
          range = range.after;
        }
      }
    }
    return new QueuePlace(job.priority(), higher, same);
  }

  private static boolean isBefore(ClassQueues one, ClassQueues other) {
    int byPriority = Integer.compare(one.topPriority(), other.topPriority());
    return byPriority != 0 ? byPriority > 0 : one.topStamp() < other.topStamp();
  }

  private boolean emptied(int number, ClassQueues queues) {
    if (queues.size() > 0) {
      return false;
    }
    readyClasses.clear(number);
    return true;
  }

  private ClassQueues queues(int number) {
    while (byClass.size() <= number) {
      byClass.add(null);
    }
    ClassQueues queues = byClass.get(number);
    if (queues == null) {
      queues = new ClassQueues();
      byClass.set(number, queues);
    }
    return queues;
  }
}
