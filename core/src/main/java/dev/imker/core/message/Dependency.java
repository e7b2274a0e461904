package dev.imker.core.message;

import dev.imker.model.TaskRange;
import java.util.List;

/** What the tasks of a stage wait for. Stages are meant by their position in the job. */
public sealed interface Dependency {
  /**
   * Every task waits for all tasks of a stage.
   *
   * @param any whether it is enough that they have ended, however that was
   */
  record All(int stage, boolean any) implements Dependency {
    public All(int stage) {
      this(stage, false);
    }
  }

  /** The n-th task waits for the n-th of a stage with the same number of tasks. */
  record Each(int stage) implements Dependency {}

  /**
   * A task waits for those tasks of a stage that are in the same group.
   *
   * @param groupOfBefore group of every task of that stage; −1 for those nobody waits for
   * @param groupOfAfter group of every task that waits; −1 for those that have none to wait for
   */
  record Grouped(int stage, int groups, int[] groupOfBefore, int[] groupOfAfter)
      implements Dependency {}

  /**
   * Every task waits for all of these tasks of other jobs.
   *
   * @param tasks empty if it is not known yet which these are: then they wait until it is
   * @param any whether it is enough that they have ended, however that was
   */
  record Tasks(List<TaskRange> tasks, boolean any) implements Dependency {
    public Tasks(List<TaskRange> tasks) {
      this(tasks, false);
    }

    public Tasks {
      tasks = List.copyOf(tasks);
    }
  }
}
