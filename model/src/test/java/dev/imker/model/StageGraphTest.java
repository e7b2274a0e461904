package dev.imker.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.After.Matching;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StageGraphTest {
  @Test
  void cycle_is_told_from_stage_to_stage() {
    List<Stage> stages =
        List.of(after("a", "c"), after("b", "a"), after("c", "b"), after("d", "a"));
    assertThatThrownBy(() -> StageGraph.of(stages).check())
        .isInstanceOf(InputException.class)
        .hasMessageContaining("a → b → c → a");
  }

  @Test
  void stage_that_waits_for_itself_is_a_cycle() {
    assertThatThrownBy(() -> StageGraph.of(List.of(after("a", "a"))).check())
        .hasMessageContaining("a → a");
  }

  @Test
  void chain_of_thousands_of_stages_is_fine() {
    List<Stage> stages = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      stages.add(i == 0 ? stage("s0") : after("s" + i, "s" + (i - 1)));
    }
    assertThatCode(() -> StageGraph.of(stages).check()).doesNotThrowAnyException();
  }

  @Test
  void unknown_stage_is_told_with_those_there_are() {
    assertThatThrownBy(() -> StageGraph.of(List.of(stage("x"), after("a", "y"))).check())
        .hasMessageContaining("no stage 'y'")
        .hasMessageContaining("x, a");
  }

  @Test
  void matching_needs_equal_numbers_or_a_shared_parameter() {
    Stage three =
        Stage.of(List.of("x"), List.of(SweepAxis.range("n", 1, 3, 1, 0))).withName("three");
    Stage one = stage("one");
    assertThatThrownBy(
            () -> check(three, one.withAfter(List.of(After.stage("three", Matching.EACH)))))
        .hasMessageContaining("'one' has 1 tasks and 'three' has 3");
    assertThatThrownBy(
            () -> check(three, one.withAfter(List.of(After.stage("three", Matching.PARAMS)))))
        .hasMessageContaining("no parameter in common");
  }

  @Test
  void inputs_from_other_tasks_are_predecessors_too() {
    After from = After.stage("a", Matching.ALL);
    Stage stage = after("b", "a").withDataInputs(List.of(new DataInput(from, "*", "")));
    assertThat(StageGraph.predecessors(stage)).containsExactly(from);
  }

  @Test
  void ranges_of_tasks_are_read_as_written() {
    List<TaskRange> ranges = TaskRange.parse("12, 13.3, 14.2..7");
    assertThat(TaskRange.text(ranges)).isEqualTo("12,13.3,14.2..7");
    assertThat(TaskRange.parse(TaskRange.text(ranges))).isEqualTo(ranges);
    assertThatThrownBy(() -> TaskRange.parse("nightly")).isInstanceOf(InputException.class);
  }

  private static void check(Stage... stages) {
    StageGraph.of(List.of(stages)).check();
  }

  private static Stage stage(String name) {
    return Stage.of(List.of("x"), List.of()).withName(name);
  }

  private static Stage after(String name, String before) {
    return stage(name).withAfter(List.of(After.stage(before, Matching.ALL)));
  }
}
