package dev.imker.model.job;

import java.util.List;

/**
 * A submitted job, as accepted by REST and stored (as versioned JSON): one or more stages, each a
 * group of similar tasks. The tasks of a job are numbered across its stages, in their order.
 */
public record JobSpec(
    int version,
    String name,
    String project,
    JobKind kind,
    int priority,
    List<Stage> stages,
    OnFailure onFailure,
    Notices notices) {
  public static final int CURRENT_VERSION = 2;
  public static final int DEFAULT_PRIORITY = 4;

  /** The largest number of tasks of one job. */
  public static final int MAX_TASKS = 10_000_000;

  public JobSpec {
    stages = List.copyOf(stages);
    if (stages.isEmpty()) {
      throw new IllegalArgumentException("A job needs at least one stage.");
    }
  }

  /** A job of one stage with default rules. */
  public static JobSpec of(String name, String project, JobKind kind, Stage stage) {
    return of(name, project, kind, List.of(stage));
  }

  public static JobSpec of(String name, String project, JobKind kind, List<Stage> stages) {
    return new JobSpec(
        CURRENT_VERSION,
        name,
        project,
        kind,
        DEFAULT_PRIORITY,
        stages,
        OnFailure.CARRY_ON,
        Notices.NOBODY);
  }

  public JobSpec withVersion(int value) {
    return new JobSpec(value, name, project, kind, priority, stages, onFailure, notices);
  }

  public JobSpec withName(String value) {
    return new JobSpec(version, value, project, kind, priority, stages, onFailure, notices);
  }

  public JobSpec withPriority(int value) {
    return new JobSpec(version, name, project, kind, value, stages, onFailure, notices);
  }

  public JobSpec withProject(String value) {
    return new JobSpec(version, name, value, kind, priority, stages, onFailure, notices);
  }

  public JobSpec withStages(List<Stage> value) {
    return new JobSpec(version, name, project, kind, priority, value, onFailure, notices);
  }

  /** The number of tasks of all stages. */
  public long taskCount() {
    long count = 0;
    for (Stage stage : stages) {
      count = Math.addExact(count, stage.taskCount());
    }
    return count;
  }

  /** The stage a task belongs to. */
  public Stage stageOf(int index) {
    return stages.get(stageNumberOf(index));
  }

  /** The position of the stage a task belongs to. */
  public int stageNumberOf(int index) {
    long rest = index;
    for (int i = 0; i < stages.size(); i++) {
      long count = stages.get(i).taskCount();
      if (rest < count) {
        return i;
      }
      rest -= count;
    }
    throw new IndexOutOfBoundsException("no task " + index + " in job " + name);
  }

  /** The index of the first task of a stage. */
  public int firstOf(int stageNumber) {
    long first = 0;
    for (int i = 0; i < stageNumber; i++) {
      first += stages.get(i).taskCount();
    }
    return Math.toIntExact(first);
  }

  /** The parameter values of one task, in the order of its stage's axes. */
  public List<String> params(int index) {
    int stage = stageNumberOf(index);
    return stages.get(stage).params(index - firstOf(stage));
  }
}
