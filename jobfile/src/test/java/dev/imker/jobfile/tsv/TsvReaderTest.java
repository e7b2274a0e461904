package dev.imker.jobfile.tsv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.jobfile.draft.JobDraft;
import dev.imker.jobfile.draft.LocalInput;
import dev.imker.jobfile.draft.Reading;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.jobfile.findings.Finding;
import dev.imker.jobfile.internal.form.PlatformExpression;
import dev.imker.model.InputException;
import dev.imker.model.job.After;
import dev.imker.model.job.DataInput;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import dev.imker.model.job.Stage;
import dev.imker.model.job.TaskIdentifier;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The ten-field format and the platform expression. */
class TsvReaderTest {
  @TempDir Path folder;

  private Reading read(String... lines) {
    String text = String.join("\n", lines).replace(" | ", "\t").replace(" |", "\t");
    return TsvReader.read("jobs.tsv", text.getBytes(StandardCharsets.UTF_8), JobFiles.in(folder));
  }

  private List<String> findings(String... lines) {
    return read(lines).findings().stream().map(Finding::toString).toList();
  }

  private static Need need(String os, Map<String, String> runtimes, long memoryMegabytes) {
    return new Need(
        os.isEmpty() ? Set.of() : Set.of(os),
        Set.of(),
        0,
        0,
        memoryMegabytes << 20,
        0,
        Set.of(),
        runtimes);
  }

  // ---------------------------------------------------------------- expression

  @Test
  void letters_are_all_needed_and_semicolons_separate_alternatives() {
    assertThat(PlatformExpression.parse("WN;LMP.1024.*.*").alternatives())
        .containsExactly(
            need("windows", Map.of("dotnet", ""), 1024),
            need("linux", Map.of("mono", "", "perl", ""), 1024));
    assertThat(PlatformExpression.parse("JYRG").alternatives())
        .containsExactly(need("", Map.of("java", "", "python", "", "r", "", "gams", ""), 0));
  }

  @Test
  void a_star_asks_for_nothing() {
    assertThat(PlatformExpression.parse("*.*.*.*")).isEqualTo(Requirements.ANY);
    assertThat(PlatformExpression.parse("*")).isEqualTo(Requirements.ANY);
    assertThat(PlatformExpression.parse("*.512.20.amd64").alternatives())
        .containsExactly(
            new Need(
                Set.of(), Set.of("x86_64"), 0, 0, 512L << 20, 0, Set.of(), Map.of(), 20 << 20));
  }

  @Test
  void a_wrong_expression_is_explained() {
    for (String wrong : List.of("WL", "X", "W.much.*.*", "W;;L", "", "W.1.2.3.4")) {
      assertThatThrownBy(() -> PlatformExpression.parse(wrong))
          .isInstanceOf(InputException.class)
          .hasMessageContaining("WN;LMP.1024.*.*");
    }
  }

  // ---------------------------------------------------------------- lines

  @Test
  void a_line_is_a_task_and_its_type_names_the_project() throws IOException {
    Files.writeString(folder.resolve("in.dat"), "1234");
    Reading reading =
        read(
            "ann_weather | WN;LMP.1024.*.* | run in.dat | out.txt;log/* | NO | in.dat |"
                + " ann@example.org | NO | first | NO");
    assertThat(reading.findings()).isEmpty();
    JobDraft draft = reading.jobs().getFirst();
    JobSpec job = draft.spec();
    assertThat(job.project()).isEqualTo("weather");
    assertThat(job.notices().mail()).containsExactly("ann@example.org");
    Stage stage = job.stages().getFirst();
    assertThat(stage.command()).containsExactly("run in.dat");
    assertThat(stage.outputs()).containsExactly("out.txt", "log/*");
    assertThat(stage.needs()).isEqualTo(PlatformExpression.parse("WN;LMP.1024.*.*"));
    assertThat(stage.rules().speculative()).isTrue();
    assertThat(draft.files()).extracting(LocalInput::path).containsExactly("in.dat");
  }

