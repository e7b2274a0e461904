package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.message.Dependency;
import dev.imker.core.message.JobHeader;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.core.message.StageHeader;
import dev.imker.core.strategy.catalogue.Balanced;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.JobId;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.job.OnFailure;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.TaskRules;
import dev.imker.testbase.Trials;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random graphs are worked off: no task before those it waits for, and every one in the end. */
class GraphProperties {
  private static final JobId JOB = new JobId(1);

  @Trials(150)
  void tasks_start_after_all_they_wait_for_and_all_are_done(long seed) {
    Random random = new Random(seed);
    List<StageHeader> stages = graph(random);
    RecordingOutbox out = new RecordingOutbox();
    Scheduler scheduler = new Scheduler(SchedulerSettings.defaults(), new Balanced(), 1, seed);
    ProjectId project = new ProjectId("ann", "p");
    scheduler.onSubmit(1, new JobHeader(JOB, project, 4, stages, OnFailure.CARRY_ON), out);
    scheduler.onHello(1, SchedulerFixture.agent("a", 1 + random.nextInt(4), 1, List.of()), out);
    int tasks = stages.stream().mapToInt(StageHeader::taskCount).sum();
    int done = 0;
    while (done < tasks) {
      scheduler.dispatch(1, out);
      List<RecordingOutbox.Assigned> assigned = out.takeAssigned();
      assertThat(assigned).as("something can go on, seed %d", seed).isNotEmpty();
      for (RecordingOutbox.Assigned task : assigned) {
        assertReady(scheduler, stages, task.lease().task().index(), seed);
      }
      for (RecordingOutbox.Assigned task : assigned) {
        scheduler.onFinished(1, task.agent(), task.lease(), success(), out);
        done++;
      }
      scheduler.checkInvariants();
      out.takeAll();
    }
    assertThat(scheduler.view().state(new TaskId(JOB, tasks - 1))).isEqualTo(TaskState.DONE);
  }

  /** Stages that wait for earlier ones only, in all the ways there are inside a job. */
  private static List<StageHeader> graph(Random random) {
    List<StageHeader> stages = new ArrayList<>();
    int count = 1 + random.nextInt(7);
    for (int i = 0; i < count; i++) {
      int tasks = 1 + random.nextInt(5);
      List<Dependency> after = new ArrayList<>();
      for (int before = 0; before < i; before++) {
        if (random.nextInt(3) == 0) {
          boolean same = stages.get(before).taskCount() == tasks;
          after.add(same ? new Dependency.Each(before) : new Dependency.All(before));
        }
      }
      stages.add(new StageHeader(tasks, Requirements.ANY, TaskRules.USUAL, after));
    }
    return stages;
  }

  private static void assertReady(
      Scheduler scheduler, List<StageHeader> stages, int index, long seed) {
    int stage = 0;
    int first = 0;
    while (index >= first + stages.get(stage).taskCount()) {
      first += stages.get(stage++).taskCount();
    }
    for (Dependency dependency : stages.get(stage).after()) {
      switch (dependency) {
        case Dependency.All all -> {
          for (int i = 0; i < stages.get(all.stage()).taskCount(); i++) {
            assertDone(scheduler, first(stages, all.stage()) + i, seed);
          }
        }
        case Dependency.Each each ->
            assertDone(scheduler, first(stages, each.stage()) + index - first, seed);
        default -> throw new AssertionError(dependency);
      }
    }
  }

  private static int first(List<StageHeader> stages, int stage) {
    return stages.subList(0, stage).stream().mapToInt(StageHeader::taskCount).sum();
  }

  private static void assertDone(Scheduler scheduler, int index, long seed) {
    assertThat(scheduler.view().state(new TaskId(JOB, index)))
        .as("task %d, seed %d", index, seed)
        .isEqualTo(TaskState.DONE);
  }

  private static AttemptReport success() {
    return new AttemptReport(
        AttemptOutcome.SUCCEEDED,
        0,
        1,
        1,
        0,
        0,
        CapturedOutput.NONE,
        CapturedOutput.NONE,
        List.of(),
        "");
  }
}
