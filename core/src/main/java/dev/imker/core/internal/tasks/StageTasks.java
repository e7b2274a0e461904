package dev.imker.core.internal.tasks;

import dev.imker.core.message.StageHeader;
import dev.imker.model.job.TaskRules;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** The tasks first..end of one stage of a job: what is the same for all of them. */
public final class StageTasks {
  public final int number;
  public final int first;
  public final int end;
  private StageHeader header;
  private @Nullable ReadyRange firstRange;
  private @Nullable ReadyRange lastRange;

  /** Tasks of the same class can run on the same nodes. */
  public int requirementClass;

  /** The class of each task, where it depends on earlier attempts; null: the same for all. */
  public @Nullable IntUnaryOperator growing;

  /** Bytes of memory that tasks are queued with whose memory is left to the pool. */
  public long memoryEstimate;

  /** The class that tasks of a gang would have if they were handed out one by one. */
  public int gangClass;

  int maxFailures;
  long maxRuntimeMillis;

  /** Tasks that run or may be handed out: of a stage with a limit at most so many. */
  public int open;

  /** Whether it is not yet time for its tasks to begin. */
  public boolean early;

  public StageTasks(int number, int first, StageHeader header, int requirementClass) {
    this.number = number;
    this.first = first;
    this.end = first + header.taskCount();
    this.header = header;
    this.requirementClass = requirementClass;
    this.maxFailures = header.rules().maxFailures();
    this.maxRuntimeMillis = header.rules().maxRuntimeMillis();
    this.early = header.rules().startMillis() > 0;
  }

  /** Changes what may be changed while tasks run. */
  public void change(StageHeader next) {
    if (next.taskCount() != header.taskCount()) {
      throw new IllegalArgumentException("a stage keeps its number of tasks");
    }
    header = next;
    maxFailures = next.rules().maxFailures();
    maxRuntimeMillis = next.rules().maxRuntimeMillis();
  }

  public StageHeader header() {
    return header;
  }

  /** Equal results of different nodes before one counts; {@link TaskRules#ADAPTIVE} is a choice. */
  public int quorum() {
    return header.rules().quorum();
  }

  /** Copies would run beyond a limit. */
  public boolean speculative() {
    return header.rules().speculative() && header.rules().atMost() == 0;
  }

  /** How many more tasks may be handed out. */
  public int room() {
    int most = header.rules().atMost();
    if (early) {
      return 0;
    }
    return most == 0 ? Integer.MAX_VALUE : Math.max(0, most - open);
  }

  /** Whether a READY task waits until there is room for it. */
  public boolean holdsBack(int index) {
    ReadyRange range = room() > 0 ? null : firstRange;
    while (range != null && (index < range.from || index >= range.toExclusive)) {
      range = range.afterInStage;
    }
    return range != null && range.isHeld();
  }

  /** Its first queued range; the others follow with {@link ReadyRange#afterInStage}. */
  public @Nullable ReadyRange firstRange() {
    return firstRange;
  }

  public void linkRange(ReadyRange range) {
    ReadyRange last = lastRange;
    range.beforeInStage = last;
    lastRange = range;
    if (last == null) {
      firstRange = range;
    } else {
      last.afterInStage = range;
    }
  }

  public void unlinkRange(ReadyRange range) {
    ReadyRange before = range.beforeInStage;
    ReadyRange after = range.afterInStage;
    if (before == null) {
      firstRange = after;
    } else {
      before.afterInStage = after;
    }
    if (after == null) {
      lastRange = before;
    } else {
      after.beforeInStage = before;
    }
  }
}
