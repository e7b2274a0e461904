package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.terminal.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole path as a user walks it: real server and agent processes, the real command line. */
class FirstPathTest {
  @TempDir static Path folder;
  private static PoolFixture pool;

  @BeforeAll
  static void start_pool() {
    pool = PoolFixture.start(folder);
    pool.addAgent("one", 2);
    pool.awaitAgents(1);
  }

  @AfterAll
  static void stop_pool() {
    pool.close();
  }

  @Test
  void a_single_command_prints_its_output_only() {
    ImkerProcess.Finished run = pool.imker("run", "--wait", "--", "echo", "hello");
    assertThat(run.out()).isEqualTo("hello\n");
    assertThat(run.err()).contains("1/1").contains("done 1");
    assertThat(run.exitCode()).isZero();
  }

  @Test
  void braces_make_one_task_per_combination() {
    ImkerProcess.Finished run = pool.imker("run", "--wait", "--", "echo {a,b,c}-{1..4}");
    assertThat(run.out().lines())
        .containsExactly(
            "a-1", "a-2", "a-3", "a-4", "b-1", "b-2", "b-3", "b-4", "c-1", "c-2", "c-3", "c-4");
  }

  @Test
  void named_sweeps_replace_their_names() {
    ImkerProcess.Finished run =
        pool.imker(
            "run", "--wait", "--sweep", "x=1..3", "--sweep", "y=u,v", "--", "echo", "{x}{y}");
    assertThat(run.out().lines()).containsExactly("1u", "1v", "2u", "2v", "3u", "3v");
  }

  @Test
  void files_travel_and_results_come_back_into_one_folder_per_task() throws IOException {
    Path input = pool.home().resolve("numbers.txt");
    Files.writeString(input, "3\n1\n2\n");
    Path results = folder.resolve("sorted");
    ImkerProcess.Finished run =
        pool.imker(
            "run",
            "--wait",
            "--in",
            "numbers.txt",
            "--out",
            "sorted/*.txt",
            "--results",
            results.toString(),
            "--env",
            "GREETING=hi",
            "--",
            "mkdir sorted && sort -n numbers.txt > sorted/{1..3}.txt && echo $GREETING {1..3} &&"
                + " echo oops >&2");
    assertThat(run.err()).contains("9/9");
    assertThat(run.exitCode()).isZero();
    assertThat(results.resolve("0001/sorted/1.txt")).hasContent("1\n2\n3");
    assertThat(results.resolve("0006/sorted/2.txt")).hasContent("1\n2\n3");
    assertThat(results.resolve("0006/stdout")).hasContent("hi 3");
    assertThat(results.resolve("0006/stderr")).hasContent("oops");
    assertThat(results.resolve("0006/exit-code")).hasContent("0");
    assertThat(results.resolve("0006/numbers.txt")).doesNotExist();
  }

  @Test
  void output_that_is_not_text_comes_back_as_it_is() {
    Path results = folder.resolve("bytes");
    String line = "printf '\\377x\\303'; printf '\\376' >&2";
    pool.imker("run", "--wait", "--results", results.toString(), "--", line);
    assertThat(results.resolve("0001/stdout")).hasBinaryContent(new byte[] {-1, 'x', -61});
    assertThat(results.resolve("0001/stderr")).hasBinaryContent(new byte[] {-2});
  }

  @Test
  void new_files_come_back_without_being_named() throws IOException {
    Path results = folder.resolve("unnamed");
    pool.imker("run", "--results", results.toString(), "--", "mkdir a; echo x > a/b; echo y > c");
    assertThat(results.resolve("0001/a/b")).hasContent("x");
    assertThat(results.resolve("0001/c")).hasContent("y");
  }

