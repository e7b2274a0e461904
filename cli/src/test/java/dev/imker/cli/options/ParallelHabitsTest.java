package dev.imker.cli.options;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.cli.CommandsInProcess;
import dev.imker.cli.ImkerProcess;
import dev.imker.cli.data.InputFiles;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.testkit.TestPool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people know from GNU parallel, and where results go. */
class ParallelHabitsTest {
  @TempDir static Path folder;
  private static TestPool pool;
  private static CommandsInProcess commands;

  @BeforeAll
  static void start_pool() {
    pool = TestPool.start(folder);
    commands = new CommandsInProcess(pool);
  }

  @AfterAll
  static void stop_pool() {
    pool.close();
  }

  private static List<String> lines(String... arguments) {
    ImkerProcess.Finished run = commands.imker(arguments);
    assertThat(run.exitCode()).as(run.err()).isZero();
    return run.out().lines().toList();
  }

  @Test
  void words_after_colons_make_tasks_and_are_quoted_for_the_shell() {
    assertThat(
            lines(
                "run", "--wait", "-k", "--", "printf '%s|' {} x", ":::", "my file", "a'b", "$HOME"))
        .containsExactly("my file|x|a'b|x|$HOME|x|");
    assertThat(lines("run", "--wait", "-k", "--", "echo", ":::", "b", "a"))
        .containsExactly("b", "a");
    assertThat(
            lines("run", "--wait", "-k", "--", "echo", "{1}-{2}", ":::", "x", "y", ":::", "1", "2"))
        .containsExactly("x-1", "x-2", "y-1", "y-2");
  }

  @Test
  void linked_sources_go_along_with_each_other_as_far_as_the_shortest_goes() {
    assertThat(
            lines(
                "run",
                "--wait",
                "-k",
                "-j",
                "2",
                "--",
                "echo {1}{2}{3}",
                ":::",
                "a",
                "b",
                "c",
                ":::+",
                "1",
                "2",
                ":::",
                "x",
                "y"))
        .containsExactly("a1x", "a1y", "b2x", "b2y");
    assertThat(commands.imker("run", "--", "echo {2}", ":::", "a").err())
        .contains("{2}: there is only one source of values.");
    assertThat(commands.imker("run", "--", "echo", ":::+", "a").err())
        .contains(":::+: there is no earlier source");
  }

  @Test
  void failed_means_failed_too_often_as_well() {
    assertThat(BulkFilter.taskStates(List.of("failed", "READY", "AUTO_BLOCKED")))
        .containsExactly("FAILED", "AUTO_BLOCKED", "READY");
    String job = commands.json("run", "--max-failures", "1", "--", "false").path("id").asText();
    assertThat(commands.imker("wait", job).exitCode()).isEqualTo(ExitCodes.FAILED);
    assertThat(lines("retry", job, "--state", "FAILED", "--dry-run"))
        .containsExactly("1 task of 1 job would be released");
    assertThat(String.join("\n", lines("show", job, "--state", "FAILED"))).contains(job + ".1 ");
  }

  @Test
  void lines_are_split_into_columns() {
    assertThat(
            lines(
                "run",
                "--wait",
                "-k",
                "--colsep",
                ", *",
                "--",
                "echo {2}-{1} {}",
                ":::",
                "a, b",
                "it's,d e",
                "f"))
        .containsExactly("b-a a b", "d e-it's it's d e", "-f f ");
  }

  @Test
  void parts_of_a_value_have_their_places() {
    assertThat(lines("run", "--wait", "--", "echo {.} {/} {//} {/.} {#}", ":::", "d/my pic.jpg"))
        .containsExactly("d/my pic my pic.jpg d my pic 1");
  }

  @Test
  void lines_come_from_a_file_and_from_standard_input() throws IOException {
    Path file = Files.writeString(folder.resolve("lines.txt"), "one\ntwo words\n\n");
    assertThat(lines("run", "--wait", "-k", "-a", file.toString(), "--", "echo {}"))
        .containsExactly("one", "two words");
    assertThat(commands.withInput("p\nq\n", "run", "--wait", "-k", "-", "--", "echo {}").out())
        .isEqualTo("p\nq\n");
    assertThat(
            commands
                .withInput("p\nq\n", "run", "--wait", "-k", "-a", "-", "--", "echo", "{}")
                .out())
        .isEqualTo("p\nq\n");
    assertThat(
            commands.withInput("echo 1\necho 2; echo 3\n", "run", "--wait", "-k", "-a", "-").out())
        .isEqualTo("1\n2\n3\n");
  }

  @Test
  void each_task_gets_its_own_file() throws IOException {
    Path data = Files.createDirectory(folder.resolve("data"));
    Files.writeString(data.resolve("a b.csv"), "1\n");
    Files.writeString(data.resolve("c.csv"), "2\n");
    assertThat(lines("run", "--wait", "-k", "--each", data + "/*.csv", "--", "cat {}; ls | wc -l"))
        .containsExactly("1", "1", "2", "1");
    assertThat(commands.imker("run", "--each", data + "/*.none", "--", "cat {}").err())
        .contains("no file matches");
  }

  @Test
  void standard_input_is_for_all_or_split() throws IOException {
    Path input = Files.write(folder.resolve("input"), "a\nb\nc\nd\n".getBytes(UTF_8));
    assertThat(lines("run", "--wait", "--stdin", input.toString(), "--", "wc", "-l"))
        .containsExactly("4");
    assertThat(
            lines(
                "run",
                "--wait",
                "--stdin",
                input.toString(),
                "--pipe",
                "--block",
                "3",
                "--",
                "wc -l; true"))
        .containsExactly("2", "2");
    assertThat(commands.withInput("x\ny\n", "run", "--wait", "--pipe", "--", "tr a-z A-Z").out())
        .isEqualTo("X\nY\n");
  }

