package dev.imker.core.internal.queues;

import dev.imker.core.internal.tasks.ReadyRange;
import dev.imker.core.internal.tasks.StageTasks;
import dev.imker.core.internal.tasks.TaskArray;
import dev.imker.core.internal.tasks.UserShare;
import dev.imker.core.message.JobHeader;
import dev.imker.core.message.QueuePlace;
import dev.imker.core.profile.ProjectProfile;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A project's READY tasks by requirement class, and its profile. */
public final class ProjectQueues {
  /** How many of a project's tasks go by priority until one goes by age alone. */
  static final int BY_AGE = 16;

  private final ProjectProfile profile;
  private final UserShare user;
  private final List<@Nullable ClassQueues> byClass = new ArrayList<>();
  private final BitSet readyClasses = new BitSet();
  private final int[] readyByPriority;
  private final ClassesInPlay inPlay;
  private int ready;
  private long servedAt;
  private int served;

  /**
   * @param readyByPriority counts the READY tasks of all projects
   * @param inPlay counts the projects that have READY tasks of a class
   */
  ProjectQueues(
      ProjectProfile profile, UserShare user, int[] readyByPriority, ClassesInPlay inPlay) {
    this.profile = profile;
    this.user = user;
    this.readyByPriority = readyByPriority;
    this.inPlay = inPlay;
  }

  /** The number of grants in the pool when this project got its last one, or its first task. */
  long servedAt() {
    return servedAt;
  }

  void servedAt(long grants) {
    servedAt = grants;
  }

  /** The running work of its user in all projects. */
  public UserShare user() {
    return user;
  }

  public ProjectProfile profile() {
    return profile;
  }

  public int index() {
    return profile.index();
  }

  public int ready() {
    return ready;
  }

  /** Whether it has a READY task of one of the classes. */
  public boolean fits(BitSet classes) {
    return readyClasses.intersects(classes);
  }

  /** Whether it has a READY task of one of the classes that its user may run. */
  boolean hasWork(BitSet classes) {
    return !user.isFull() && fits(classes);
  }

  /** Its user has left or reached a quota. */
  void filled() {
    readyClasses.stream().forEach(user.isFull() ? inPlay::remove : inPlay::add);
  }

  /**
   * Queues tasks that all have the same limits; returns whether their class had no READY task
   * before.
   */
  boolean add(ReadyRange range) {
    boolean wasEmpty = isEmpty(range.requirementClass);
    ready += range.size();
    readyByPriority[range.priority] += range.size();
    range.stage.open += range.isHeld() ? 0 : range.size();
    queues(range.requirementClass).add(range);
    readyClasses.set(range.requirementClass);
    if (wasEmpty && !user.isFull()) {
      inPlay.add(range.requirementClass);
    }
    return wasEmpty;
  }

  /**
   * Removes what is queued of a stage's tasks from..to; returns whether that emptied a class. Costs
   * as much as the stage has ranges.
   */
  boolean remove(StageTasks stage, int from, int toExclusive) {
    boolean anyEmptied = false;
    ReadyRange next;
    for (ReadyRange range = stage.firstRange(); range != null; range = next) {
      next = range.afterInStage;
      int first = Math.max(from, range.from);
      int end = Math.min(toExclusive, range.toExclusive);
      if (first < end) {
        anyEmptied |= cut(range, first, end);
      }
    }
    return anyEmptied;
  }

  /** Removes the tasks from..to of a range; returns whether that emptied a class. */
  boolean cut(ReadyRange range, int from, int toExclusive) {
    ClassQueues queues = queues(range.requirementClass);
    int tasks = toExclusive - from;
    queues.cut(range, from, toExclusive);
    ready -= tasks;
    readyByPriority[range.priority] -= tasks;
    range.stage.open -= range.isHeld() ? 0 : tasks;
    return emptied(range.requirementClass, queues);
  }

  /** Takes the first task of a range that {@link #best} brought; see {@link #isEmpty(int)}. */
  int take(ReadyRange range) {
    int number = range.requirementClass;
    ClassQueues queues = queues(number);
    int index = queues.take(range);
    ready--;
    served++;
    range.stage.open--;
    readyByPriority[range.priority]--;
    emptied(number, queues);
    return index;
  }

  /** The queue of a class from which the next task comes; null without one. */
  public @Nullable ReadyQueue queue(int requirementClass) {
    return isEmpty(requirementClass) ? null : queues(requirementClass).top();
  }

  public boolean isEmpty(int requirementClass) {
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

  /**
   * Where the next task comes from: of the classes that fit, the one with the highest priority and
   * then the longest waiting. Every {@value #BY_AGE}th time it is the longest waiting whatever its
   * priority, so that none waits for ever behind a stream of more urgent ones.
   */
  public @Nullable ReadyQueue nextQueue(BitSet classes) {
    ClassQueues best = best(classes);
    if (best == null) {
      return null;
    }
    return goesByAge() ? oldest(classes, best.top()) : best.top();
  }

  private boolean goesByAge() {
    return (served + 1) % BY_AGE == 0;
  }

  /**
   * Whether a task of some of the classes may be its next one: none of the others is more urgent,
   * and it is not the turn of the one that waits longest.
   */
  boolean mayPrefer(BitSet some, BitSet classes) {
    return fits(some) && !goesByAge() && topPriority(some) >= topPriority(classes);
  }

  /** All queues of the classes that fit and have tasks: by priority, then by waiting time. */
  public List<ReadyQueue> byUrgency(BitSet classes) {
    List<ReadyQueue> all = new ArrayList<>();
    for (int priority = JobHeader.PRIORITIES - 1; priority >= 0; priority--) {
      int first = all.size();
      for (int number = readyClasses.nextSetBit(0);
          number >= 0;
          number = readyClasses.nextSetBit(number + 1)) {
        ReadyQueue queue = classes.get(number) ? queues(number).queue(priority) : null;
        if (queue != null && !queue.isEmpty()) {
          all.add(queue);
        }
      }
      all.subList(first, all.size()).sort(Comparator.comparingLong(ReadyQueue::headStamp));
    }
    return all;
  }

  private ReadyQueue oldest(BitSet classes, ReadyQueue first) {
    ReadyQueue oldest = first;
    for (int number = readyClasses.nextSetBit(0);
        number >= 0;
        number = readyClasses.nextSetBit(number + 1)) {
      if (classes.get(number)) {
        ReadyQueue queue = queues(number).oldest();
        oldest = queue.headStamp() < oldest.headStamp() ? queue : oldest;
      }
    }
    return oldest;
  }

  /** The highest priority of a READY task that fits; −1 if none does. */
  int topPriority(BitSet classes) {
    ClassQueues best = best(classes);
    return best == null ? -1 : best.topPriority();
  }

  /** Queues by requirement class; null where there never was one. */
  public List<@Nullable ClassQueues> classes() {
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
      for (int p = own.priority; queues != null && p < JobHeader.PRIORITIES; p++) {
        ReadyQueue queue = queues.queue(p);
        for (ReadyRange range = queue == null ? null : queue.head(); range != null; ) {
          if (p > own.priority) {
            higher += range.size();
          } else if (range.isBefore(own)) {
            same += range.size();
          }
          range = range.after;
        }
      }
    }
    return new QueuePlace(own.priority, higher, same);
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
    if (!user.isFull()) {
      inPlay.remove(number);
    }
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