  @Test
  void a_failing_task_is_tried_again_and_the_exit_code_tells() {
    ImkerProcess.Finished run =
        pool.imker("run", "--name", "failing", "--wait", "--max-failures", "3", "--", "exit 7");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.FAILED);
    assertThat(run.err()).contains("AUTO_BLOCKED").contains("7");
    JsonNode task = pool.imkerJson("show", "failing.1");
    assertThat(task.path("failures").asInt()).isEqualTo(3);
    assertThat(task.path("exitCode").asInt()).isEqualTo(7);
    assertThat(task.path("state").asText()).isEqualTo("AUTO_BLOCKED");
  }

  @Test
  void a_job_can_be_found_by_id_by_name_and_as_the_last_one() {
    JsonNode submitted = pool.imkerJson("run", "--name", "findable", "--", "echo", "{1..3}");
    String id = submitted.path("id").asText();
    assertThat(pool.imker("wait", id).exitCode()).isZero();
    assertThat(pool.imkerJson("show", id).path("status").asText()).isEqualTo("DONE");
    assertThat(pool.imkerJson("show", "findable").path("id").asText()).isEqualTo(id);
    assertThat(pool.imkerJson("show", "findable.2").path("id").asText()).isEqualTo(id + ".2");
    assertThat(pool.imker("logs", id + ".2..3").out()).isEqualTo("2\n3\n");
    ImkerProcess.Finished unknown = pool.imker("show", "findible");
    assertThat(unknown.exitCode()).isEqualTo(ExitCodes.REFUSED);
    assertThat(unknown.err()).contains("findible").contains("findable");
  }

  @Test
  void json_of_a_waited_run_has_the_job_and_every_task() {
    JsonNode run = pool.imkerJson("run", "--wait", "--", "echo", "{1..2}");
    assertThat(run.path("job").path("status").asText()).isEqualTo("DONE");
    assertThat(run.path("tasks")).hasSize(2);
    assertThat(run.path("tasks").get(1).path("stdoutText").asText()).isEqualTo("2\n");
    assertThat(run.path("tasks").get(1).path("exitCode").asInt()).isZero();
  }

  @Test
  void logs_can_be_followed_while_the_task_runs() throws IOException {
    Path gate = folder.resolve("gate");
    String id =
        pool.imkerJson(
                "run",
                "--",
                "echo first; until [ -e " + gate + " ]; do sleep 0.05; done; echo last")
            .path("id")
            .asText();
    ImkerProcess logs = pool.startCommand("logs", "-f", id + ".1");
    await().atMost(Duration.ofSeconds(60)).until(() -> logs.out().contains("first"));
    assertThat(logs.out()).doesNotContain("last");
    Files.createFile(gate);
    logs.awaitExit();
    assertThat(logs.out()).isEqualTo("first\nlast\n");
  }

  @Test
  void cancel_stops_the_whole_process_tree() throws IOException {
    Path begun = folder.resolve("begun");
    String mark = "1000." + System.nanoTime(); // numbers of processes are the task's own
    String id =
        pool.imkerJson("run", "--", "sleep " + mark + " & touch " + begun + "; wait")
            .path("id")
            .asText();
    await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(begun));
    assertThat(processesWith(mark)).isPositive();
    assertThat(pool.imkerJson("cancel", id).path("changed").asInt()).isEqualTo(1);
    assertThat(pool.imker("wait", id).exitCode()).isEqualTo(ExitCodes.FAILED);
    assertThat(pool.imkerJson("show", id).path("status").asText()).isEqualTo("CANCELLED");
    await().atMost(Duration.ofSeconds(60)).until(() -> processesWith(mark) == 0);
  }

  private static long processesWith(String mark) {
    return ProcessHandle.allProcesses()
        .filter(process -> process.info().commandLine().orElse("").contains(mark))
        .count();
  }

  @Test
  void nodes_tell_machine_and_agent() {
    JsonNode node = pool.imkerJson("nodes").path("nodes").get(0);
    assertThat(node.path("platform").path("os").asText()).isEqualTo("linux");
    assertThat(node.path("platform").path("cores").asInt()).isPositive();
    assertThat(node.path("agents").get(0).path("name").asText()).isEqualTo("one");
    assertThat(node.path("agents").get(0).path("slots").asInt()).isEqualTo(2);
  }

  @Test
  void wrong_use_is_explained_without_a_stack_trace() {
    ImkerProcess.Finished nothing = pool.imker("run");
    assertThat(nothing.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(nothing.err()).contains("imker run -- COMMAND").doesNotContain("\tat ");
    ImkerProcess.Finished missing = pool.imker("run", "--in", "nowhere.txt", "--", "true");
    assertThat(missing.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(missing.err()).contains("nowhere.txt").doesNotContain("\tat ");
    ImkerProcess.Finished typo = pool.imker("canel", "1");
    assertThat(typo.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(typo.err()).contains("cancel");
    ImkerProcess.Finished token = pool.imker("ls", "--token", "wrong");
    assertThat(token.exitCode()).isEqualTo(ExitCodes.REFUSED);
    assertThat(token.err()).contains("token");
  }
}