  @Test
  void like_lines_are_tasks_of_one_stage() {
    JobSpec job =
        read(
                "a_p | * | run 1 | * | NO | NO | NO | NO | NO | NO",
                "a_p | * | run ${HOME} | * | NO | NO | NO | NO | NO | NO")
            .orThrow()
            .getFirst()
            .spec();
    assertThat(job.stages()).hasSize(1);
    assertThat(job.taskCount()).isEqualTo(2);
    assertThat(job.params(1)).containsExactly("run ${HOME}");
    assertThat(job.stages().getFirst().command()).containsExactly("${command}");
  }

  @Test
  void lines_are_alike_whatever_way_no_is_written_but_file_names_keep_their_case() {
    assertThat(
            read(
                    "a_p | * | run 1 | * | NO | NO | NO | NO | NO | NO",
                    "a_p | * | run 2 | * | no |  | No |  | NO | ",
                    "a_p | * | run 3 | state | NO | NO | NO | YES | A | NO",
                    "a_p | * | run 4 | state | NO | NO | NO | yes | B | NO")
                .orThrow()
                .getFirst()
                .spec()
                .stages())
        .extracting(Stage::taskCount)
        .containsExactly(2L, 2L);
    assertThat(
            read(
                    "a_p | * | run 1 | Out.txt | NO | NO | NO | NO | NO | NO",
                    "a_p | * | run 2 | out.txt | NO | NO | NO | NO | NO | NO")
                .orThrow()
                .getFirst()
                .spec()
                .stages())
        .extracting(Stage::outputs)
        .containsExactly(List.of("Out.txt"), List.of("out.txt"));
  }

  @Test
  void identifiers_make_a_graph() {
    JobSpec job =
        read(
                "a_p | L | one | * | NO |  | NO | NO | A |",
                "a_p | L | two | * | NO |  | NO | NO | B | A",
                "a_p | L | three | * | NO |  | NO | NO | C | A;B")
            .orThrow()
            .getFirst()
            .spec();
    assertThat(job.stages()).extracting(Stage::name).containsExactly("A", "B", "C");
    assertThat(job.stages().get(2).after())
        .containsExactly(
            After.stage("A", After.Matching.ALL), After.stage("B", After.Matching.ALL));
  }

  @Test
  void kept_results_are_inputs_of_others() {
    JobSpec job =
        read(
                "a_p | L | make | table.csv | YES | NO | NO | NO | A | NO",
                "a_p | L | use | * | NO | table.csv | NO | NO | NO | NO")
            .orThrow()
            .getFirst()
            .spec();
    assertThat(job.stages().get(1).dataInputs())
        .containsExactly(new DataInput(After.stage("A", After.Matching.ALL), "table.csv", ""));
  }

  @Test
  void kept_results_may_be_named_by_patterns() {
    JobSpec job =
        read(
                "a_p | L | make | out/*.csv | YES | NO | NO | NO | A | NO",
                "a_p | L | other | * | YES | NO | NO | NO | B | NO",
                "a_p | L | none | table.txt | NO | NO | NO | NO | C | NO",
                "a_p | L | use | * | NO | out/1.csv | NO | NO | D | NO")
            .jobs()
            .getFirst()
            .spec();
    assertThat(job.stages().get(3).dataInputs())
        .containsExactly(
            new DataInput(After.stage("A", After.Matching.ALL), "out/1.csv", ""),
            new DataInput(After.stage("B", After.Matching.ALL), "out/1.csv", ""));
    assertThat(
            findings(
                "a_p | L | make | out/*.csv | YES | NO | NO | NO | A | NO",
                "a_p | L | make | out/2.txt | NO | NO | NO | NO | B | NO",
                "a_p | L | use | x | NO | out/2.txt | NO | NO | D | NO"))
        .anyMatch(line -> line.contains("There is no file 'out/2.txt', and no line with"));
  }

  @Test
  void a_type_without_a_user_is_a_project_and_a_wrong_one_is_refused() {
    assertThat(read("weather | * | x | * | NO | NO | NO | NO | NO | NO").orThrow())
        .extracting(draft -> draft.spec().project())
        .containsExactly("weather");
    assertThat(read("_weather | * | x | * | NO | NO | NO | NO | NO | NO").orThrow())
        .extracting(draft -> draft.spec().project())
        .containsExactly("weather");
    assertThat(findings("ann_9 to 5 | * | x | * | NO | NO | NO | NO | NO | NO"))
        .anyMatch(line -> line.startsWith("jobs.tsv:1:1: jobType: 'ann_9 to 5' is not a jobType"));
  }

