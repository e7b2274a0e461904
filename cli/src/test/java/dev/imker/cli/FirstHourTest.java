package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.client.context.PoolContext;
import dev.imker.testkit.TestPool;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a new user tries in the first hour, and what surprised one. */
class FirstHourTest {
  @TempDir static Path folder;
  private static TestPool pool;
  private static CommandsInProcess commands;

  @BeforeAll
  static void start_pool() {
    pool = TestPool.start(folder);
    commands = new CommandsInProcess(pool);
    await().until(() -> commands.imker("nodes").out().contains("agent-1"));
  }

  @AfterAll
  static void stop_pool() {
    pool.close();
  }

  private static ApiClient api() {
    return new ApiClient(
        new PoolContext(
            URI.create(pool.server().address().toString()), pool.server().adminToken(), ""));
  }

  @Test
  void a_cloned_job_gets_the_inputs_that_are_set() throws IOException {
    Path first = Files.writeString(folder.resolve("first.txt"), "one\n");
    Path second = Files.writeString(folder.resolve("second.txt"), "two\n");
    commands.imker("run", "--name", "reads", "--in", "data.txt=" + first, "--", "cat *.txt");
    ImkerProcess.Finished clone =
        commands.imker("clone", "reads", "--set", "inputs=" + second, "--wait");
    assertThat(clone.out()).as(clone.err()).isEqualTo("two\n");
  }

