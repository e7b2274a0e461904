package dev.imker.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.Specs;
import dev.imker.model.validation.JobValidator;
import dev.imker.model.validation.Violation;
import dev.imker.testbase.Attack;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskTemplateTest {
  private static final List<SweepAxis> AXES =
      List.of(SweepAxis.of("x", List.of("1", "${task}")), SweepAxis.of("y", List.of("a b")));

  @Test
  void parameters_are_filled_into_command_env_and_outputs() {
    JobSpec spec =
        Specs.of(
            List.of("run", "${x}-${y}", "${job}.${task}"),
            AXES,
            Map.of("X", "<${x}>"),
            List.of("out-${x}.txt"));
    ExpandedTask task = template(spec).expand(List.of("1", "a b"), 5, Map.of());
    assertThat(task.command()).containsExactly("run", "1-a b", "9.5");
    assertThat(task.env()).containsExactly(Map.entry("X", "<1>"));
    assertThat(task.outputs()).containsExactly("out-1.txt");
  }

  @Test
  @Attack("refer to a secret in a parameter value, such as in a table written by somebody else")
  void values_of_parameters_name_no_secrets() {
    List<SweepAxis> axes = List.of(SweepAxis.of("x", List.of("${secret:key}")));
    JobSpec spec =
        Specs.of(
            List.of("run", "${x}"),
            axes,
            Map.of("X", "${x}", "OWN", "${secret:key}"),
            List.of("out-${x}"));
    ExpandedTask task =
        template(spec).expand(List.of("${secret:key}"), 1, Map.of("key", "hunter2"));
    assertThat(task.command()).containsExactly("run", "${secret:key}");
    assertThat(task.env()).containsEntry("X", "${secret:key}").containsEntry("OWN", "hunter2");
    assertThat(task.outputs().toString()).doesNotContain("hunter2");
  }

  @Test
  void a_task_gets_the_files_of_its_values_and_the_variants_of_its_system() {
    BlobId blob = new BlobId("a".repeat(64));
    List<InputFile> inputs =
        List.of(
            new InputFile("common", blob, 1, false),
            new InputFile("tool", blob, 1, true, "linux"),
            new InputFile("tool", blob, 2, true, ""),
            new InputFile("tool", blob, 3, true, "windows"),
            new InputFile("a.csv", blob, 4, false, "", "x"),
            new InputFile("b.csv", blob, 5, false, "", "x"));
    List<SweepAxis> axes = List.of(SweepAxis.of("x", List.of("a.csv", "b.csv")));
    Stage stage = Stage.of(List.of("sort ${x}"), axes).withFiles(inputs, List.of());
    JobSpec spec = Specs.of(List.of("x"), List.of()).withStages(List.of(stage));
    assertThat(template(spec).inputsFor("linux", List.of("b.csv")))
        .extracting(InputFile::size)
        .containsExactly(1L, 1L, 5L);
    assertThat(template(spec).inputsFor("windows", List.of("a.csv")))
        .extracting(InputFile::size)
        .containsExactly(1L, 3L, 4L);
    assertThat(template(spec).inputsFor("macos", List.of("c.csv")))
        .extracting(InputFile::size)
        .containsExactly(1L, 2L);
  }

  @Test
  void values_are_not_looked_at_again() {
    JobSpec spec = Specs.of(List.of("echo ${x}"), AXES);
    assertThat(template(spec).expand(List.of("${task}", "a b"), 2, Map.of()).command())
        .containsExactly("echo ${task}");
  }

  @Test
  void shell_line_gets_values_verbatim() {
    JobSpec spec = Specs.of(List.of("ls ${y}"), AXES);
    assertThat(template(spec).expand(List.of("1", "a b; date"), 1, Map.of()).command())
        .containsExactly("ls a b; date");
  }

  @Test
  void doubled_dollar_passes_a_placeholder_on() {
    JobSpec spec = Specs.of(List.of("echo $${HOME} $$ $1 $x${x}$${x}"), AXES);
    assertThat(JobValidator.check(spec)).isEmpty();
    assertThat(template(spec).expand(List.of("1", ""), 1, Map.of()).command())
        .containsExactly("echo ${HOME} $$ $1 $x1${x}");
  }

  @Test
  void unknown_names_are_refused_with_those_known() {
    assertThat(problem(Specs.of(List.of("echo ${other}"), AXES)))
        .isEqualTo(
            "stages[0].command[0]: ${other} is not a parameter of this stage. Known: job,"
                + " task, x, y. Write $${other} for a literal one.");
    assertThat(problem(Specs.of(List.of("x"), AXES, Map.of("A", "${q}"), List.of())))
        .startsWith("stages[0].env.A: ${q}");
    assertThat(problem(Specs.of(List.of("x"), AXES, Map.of(), List.of("${q}"))))
        .startsWith("stages[0].outputs[0]: ${q}");
    assertThat(problem(Specs.of(List.of("a ${x"), AXES))).contains("without a closing brace");
  }

  @Test
  void a_value_in_a_pattern_of_results_stands_for_itself() {
    JobSpec spec = Specs.of(List.of("x"), AXES, Map.of(), List.of("${x}*.txt", "{${x},b}.txt"));
    List<String> outputs = template(spec).expand(List.of("[a*,}", ""), 1, Map.of()).outputs();
    assertThat(outputs).containsExactly("\\[a\\*,}*.txt", "{\\[a\\*\\,\\},b}.txt");
    for (String glob : outputs) {
      PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + glob);
      assertThat(matcher.matches(Path.of("[a*,}.txt"))).isTrue();
      assertThat(matcher.matches(Path.of("a.txt"))).isFalse();
    }
  }

  private static TaskTemplate template(JobSpec spec) {
    return TaskTemplate.of(new JobId(9), "ada", spec, 0);
  }

  private static String problem(JobSpec spec) {
    Violation first = JobValidator.check(spec).getFirst();
    return first.field() + ": " + first.text();
  }
}