  @Test
  void variants_of_a_file_are_for_their_system() throws IOException {
    Files.createDirectories(folder.resolve("W"));
    Files.writeString(folder.resolve("W/foo.exe"), "w");
    Files.writeString(folder.resolve("foo.exe"), "ll");
    List<LocalInput> files =
        read("a_p | W;L | foo.exe | * | NO | W:foo.exe;L:foo.exe | NO | NO | NO | NO")
            .orThrow()
            .getFirst()
            .files();
    assertThat(files)
        .extracting(f -> f.path() + " " + f.os() + " " + f.size())
        .containsExactly("foo.exe windows 1", "foo.exe linux 2");
  }

  @Test
  void intermediate_uploads_exclude_copies() {
    var rules =
        read("a_p | * | x | state | NO | NO | NO | YES | NO | NO")
            .orThrow()
            .getFirst()
            .spec()
            .stages()
            .getFirst()
            .rules();
    assertThat(rules.checkpoints()).containsExactly("state");
    assertThat(rules.checkpointMillis()).isBetween(20L * 60_000, 40L * 60_000);
    assertThat(rules.speculative()).isFalse();
  }

  @Test
  void each_project_is_a_job() {
    assertThat(read("a_p | * | x", "a_q | * | y", "a_p | * | z").orThrow())
        .extracting(d -> d.spec().project() + d.spec().taskCount())
        .containsExactly("p2", "q1");
  }

  @Test
  void a_task_waits_for_one_of_another_type_which_is_submitted_first() {
    List<JobDraft> jobs =
        read(
                "a_late | * | use | * | NO | table.csv | NO | NO | C | B",
                "a_early | * | x | * | NO | NO | NO | NO | A | NO",
                "a_early | * | y | * | NO | NO | NO | NO | B | NO",
                "a_early | * | make | table.csv | YES | NO | NO | NO | D | NO")
            .orThrow();
    assertThat(jobs).extracting(draft -> draft.spec().name()).containsExactly("early", "late");
    Stage late = jobs.get(1).spec().stages().getFirst();
    assertThat(late.after()).containsExactly(After.tasks("early.2"));
    assertThat(late.dataInputs())
        .containsExactly(new DataInput(After.tasks("early.3"), "table.csv", ""));
    assertThat(jobs.get(0).spec().stages().get(1).command()).containsExactly("y");
  }

  @Test
  void types_that_wait_for_each_other_are_refused() {
    assertThat(
            findings(
                "a_p | * | x | * | NO | NO | NO | NO | A | B",
                "a_q | * | y | * | NO | NO | NO | NO | B | NO",
                "a_q | * | z | * | NO | NO | NO | NO | C | A"))
        .anyMatch(line -> line.contains("Tasks of these jobTypes depend on each other: a_p, a_q."));
    assertThat(
            findings(
                "a_12 | * | x | * | NO | NO | NO | NO | A | NO",
                "a_q | * | y | * | NO | NO | NO | NO | B | A"))
        .anyMatch(line -> line.contains("could also mean something else"));
  }

  // ---------------------------------------------------------------- mistakes

  @Test
  void mistakes_name_line_and_field() {
    assertThat(
            findings(
                "# comment",
                "a_p | X | x | ../up | NO | none.txt | ann | NO | A | NO",
                "just one field",
                "a_p | * |  | * | NO | NO | NO | NO | A | NO"))
        .anyMatch(
            line -> line.startsWith("jobs.tsv:2:5: platform: 'X' is not a platform expression"))
        .anyMatch(line -> line.startsWith("jobs.tsv:2:9: resultFiles: '../up'"))
        .anyMatch(line -> line.startsWith("jobs.tsv:2:18: files: There is no file 'none.txt'"))
        .anyMatch(line -> line.startsWith("jobs.tsv:2:27: mailnotification: 'ann'"))
        .anyMatch(line -> line.startsWith("jobs.tsv:3:1: The line has 1 fields"))
        .anyMatch(line -> line.startsWith("jobs.tsv:4:7: command: There is nothing to run"))
        .anyMatch(line -> line.contains("Line 2 already has the identifier 'A'"));
  }