  @Test
  void setting_a_name_that_the_job_does_not_have_is_refused_with_the_near_one() {
    commands.imker("run", "--name", "swept", "--sweep", "seed=1..2", "--", "echo {seed}");
    ImkerProcess.Finished typo = commands.imker("clone", "swept", "--set", "sed=5");
    assertThat(typo.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(typo.err()).contains("Did you mean 'seed'").contains("sweep.sed=VALUES");
    assertThat(commands.imker("clone", "swept", "--set", "seed=5", "--wait").out())
        .isEqualTo("5\n");
    assertThat(commands.imker("clone", "swept", "--set", "sweep.more=1..2", "--wait").err())
        .contains("2/2");
  }

  @Test
  void a_mistyped_parameter_is_refused_and_literal_braces_stay_possible() {
    ImkerProcess.Finished typo = commands.imker("run", "--sweep", "m=1..3", "--", "echo {n}");
    assertThat(typo.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(typo.err()).contains("Did you mean {m}?").contains("\\{n}");
    assertThat(commands.imker("run", "--wait", "--sweep", "m=1..2", "--", "echo {m} \\{n}").out())
        .isEqualTo("1 {n}\n2 {n}\n");
    assertThat(
            commands
                .imker("run", "--wait", "--no-braces", "--sweep", "m=1..2", "--", "echo {n}")
                .out())
        .isEqualTo("{n}\n{n}\n");
    assertThat(
            commands
                .imker("run", "--wait", "--sweep", "m=7", "--", "echo {m} | awk '{print}'")
                .out())
        .isEqualTo("7\n");
  }

  @Test
  void results_come_into_a_folder_named_relative_to_here() throws IOException {
    Path here = Path.of("").toAbsolutePath();
    Path out = Files.createTempDirectory(Path.of("target"), "out-");
    String relative = "./" + here.relativize(out.toAbsolutePath()) + "/../" + out.getFileName();
    ImkerProcess.Finished run =
        commands.imker("run", "--results", relative, "--", "echo x > made.txt");
    assertThat(run.exitCode()).as(run.err()).isZero();
    assertThat(out.resolve("0001/made.txt")).hasContent("x");
  }

  @Test
  void a_job_whose_open_tasks_are_all_held_back_is_blocked() {
    String id = commands.json("run", "--", "test {1..4} = 1 || sleep 1000").path("id").asText();
    await().until(() -> commands.json("show", id).at("/counts/done").asInt() == 1);
    commands.imker("block", id);
    assertThat(commands.json("show", id).path("status").asText()).isEqualTo("BLOCKED");
    assertThat(commands.imker("ls", "--status", "BLOCKED").out()).contains("BLOCKED");
    assertThat(commands.imker("delete", "--all", "--dry-run").out()).contains("would be");
    commands.imker("release", id);
    assertThat(commands.json("show", id).path("status").asText()).isEqualTo("RUNNING");
    commands.imker("cancel", id);
  }

  @Test
  void a_file_of_a_data_set_can_be_fetched() throws IOException {
    Path file = Files.writeString(folder.resolve("prices.csv"), "1,2\n");
    assertThat(commands.imker("chart", "data", "put", "prices", file.toString()).exitCode())
        .isZero();
    try (ApiClient api = api();
        InputStream body = api.open("/api/v1/datasets/prices/files/prices.csv")) {
      assertThat(new String(body.readAllBytes(), StandardCharsets.UTF_8)).isEqualTo("1,2\n");
    }
  }

  @Test
  void explain_says_that_a_running_task_is_paused() {
    String id = commands.json("run", "--", "sleep 1000").path("id").asText();
    await().until(() -> commands.json("show", id).at("/counts/running").asInt() == 1);
    commands.imker("nodes", "agent-1", "--pause", "--why", "dust");
    await().until(() -> commands.imker("explain", id + ".1").out().contains("It is paused there"));
    assertThat(commands.imker("explain", id + ".1").out()).contains("paused by admin: dust");
    commands.imker("nodes", "agent-1", "--resume");
    commands.imker("cancel", id);
  }

  @Test
  void explain_tells_of_a_slot_quota() {
    await().until(() -> commands.imker("nodes").out().contains("agent-1"));
    commands.imker("users", "add", "quota", "--no-password", "--slots", "1");
    assertThat(commands.imker("nodes", "allow-unsandboxed", "agent-1", "--why", "a test").out())
        .contains("sandbox off, allowed by admin: a test");
    CommandsInProcess limited =
        commands.as(commands.imker("tokens", "create", "--user", "quota", "laptop").out().strip());
    String id = limited.json("run", "--", "sleep {1000..1001}").path("id").asText();
    await().until(() -> limited.json("show", id).at("/counts/running").asInt() == 1);
    String waiting =
        limited.json("show", id + ".1").path("state").asText().equals("READY") ? ".1" : ".2";
    assertThat(limited.imker("explain", id + waiting).out())
        .contains("quota may use 1 slot at once and uses 1");
    limited.imker("cancel", id);
  }

  @Test
  void a_signal_has_its_name() {
    commands.imker("run", "--name", "shot", "--wait", "--max-failures", "1", "--", "kill -SEGV $$");
    assertThat(commands.imker("show", "shot.1").out()).contains("illed by SIGSEGV");
  }

  @Test
  void tasks_of_a_job_are_shown_page_by_page_and_by_state() {
    String id = commands.json("run", "--", "true {1..5}").path("id").asText();
    commands.imker("wait", id);
    assertThat(commands.imker("show", id, "-n", "2").out())
        .contains("… more: imker show " + id + " --from 3");
    assertThat(commands.imker("show", id, "--from", "5").out()).contains(id + ".5");
    assertThat(commands.imker("show", id, "--state", "FAILED").out()).doesNotContain(id + ".1 ");
  }

  @Test
  void a_program_that_is_not_there_fails_at_once_and_tells_the_path() {
    ImkerProcess.Finished run =
        commands.imker("run", "--name", "absent", "--wait", "--", "no-such-program", "1");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.FAILED);
    assertThat(run.err()).contains("There is no program no-such-program").contains("PATH is ");
    assertThat(commands.json("show", "absent.1").path("attempts").asInt()).isEqualTo(1);
  }

  @Test
  void at_most_so_many_tasks_of_a_job_run_at_the_same_time() {
    String id =
        commands.json("run", "--at-most", "1", "--", "sleep {1000..1003}").path("id").asText();
    await().until(() -> commands.json("show", id).at("/counts/running").asInt() == 1);
    commands.imker("run", "--wait", "--", "true");
    assertThat(commands.json("show", id).at("/counts/running").asInt()).isEqualTo(1);
    assertThat(commands.imker("explain", id + ".4").out())
        .contains("At most 1 task of its stage may run at once.");
    commands.imker("cancel", id + ".1");
    await().until(() -> commands.json("show", id).at("/counts/running").asInt() == 1);
    commands.imker("cancel", id);
  }

  @Test
  void a_job_may_follow_another_whether_that_succeeded_or_not() {
    String first = commands.json("run", "--max-failures", "1", "--", "exit 3").path("id").asText();
    assertThat(commands.imker("run", "--after-any", first, "--wait", "--", "echo next").out())
        .isEqualTo("next\n");
    ImkerProcess.Finished strict =
        commands.imker("run", "--after", first, "--wait", "--", "echo never");
    assertThat(strict.exitCode()).isEqualTo(ExitCodes.FAILED);
    assertThat(strict.err()).contains("predecessor " + first + ".1 failed");
  }

  @Test
  void a_task_that_takes_more_memory_than_its_job_allows_is_stopped_and_told_so() {
    ImkerProcess.Finished run =
        commands.imker(
            "run",
            "--max-memory",
            "20M",
            "--max-failures",
            "1",
            "--wait",
            "--",
            "x=$(head -c 80000000 /dev/zero | tr '\\0' x); sleep 60");
    assertThat(run.err()).contains("Used more than 20 MB of memory (max-memory of the job).");
  }

  @Test
  void licences_of_the_pool_are_set_used_and_removed() {
    assertThat(commands.imker("resources", "set", "matlab", "2").out()).contains("matlab  2");
    ImkerProcess.Finished run =
        commands.imker("run", "--wait", "--resource", "matlab=1", "--", "echo", "licensed");
    assertThat(run.out()).contains("licensed");
    assertThat(commands.json("resources").at("/resources/0/used").toString()).isEqualTo("0");
    ImkerProcess.Finished unknown =
        commands.imker("run", "--resource", "mathlab=1", "--", "echo", "no");
    assertThat(unknown.err()).contains("Nobody has 'mathlab'").contains("Did you mean matlab?");
    assertThat(commands.imker("resources", "remove", "matlab").out())
        .contains("No shared resources");
    assertThat(commands.imker("resources", "set", "cores", "2").err())
        .contains("not a valid resource name");
  }

  @Test
  void needs_that_no_machine_can_meet_are_told_at_submission() {
    ImkerProcess.Finished run = commands.imker("run", "--cores", "64", "--", "true");
    assertThat(run.exitCode()).isEqualTo(ExitCodes.OK);
    assertThat(run.err())
        .contains("imker: warning: No machine has 64 cores; the largest, ")
        .contains("The job waits until one joins.");
    commands.imker("cancel", "last");
    assertThat(commands.imker("nodes").out()).containsPattern("cores [0-9.]+/16  memory 0.0/");
  }

  @Test
  void a_job_is_tried_again_with_its_repaired_script() throws IOException {
    Path script = Files.writeString(folder.resolve("sim.sh"), "exit 3\n");
    Path data = Files.writeString(folder.resolve("data.txt"), "42\n");
    String id =
        commands
            .json(
                "run",
                "--max-failures",
                "1",
                "--in",
                script.toString(),
                "--in",
                data.toString(),
                "--",
                "sh sim.sh")
            .path("id")
            .asText();
    commands.imker("wait", id);
    Files.writeString(script, "cat data.txt\n");
    ImkerProcess.Finished retry = commands.imker("retry", id, "--in", script.toString());
    assertThat(retry.out()).as(retry.err()).contains("sent again: sim.sh").contains("1 task");
    assertThat(commands.imker("wait", id).exitCode()).isZero();
    assertThat(commands.imker("logs", id).out()).contains("42");
    assertThat(commands.imker("retry", id, "--in", script.toString()).out())
        .contains("its inputs have not changed");
    ImkerProcess.Finished other = commands.imker("retry", id, "--in", "x.sh=" + script);
    assertThat(other.exitCode()).isEqualTo(ExitCodes.REFUSED);
    assertThat(other.err()).contains("has no input 'x.sh'; it has data.txt, sim.sh.");
    assertThat(commands.imker("retry", id, "--refresh").err())
        .contains("this folder has none of the inputs");
    assertThat(commands.imker("run", "--at-most", "-3", "--", "true").err())
        .contains("--at-most: -3 is out of bounds")
        .doesNotContain("rules.");
    assertThat(commands.imker("run", "--in", "n".repeat(300) + "=" + script, "--", "true").err())
        .contains("--in: ")
        .doesNotContain("inputs[");
    assertThat(commands.imker("block", id).out()).contains("none is in a state that allows it");
    assertThat(commands.imker("retry", "--all", "--refresh").err()).contains("give its id");
  }

  @Test
  void the_use_of_a_job_counts_all_of_its_attempts() {
    String id = commands.json("run", "--max-failures", "2", "--", "exit 1").path("id").asText();
    commands.imker("wait", id);
    JsonNode usage = commands.json("usage", "--job", id);
    assertThat(usage.path("attempts").asInt()).isEqualTo(2);
    assertThat(usage.path("wastedAttempts").asInt()).isEqualTo(2);
    assertThat(commands.imker("usage", "--job", id).out()).contains("CPU TIME");
  }

  @Test
  void a_machine_that_is_connected_is_not_forgotten() {
    ImkerProcess.Finished refused = commands.imker("nodes", "forget", "agent-1");
    assertThat(refused.exitCode()).isEqualTo(ExitCodes.REFUSED);
    assertThat(refused.err()).contains("is connected; stop its agent first");
  }

  @Test
  void values_quoted_for_the_shell_are_not_shown_as_parameters() {
    ImkerProcess.Finished run =
        commands.imker("run", "--name", "quoted", "--wait", "--", "echo {}", ":::", "a b");
    assertThat(run.out() + run.err() + commands.imker("show", "quoted").out())
        .contains("arg=a b")
        .doesNotContain("arg_quoted=");
  }

  @Test
  void states_have_colours_on_terminals_or_where_they_are_asked_for() {
    commands.imker("run", "--name", "painted", "--wait", "--", "true");
    assertThat(commands.imker("show", "painted").out()).contains("DONE").doesNotContain("\033");
    assertThat(commands.imker("show", "painted", "--color", "always").out())
        .contains("\033[32mDONE\033[0m");
    assertThat(commands.imker("show", "painted", "--json", "--color", "always").out())
        .contains("\"DONE\"")
        .doesNotContain("\033");
  }

  @Test
  void the_pool_is_shown_on_one_page() {
    assertThat(commands.imker("top", "--once").out()).contains("slots busy on 1 machine");
  }
}
