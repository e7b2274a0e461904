package dev.imker.server.internal.columns;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.AttemptStarted;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Figures of an open job, and the file they become. */
class ColumnFileTest {
  private static final int TASKS = 10_000;

  @TempDir Path folder;

  private static AttemptStarted started(int index, int attempt, long at) {
    return new AttemptStarted(
        TaskId.of(1, index), new LeaseToken(7), new AgentId("a"), new NodeId("n"), attempt, at);
  }

  private static AttemptEnded ended(int index, AttemptOutcome outcome, TaskState state, long at) {
    return new AttemptEnded(
        TaskId.of(1, index),
        new LeaseToken(7),
        AttemptReport.withoutRun(outcome, at, ""),
        state,
        0,
        0,
        at);
  }

  @Test
  void figures_follow_the_attempts_of_a_task() {
    LiveColumns live = new LiveColumns(TASKS);
    TaskColumns columns = live.with(new byte[TASKS]);
    live.began(started(5000, 1, 100));
    assertThat(columns.started(5000)).isEqualTo(100);
    live.ended(ended(5000, AttemptOutcome.FAILED, TaskState.READY, 200));
    assertThat(columns.started(5000)).isZero();
    live.began(started(5000, 2, 300));
    live.began(started(5000, 3, 350));
    live.ended(ended(5000, AttemptOutcome.SUCCEEDED, TaskState.DONE, 400));
    live.ended(ended(5000, AttemptOutcome.STOPPED, TaskState.DONE, 500));
    assertThat(columns.ended(5000)).isEqualTo(400);
    assertThat(columns.attempts(5000)).isEqualTo(3);
    assertThat(columns.attempts(4999)).isZero();
    live.changed(0, TASKS, TaskState.READY);
    assertThat(columns.ended(5000)).isZero();
  }

  @Test
  void what_is_on_disk_does_not_undo_what_was_heard_since() {
    LiveColumns live = new LiveColumns(TASKS);
    live.began(started(1, 2, 900));
    live.onDisk(1, 1, 100, 200);
    live.onDisk(2, 1, 100, 200);
    TaskColumns columns = live.with(new byte[TASKS]);
    assertThat(columns.started(1)).isEqualTo(900);
    assertThat(columns.ended(2)).isEqualTo(200);
  }

  @Test
  void file_has_the_columns_of_one_end_of_one_job() throws Exception {
    LiveColumns live = new LiveColumns(TASKS);
    byte[] states = new byte[TASKS];
    for (int i = 0; i < TASKS; i += 3) {
      live.onDisk(i, i % 5, 1_000 + i, 5_000 + 2L * i);
      states[i] = 3;
    }
    Path file = folder.resolve("sub/12.columns");
    ColumnFile.write(file, live.with(states), 77);
    ColumnFile read = ColumnFile.open(file, TASKS, 77).orElseThrow();
    for (int i = 0; i < TASKS; i++) {
      boolean set = i % 3 == 0;
      assertThat(read.state(i)).isEqualTo((byte) (set ? 3 : 0));
      assertThat(read.started(i)).isEqualTo(set ? 1_000 + i : 0);
      assertThat(read.ended(i)).isEqualTo(set ? 5_000 + 2L * i : 0);
      assertThat(read.attempts(i)).isEqualTo(set ? i % 5 : 0);
    }
    assertThat(ColumnFile.open(file, TASKS, 78)).isEmpty();
    assertThat(ColumnFile.open(file, TASKS + 1, 77)).isEmpty();
    Files.write(file, new byte[40]);
    assertThat(ColumnFile.open(file, TASKS, 77)).isEmpty();
    assertThat(ColumnFile.open(folder.resolve("none"), TASKS, 77)).isEmpty();
  }
}
