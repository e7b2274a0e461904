package dev.imker.store;

import dev.imker.model.AttemptOutcome;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.Change;
import dev.imker.model.change.TaskChanged;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Random but possible lives of the tasks of a job, and what must be known of them afterwards: the
 * simplest possible model of a store.
 */
public final class RandomHistory {
  private static final int MAX_COPIES = 3;

  /** What is known of one task. */
  static final class Life {
    TaskState state = TaskState.READY;
    int failures;
    int losses;
    int attempts;
    final List<Long> running = new ArrayList<>();
    final List<Long> ended = new ArrayList<>();
  }

  final Map<TaskId, Life> lives = new HashMap<>();
  private final long job;
  private final Random random;
  private final int tasks;
  private long token;

  /** Of job 1. */
  public RandomHistory(Random random, int tasks) {
    this(1, random, tasks);
  }

  public RandomHistory(long job, Random random, int tasks) {
    this.job = job;
    token = (job - 1) << 20;
    this.random = random;
    this.tasks = tasks;
  }

  public List<Change> next(int count) {
    List<Change> changes = new ArrayList<>();
    while (changes.size() < count) {
      TaskId task = TaskId.of(job, random.nextInt(tasks));
      Life life = lives.computeIfAbsent(task, id -> new Life());
      switch (life.state) {
        case READY -> changes.add(random.nextInt(8) == 0 ? settle(task, life) : start(task, life));
        case RUNNING -> changes.add(run(task, life));
        default -> changes.add(release(task, life));
      }
    }
    return changes;
  }

  private Change run(TaskId task, Life life) {
    boolean copy = life.running.size() < MAX_COPIES && random.nextInt(4) == 0;
    return copy ? start(task, life) : end(task, life);
  }

  private Change start(TaskId task, Life life) {
    long started = ++token;
    life.running.add(started);
    life.state = TaskState.RUNNING;
    life.attempts++;
    return random.nextBoolean()
        ? Samples.started(task, started, life.attempts)
        : Samples.copy(task, started, life.attempts);
  }

  /** Any of the copies ends; the last one decides what becomes of the task. */
  private Change end(TaskId task, Life life) {
    long which = life.running.remove(random.nextInt(life.running.size()));
    life.ended.add(which);
    AttemptOutcome outcome = random.nextBoolean() ? AttemptOutcome.FAILED : AttemptOutcome.LOST;
    boolean last = life.running.isEmpty();
    if (last && random.nextInt(3) > 0) {
      outcome = AttemptOutcome.SUCCEEDED;
      life.state = TaskState.DONE;
    } else if (last) {
      life.state = random.nextBoolean() ? TaskState.READY : TaskState.AUTO_BLOCKED;
    }
    life.failures += outcome == AttemptOutcome.FAILED ? 1 : 0;
    life.losses += outcome == AttemptOutcome.LOST ? 1 : 0;
    return Samples.ended(task, which, outcome, life.state, life.failures, life.losses);
  }

  private Change settle(TaskId task, Life life) {
    life.state = random.nextBoolean() ? TaskState.CANCELLED : TaskState.BLOCKED;
    return new TaskChanged(task, life.state, life.failures, life.losses, ++token);
  }

  private Change release(TaskId task, Life life) {
    life.state = TaskState.READY;
    life.failures = 0;
    life.losses = 0;
    return new TaskChanged(task, TaskState.READY, 0, 0, ++token);
  }
}
