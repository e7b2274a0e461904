package dev.imker.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.AttemptOutcome;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.LeaseToken;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptReport;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskProgressTest {
  private static final JobId JOB = new JobId(1);
  private final TaskProgress progress = new TaskProgress();

  private static Lease lease(int task, long token) {
    return new Lease(TaskId.of(1, task), new LeaseToken(token, 1));
  }

  private void end(Lease lease, TaskState state) {
    AttemptReport report = AttemptReport.withoutRun(AttemptOutcome.LOST, 0, "");
    progress.committed(
        List.of(new AttemptEnded(lease.task(), lease.token(), report, state, 0, 0, 0)));
  }

  private double percent(int settled, int running) {
    return progress.ofJob(JOB, settled, running, 4).orElseThrow().fraction() * 100;
  }

  @Test
  void a_lost_attempt_has_got_nowhere() {
    progress.said(lease(0, 1), 0.5, "half");
    progress.said(lease(1, 2), 0.8, "nearly");
    end(lease(1, 2), TaskState.READY);
    assertThat(percent(0, 1)).isEqualTo(12.5);
  }

  @Test
  void a_task_that_is_done_counts_once_whichever_copy_spoke_last() {
    progress.said(lease(0, 1), 0.9, "first");
    progress.said(lease(0, 2), 0.4, "copy");
    progress.said(lease(1, 3), 0.5, "other");
    end(lease(0, 1), TaskState.DONE);
    assertThat(percent(1, 1)).isEqualTo(37.5);
  }

  @Test
  void a_copy_that_is_lost_leaves_what_the_other_says() {
    progress.said(lease(0, 1), 0.4, "first");
    end(lease(0, 2), TaskState.RUNNING);
    assertThat(percent(0, 1)).isEqualTo(10);
  }

  @Test
  void tasks_at_their_beginning_speak_too() {
    progress.said(lease(0, 1), 0, "starting");
    progress.said(lease(1, 2), 0, "starting too");
    end(lease(1, 2), TaskState.READY);
    assertThat(progress.ofJob(JOB, 0, 1, 4)).isPresent();
  }
}