  @Test
  void every_line_keeps_its_identifier() {
    JobSpec job =
        read(
                "a_p | * | run 1 | * | NO | NO | NO | NO | north-1 | NO",
                "a_p | * | run 2 | * | NO | NO | NO | NO | north 2 | NO",
                "a_p | * | run 3 | * | NO | NO | NO | NO | NO | NO",
                "a_p | L | alone | * | NO | NO | NO | NO | south | NO")
            .orThrow()
            .getFirst()
            .spec();
    assertThat(job.taskCount()).isEqualTo(4);
    assertThat(job.params(1)).containsExactly("run 2", "north 2");
    assertThat(TaskIdentifier.find(job, "north 2")).containsExactly(1);
    assertThat(TaskIdentifier.find(job, "south")).containsExactly(3);
    assertThat(TaskIdentifier.find(job, "run 2")).isEmpty();
    assertThat(job.stages().getLast().command()).containsExactly("alone");
  }

  @Test
  void predecessors_may_be_in_files_of_before() {
    Reading reading = read("a_p | L | use | * | NO | table.csv | NO | NO | NO | north-1;south");
    Stage stage = reading.orThrow().getFirst().spec().stages().getFirst();
    assertThat(stage.after()).containsExactly(After.tasks("@north-1"), After.tasks("@south"));
    assertThat(stage.dataInputs())
        .containsExactly(new DataInput(After.tasks("@north-1,@south"), "table.csv", ""));
    assertThat(reading.findings().toString()).contains("'north-1'; it is looked up in the pool");
  }

  @Test
  void results_come_from_earlier_files_only_if_no_line_has_the_identifier() {
    Stage stage =
        read(
                "a_p | L | make | * | NO | NO | NO | NO | A | NO",
                "a_p | L | use | * | NO | table.csv | NO | NO | NO | A;south")
            .orThrow()
            .getFirst()
            .spec()
            .stages()
            .get(1);
    assertThat(stage.after())
        .containsExactly(After.stage("A", After.Matching.ALL), After.tasks("@south"));
    assertThat(stage.dataInputs())
        .containsExactly(new DataInput(After.tasks("@south"), "table.csv", ""));
    assertThat(findings("a_p | L | use | * | NO | NO | NO | NO | NO | A,B"))
        .anyMatch(line -> line.contains("Tasks of earlier files cannot be named with a comma."));
  }

  @Test
  void a_project_of_two_users_cannot_be_waited_for() {
    assertThat(
            findings(
                "a_p | * | x | * | NO | NO | NO | NO | A | NO",
                "b_p | * | y | * | NO | NO | NO | NO | B | NO",
                "a_q | * | z | * | NO | NO | NO | NO | C | A"))
        .anyMatch(line -> line.contains("'p' could also mean something else"));
  }

  @Test
  void every_line_needs_a_command_and_a_file_needs_a_line() {
    assertThat(
            findings(
                "a_p | * | x | * | NO | NO | NO | NO | NO | NO",
                "a_p | * |  | * | NO | NO | NO | NO | NO | NO"))
        .anyMatch(line -> line.startsWith("jobs.tsv:2:7: command: There is nothing to run"));
    assertThat(findings("# nothing", "")).anyMatch(line -> line.contains("There is no task"));
  }

  @Test
  void files_that_nobody_can_look_up_are_not_checked() {
    byte[] line = "a_p\t*\tx\t*\tNO\tin.dat".getBytes(StandardCharsets.UTF_8);
    Reading reading = TsvReader.read("jobs.tsv", line, JobFiles.unknown());
    assertThat(reading.jobs()).hasSize(1);
    assertThat(reading.findings().toString()).contains("The files in.dat were not checked here.");
  }

  @Test
  void a_circle_is_shown() {
    assertThat(
            findings(
                "a_p | * | x | * | NO | NO | NO | NO | A | B",
                "a_p | * | y | * | NO | NO | NO | NO | B | A"))
        .containsExactly(
            "jobs.tsv:1:25: preUserIdentifiers: These stages depend on each other: A → B"
                + " → A. Remove one of the dependencies.");
  }
}
