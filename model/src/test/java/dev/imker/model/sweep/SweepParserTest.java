package dev.imker.model.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.InputException;
import dev.imker.model.JobId;
import dev.imker.model.Specs;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.job.TaskTemplate;
import dev.imker.model.validation.JobValidator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SweepParserTest {
  @Test
  void range_makes_one_task_per_number() {
    assertThat(lines("echo", "{1..3}")).containsExactly("echo 1", "echo 2", "echo 3");
  }

  @Test
  void range_has_steps_directions_and_padding() {
    assertThat(lines("{1..10..4}")).containsExactly("1", "5", "9");
    assertThat(lines("{3..1}")).containsExactly("3", "2", "1");
    assertThat(lines("{098..101}")).containsExactly("098", "099", "100", "101");
    assertThat(lines("{-1..1}")).containsExactly("-1", "0", "1");
    assertThat(lines("{a..c}")).containsExactly("a", "b", "c");
  }

  @Test
  void list_makes_one_task_per_value_also_inside_a_word() {
    assertThat(lines("x{a,,b}y")).containsExactly("xay", "xy", "xby");
    assertThat(lines("{a\\,b,\\{c\\}}")).containsExactly("a,b", "{c}");
  }

  @Test
  void several_sweeps_make_the_cross_product_the_first_varies_slowest() {
    assertThat(lines("{1..2}-{a,b}", "{x,y}"))
        .containsExactly("1-a x", "1-a y", "1-b x", "1-b y", "2-a x", "2-a y", "2-b x", "2-b y");
  }

  @Test
  void axes_are_named_in_order() {
    Sweep sweep = SweepParser.parse(List.of("run", "{1..2}", "--{a,b}"), List.of());
    assertThat(sweep.command()).containsExactly("run", "${p1}", "--${p2}");
    assertThat(sweep.axes()).extracting(SweepAxis::name).containsExactly("p1", "p2");
    assertThat(sweep.size()).isEqualTo(4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{x}",
        "{",
        "}",
        "a{b",
        "a}b",
        "awk {print $1, $2}",
        "{ a,b }",
        "{1.2}",
        "x{y{z}}",
        "\\n",
        "$HOME",
        "$$"
      })
  void other_braces_are_literal(String word) {
    assertThat(lines(word)).containsExactly(word);
  }

  @Test
  void escaped_braces_are_literal() {
    assertThat(lines("\\{1..3\\}")).containsExactly("{1..3}");
    assertThat(lines("\\{1..3}")).containsExactly("{1..3}");
    assertThat(lines("\\{{1..2}\\}")).containsExactly("{1}", "{2}");
  }

  @Test
  void placeholders_are_left_alone_and_an_escaped_one_reaches_the_shell() {
    assertThat(lines("${task}-{1..2}")).containsExactly("1-1", "2-2");
    assertThat(lines("$\\{HOME}")).containsExactly("${HOME}");
    assertThat(lines("${HOME} ${X:-a,b}")).containsExactly("${HOME} ${X:-a,b}");
    assertThat(lines("$${a,b}")).containsExactly("${a,b}");
  }

  @Test
  void inner_braces_are_expanded_where_the_outer_are_literal() {
    assertThat(lines("{x{1..2}}")).containsExactly("{x1}", "{x2}");
  }

  @Test
  void named_sweep_stands_in_braces() {
    Sweep sweep =
        SweepParser.parse(
            List.of("go", "{n}/{mode}", "{other}", "{8..9}"), List.of("n=1..2", "mode=a,b"));
    assertThat(sweep.command()).containsExactly("go", "${n}/${mode}", "{other}", "${p1}");
    assertThat(expand(sweep)).startsWith("go 1/a {other} 8", "go 1/a {other} 9").hasSize(8);
  }

  @Test
  void named_sweep_takes_a_single_value_and_avoids_names_in_use() {
    Sweep sweep = SweepParser.parse(List.of("{p1}", "{1..2}"), List.of("p1=x"));
    assertThat(sweep.command()).containsExactly("${p1}", "${p2}");
    assertThat(expand(sweep)).containsExactly("x 1", "x 2");
  }

  @Test
  void mistakes_are_named() {
    assertRefused("{a,{b,c}}", "Braces inside braces");
    assertRefused("{1..x}", "'{1..x}' is not a range");
    assertRefused("{1..5..0}", "step of 0");
    assertRefused("{1..99999999999999999999}", "too large");
    assertRefused("{1..10000001}", "more than 10000000");
    assertRefused("{1..10000}{1..10000}", "more than 10000000");
    assertThatThrownBy(() -> SweepParser.parse(List.of("x"), List.of("1..3")))
        .hasMessageContaining("needs a name");
    assertThatThrownBy(() -> SweepParser.parse(List.of("x"), List.of("task=1..3")))
        .hasMessageContaining("'task' cannot name");
    assertThatThrownBy(() -> SweepParser.parse(List.of("x"), List.of("a=1", "a=2")))
        .hasMessageContaining("two sweep parameters called 'a'");
    assertThatThrownBy(() -> SweepParser.parse(List.of("x"), List.of("a=")))
        .hasMessageContaining("has no values");
  }

  private static void assertRefused(String word, String message) {
    assertThatThrownBy(() -> SweepParser.parse(List.of(word), List.of()))
        .isInstanceOf(InputException.class)
        .hasMessageContaining(message);
  }

  private static List<String> lines(String... words) {
    return expand(SweepParser.parse(List.of(words), List.of()));
  }

  static List<String> expand(Sweep sweep) {
    JobSpec spec = Specs.of(sweep.command(), sweep.axes());
    assertThat(JobValidator.check(spec)).isEmpty();
    TaskTemplate template = TaskTemplate.of(new JobId(7), "ada", spec, 0);
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < spec.taskCount(); i++) {
      lines.add(String.join(" ", template.expand(spec.params(i), i + 1, Map.of()).command()));
    }
    return lines;
  }

  @Test
  void braces_can_be_taken_literally_but_for_named_sweeps() {
    Sweep sweep = SweepParser.parse(List.of("{a,b} {n}"), List.of("n=1..2"), true);
    assertThat(sweep.command()).containsExactly("{a,b} ${n}");
    assertThat(sweep.size()).isEqualTo(2);
  }

  @Test
  void a_word_in_braces_that_is_nearly_a_sweep_is_refused() {
    assertThatThrownBy(() -> SweepParser.parse(List.of("echo {n}"), List.of("m=1..3")))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("Did you mean {m}?");
    assertThatThrownBy(
            () -> SweepParser.parse(List.of("echo {seed} {rat}"), List.of("seed=1", "rate=2")))
        .hasMessageContaining("Did you mean {rate}?");
  }

  @Test
  void other_words_in_braces_stay_as_they_are() {
    assertThat(SweepParser.parse(List.of("awk '{print}' {n}"), List.of("n=1")).command())
        .containsExactly("awk '{print}' ${n}");
    assertThat(SweepParser.parse(List.of("frac{a}{b} {n}"), List.of("n=1")).command().getFirst())
        .endsWith("{a}{b} ${n}");
    assertThat(SweepParser.parse(List.of("echo {n}"), List.of("m=1"), true).command())
        .containsExactly("echo {n}");
  }
}