  @Test
  void lines_are_tagged_and_told_while_tasks_run() {
    assertThat(lines("run", "--wait", "-k", "--tag", "--", "printf 'x\\ny'", ":::", "a", "b"))
        .containsExactly("a\tx", "a\ty", "b\tx", "b\ty");
    ImkerProcess.Finished tail =
        commands.imker("run", "--tail", "--name", "tailed", "--", "echo {1..3}");
    String id = commands.json("show", "tailed").path("id").asText();
    assertThat(tail.out().lines())
        .containsExactlyInAnyOrder("[" + id + ".1] 1", "[" + id + ".2] 2", "[" + id + ".3] 3");
  }

  @Test
  void a_job_log_lets_a_run_be_resumed() throws IOException {
    Path log = folder.resolve("job.log");
    String[] run = {
      "run",
      "--wait",
      "--max-failures",
      "1",
      "--joblog",
      log.toString(),
      "--",
      "test {} != 2",
      ":::",
      "1",
      "2",
      "3"
    };
    assertThat(commands.imker(run).exitCode()).isEqualTo(ExitCodes.FAILED);
    assertThat(Files.readAllLines(log)).hasSize(4).first().asString().startsWith("Seq\tHost");
    run[1] = "--resume";
    assertThat(commands.imker(run).err()).contains("All tasks have already finished");
    run[1] = "--resume-failed";
    assertThat(commands.imker(run).err()).contains("1/1");
    assertThat(Files.readAllLines(log)).hasSize(5).last().asString().startsWith("2\t");
  }

  @Test
  void a_run_halts_when_something_failed() {
    ImkerProcess.Finished halted =
        commands.imker(
            "run",
            "--max-failures",
            "1",
            "--halt",
            "now,fail=1",
            "--",
            "test {1..9} != 1 && sleep 1000");
    assertThat(halted.exitCode()).isEqualTo(ExitCodes.FAILED);
    assertThat(halted.err()).contains("is stopped").contains("cancelled");
    assertThat(commands.imker("run", "--halt", "never", "--", "true").err()).contains("now,fail=1");
  }

  @Test
  void a_dry_run_shows_the_tasks_and_submits_nothing() {
    String before = commands.imker("ls").out();
    assertThat(
            lines("run", "--dry-run", "--cores=2", "--sweep=n=1..30", "--", "sim", "--seed", "{n}"))
        .contains("30 tasks; nothing was submitted", "needs  cores 2")
        .contains("     1  sim --seed 1", "     …  10 more");
    assertThat(commands.imker("ls").out()).isEqualTo(before);
  }

  @Test
  void results_are_named_by_parameters_and_listed_in_a_table() throws IOException {
    Path out = folder.resolve("named");
    lines(
        "run",
        "--results",
        out + "/{seed}-{rate}",
        "--sweep",
        "seed=1..2",
        "--sweep",
        "rate=a/b,c",
        "--",
        "echo {seed} {rate} > made.txt");
    assertThat(out.resolve("1-a_b/made.txt")).hasContent("1 a/b");
    assertThat(out.resolve("2-c/task.json")).content().contains("\"seed\" : \"2\"");
    List<String> table = Files.readAllLines(out.resolve("results.csv"));
    assertThat(table).hasSize(5);
    assertThat(table.getFirst()).endsWith("folder,error,seed,rate");
    assertThat(table.get(1)).contains("DONE,0,1,").endsWith("1-a_b,,1,a/b");
    assertThat(commands.imker("run", "--results", out.toString(), "--", "true").err())
        .contains("not empty")
        .contains("--overwrite");
    assertThat(
            commands
                .imker("run", "--results", out + "/{sed}", "--sweep", "seed=1", "--", "echo {seed}")
                .err())
        .contains("not empty");
    assertThat(
            commands
                .imker(
                    "run",
                    "--results",
                    folder + "/new/{sed}",
                    "--sweep",
                    "seed=1",
                    "--",
                    "echo {seed}")
                .err())
        .contains("Did you mean {seed}?");
    assertThat(commands.imker("results", "last", "--to", out + "/{seed}-{rate}").exitCode())
        .isZero();
  }

  @Test
  void a_folder_that_cannot_be_written_is_told_before_the_run() throws IOException {
    Path file = Files.createFile(folder.resolve("a-file"));
    String before = commands.imker("ls").out();
    assertThat(commands.imker("run", "--results", file + "/out", "--", "true").err())
        .contains("cannot be written");
    assertThat(commands.imker("ls").out()).isEqualTo(before);
  }

  @Test
  void times_have_units() {
    assertThat(commands.imker("run", "--max-runtime", "soon", "--", "true").err())
        .contains("90s, 30m, 2h");
    assertThat(TimeSpan.millis("x", "1h30m", "s")).isEqualTo(5_400_000);
    assertThat(TimeSpan.millis("x", "90", "s")).isEqualTo(90_000);
    assertThat(TimeSpan.days("x", "36h")).isEqualTo(2);
  }

  @Test
  void a_job_is_followed_again() {
    commands.imker("run", "--name", "again", "--", "echo {1..2}");
    assertThat(commands.imker("attach", "again").out()).isEqualTo("1\n2\n");
  }

  @Test
  void the_current_folder_comes_without_its_name() {
    assertThat(InputFiles.nameInWorkFolder(Path.of("."))).isEmpty();
    assertThat(InputFiles.nameInWorkFolder(Path.of("./a/../b"))).isEqualTo("b");
  }
}
