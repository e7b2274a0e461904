package dev.imker.model.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.InputException;
import dev.imker.model.TaskRange;
import dev.imker.model.job.After.Matching;
import dev.imker.model.validation.JobValidator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StageGraphTest {
  @Test
  void cycle_is_told_from_stage_to_stage() {
    List<Stage> stages =
        List.of(after("a", "c"), after("b", "a"), after("c", "b"), after("d", "a"));
    assertThat(StageGraph.of(stages).circle()).containsExactly("a", "b", "c", "a");
    assertThat(problems(stages))
        .containsExactly(
            "stages[0].after: These stages depend on each other: a → b → c → a. Remove"
                + " one of the dependencies.");
  }

  @Test
  void stage_that_waits_for_itself_is_a_cycle() {
    assertThat(StageGraph.of(List.of(after("a", "a"))).circle()).containsExactly("a", "a");
  }

  @Test
  void chain_of_thousands_of_stages_is_fine() {
    List<Stage> stages = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      stages.add(i == 0 ? stage("s0") : after("s" + i, "s" + (i - 1)));
    }
    assertThat(problems(stages)).isEmpty();
  }

  @Test
  void unknown_stage_is_told_with_those_there_are() {
    assertThat(problems(List.of(stage("x"), after("a", "y"))))
        .containsExactly("stages[1].after[0]: There is no stage 'y' in this job. Stages: x, a.");
  }

  @Test
  void matching_needs_equal_numbers_or_a_shared_parameter() {
    Stage three =
        Stage.of(List.of("x"), List.of(SweepAxis.range("n", 1, 3, 1, 0))).withName("three");
    Stage one = stage("one");
    Stage each = one.withAfter(List.of(After.stage("three", Matching.EACH)));
    assertThat(problems(List.of(three, each)).getFirst()).contains("'one' has 1 and 'three' has 3");
    Stage params = one.withAfter(List.of(After.stage("three", Matching.PARAMS)));
    assertThat(problems(List.of(three, params)).getFirst()).contains("needs a common parameter");
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

  private static List<String> problems(List<Stage> stages) {
    return JobValidator.check(JobSpec.of("job", "default", JobKind.COMMAND, stages)).stream()
        .map(violation -> violation.field() + ": " + violation.text())
        .toList();
  }

  private static Stage stage(String name) {
    return Stage.of(List.of("x"), List.of()).withName(name);
  }

  private static Stage after(String name, String before) {
    return stage(name).withAfter(List.of(After.stage(before, Matching.ALL)));
  }
}
