package dev.imker.server.internal.rest.runs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.imker.model.TaskState;
import dev.imker.server.internal.rest.nodes.NodeNames;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimelineTest {
  private static final NodeNames NAMES = NodeNames.of(List.of());

  @Test
  void attempts_are_counted_in_every_part_in_which_they_ran() {
    Timeline timeline = new Timeline(2_000);
    timeline.accept(0, TaskState.DONE, "a", 1_000, 1_500);
    timeline.accept(1, TaskState.RUNNING, "b", 1_250, 0);
    timeline.accept(0, null, "b", 1_000, 1_250);
    timeline.accept(2, TaskState.READY, "", 0, 0);
    TimelineView view = timeline.view(4, NAMES);
    assertThat(view.attempts()).isEqualTo(3);
    assertThat(view.bucketMillis()).isEqualTo(251);
    assertThat(view.outcomes().keySet()).containsExactly("DONE", "RUNNING", "EARLIER");
    assertThat(view.outcomes().get("DONE")).containsExactly(1.0, 0.992, 0.0, 0.0);
    assertThat(view.nodes())
        .extracting(lane -> lane.running().stream().mapToDouble(v -> v).sum() * 251)
        .satisfiesExactly(
            first -> assertThat(first).isBetween(499.0, 501.0),
            second -> assertThat(second).isBetween(999.0, 1001.0));
    assertThat(view.runs())
        .extracting(TimelineView.Run::task, TimelineView.Run::outcome)
        .contains(tuple(1, "EARLIER"));
  }

  @Test
  void of_many_attempts_the_busiest_machines_are_told_and_no_single_ones() {
    Timeline timeline = new Timeline(0);
    for (int i = 0; i <= Timeline.MAX_RUNS; i++) {
      timeline.accept(i, TaskState.DONE, "node-" + i % 60, 1_000, i % 60 == 7 ? 9_000 : 2_000);
    }
    TimelineView view = timeline.view(10, NAMES);
    assertThat(view.runs()).isEmpty();
    assertThat(view.nodes()).hasSize(40).extracting(TimelineView.Lane::node).contains("node-7");
    assertThat(view.otherNodes()).isEqualTo(20);
  }

  @Test
  void nothing_has_run_yet() {
    TimelineView view = new Timeline(5_000).view(3, NAMES);
    assertThat(view.attempts()).isZero();
    assertThat(view.outcomes()).isEmpty();
  }
}
