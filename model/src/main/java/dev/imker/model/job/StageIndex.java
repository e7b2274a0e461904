package dev.imker.model.job;

import java.util.Arrays;
import java.util.List;

/**
 * Finds the stage of a task quickly, even in a job of many stages. Created once per job, because
 * {@link JobSpec#stageNumberOf} counts every time.
 */
public final class StageIndex {
  private final List<Stage> stages;
  private final int[] firsts;
  private final int taskCount;

  private StageIndex(List<Stage> stages, int[] firsts, int taskCount) {
    this.stages = stages;
    this.firsts = firsts;
    this.taskCount = taskCount;
  }

  public static StageIndex of(JobSpec spec) {
    List<Stage> stages = spec.stages();
    int[] firsts = new int[stages.size()];
    long next = 0;
    for (int i = 0; i < firsts.length; i++) {
      firsts[i] = Math.toIntExact(next);
      next += stages.get(i).taskCount();
    }
    return new StageIndex(stages, firsts, Math.toIntExact(next));
  }

  public int taskCount() {
    return taskCount;
  }

  /** Position of the stage that a task belongs to. */
  public int numberOf(int index) {
    if (index < 0 || index >= taskCount) {
      throw new IndexOutOfBoundsException("no task " + index);
    }
    if (firsts.length == 1) {
      return 0;
    }
    int found = Arrays.binarySearch(firsts, index);
    // Every stage has at least one task, so no two begin at the same one.
    return found >= 0 ? found : -found - 2;
  }

  public Stage stageOf(int index) {
    return stages.get(numberOf(index));
  }

  /** Index of the first task of a stage. */
  public int firstOf(int stageNumber) {
    return firsts[stageNumber];
  }

  /** Index after the last task of a stage. */
  public int endOf(int stageNumber) {
    return stageNumber + 1 < firsts.length ? firsts[stageNumber + 1] : taskCount;
  }

  /** The parameter values of one task, in the order of its stage's axes. */
  public List<String> params(int index) {
    int stage = numberOf(index);
    return stages.get(stage).params(index - firsts[stage]);
  }
}
