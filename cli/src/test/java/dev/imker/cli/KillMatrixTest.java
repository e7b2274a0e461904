package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.TaskRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * What can happen to a machine while tasks run on it, besides what {@link SurvivalTest} does: a
 * killed task, a machine that sleeps, a clock that jumps, a disk that is full. Nothing is lost and
 * nothing counts twice.
 */
@EnabledOnOs(OS.LINUX)
class KillMatrixTest {
  @TempDir Path folder;

  /** A task that says when it began, waits for the gate and ends with a result. */
  private String gated(String name) {
    return "echo begun >> %s.begun; until [ -e %s ]; do sleep 0.05; done; echo %s"
        .formatted(folder.resolve(name), folder.resolve("gate"), name);
  }

  /** How often the task has begun; once it has. */
  private int begins(String name) {
    Path begun = folder.resolve(name + ".begun");
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> Files.exists(begun) && !lines(begun).isEmpty());
    return lines(begun).size();
  }

  /**
   * Kills the shell of the task itself, below all that confines it; its own number says nothing
   * here.
   */
  private void killTask() {
    List<ProcessHandle> shells =
        ProcessHandle.allProcesses()
            .filter(this::isTask)
            .filter(process -> process.children().noneMatch(this::isTask))
            .toList();
    assertThat(shells).hasSize(1);
    shells.getFirst().destroyForcibly();
  }

  private boolean isTask(ProcessHandle process) {
    return process.info().commandLine().orElse("").contains("[ -e " + folder.resolve("gate"));
  }

  private static List<String> lines(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void command(String... words) throws Exception {
    Process process = new ProcessBuilder(words).inheritIO().start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(String.join(" ", words)).isZero();
  }

  private static void assertDoneOnce(PoolFixture pool, String job, String output) {
    assertThat(pool.imker("wait", job).exitCode()).isZero();
    JsonNode task = pool.imkerJson("show", job + ".1");
    assertThat(task.path("state").asText()).isEqualTo("DONE");
    assertThat(pool.imker("logs", job).out()).isEqualTo(output);
  }

  @Test
  void a_killed_task_is_tried_again() throws Exception {
    try (PoolFixture pool = PoolFixture.start(folder)) {
      pool.addAgent("a", 1);
      String job = pool.imkerJson("run", "--", gated("task")).path("id").asText();
      int first = begins("task");
      killTask();
      await().atMost(Duration.ofSeconds(60)).until(() -> begins("task") > first);
      Files.createFile(folder.resolve("gate"));
      assertDoneOnce(pool, job, "task\n");
      assertThat(pool.imkerJson("show", job + ".1").path("failures").asInt()).isOne();
    }
  }

  @Test
  void a_machine_that_sleeps_for_longer_than_its_lease_gives_no_second_result() throws Exception {
    try (PoolFixture pool = PoolFixture.start(folder, "--lease", "3")) {
      ImkerProcess sleeper = pool.addAgent("sleeper", 1);
      pool.awaitAgents(1);
      String job = pool.imkerJson("run", "--", gated("task")).path("id").asText();
      int first = begins("task");
      command("kill", "-STOP", Long.toString(sleeper.pid()));
      pool.addAgent("other", 1);
      await().atMost(Duration.ofSeconds(60)).until(() -> begins("task") > first);
      Files.createFile(folder.resolve("gate")); // both of them get to their end
      assertDoneOnce(pool, job, "task\n");
      command("kill", "-CONT", Long.toString(sleeper.pid()));
      pool.awaitAgents(2);
      JsonNode task = pool.imkerJson("show", job + ".1");
      assertThat(task.path("losses").asInt()).isPositive();
      assertThat(pool.imkerJson("show", job).path("counts").path("done").asInt()).isOne();
      assertThat(pool.imker("run", "--wait", "--", "echo next").out()).isEqualTo("next\n");
    }
  }

  @Test
  void a_jump_of_the_machines_clock_disturbs_nobody() throws Exception {
    Path library = Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1");
    assumeTrue(Files.exists(library), "libfaketime is not installed");
    Path offset = Files.writeString(folder.resolve("offset"), "+0s\n");
    try (PoolFixture pool = PoolFixture.start(folder)) {
      ImkerProcess agent =
          pool.addAgent(
              "jumper",
              1,
              Map.of(
                  "LD_PRELOAD",
                  library.toString(),
                  "FAKETIME_TIMESTAMP_FILE",
                  offset.toString(),
                  "FAKETIME_NO_CACHE",
                  "1",
                  "DONT_FAKE_MONOTONIC",
                  "1"));
      pool.awaitAgents(1);
      String job = pool.imkerJson("run", "--", gated("task")).path("id").asText();
      begins("task");
      Files.writeString(offset, "+3h\n");
      await().pollDelay(Duration.ofSeconds(2)).until(agent::isAlive);
      Files.writeString(offset, "-2d\n");
      await().pollDelay(Duration.ofSeconds(2)).until(agent::isAlive);
      Files.createFile(folder.resolve("gate"));
      assertDoneOnce(pool, job, "task\n");
      assertThat(lines(folder.resolve("task.begun"))).hasSize(1);
    }
  }

  @Test
  void the_next_attempt_goes_on_from_the_last_checkpoint() throws Exception {
    try (PoolFixture pool = PoolFixture.start(folder, "--lease", "3");
        ApiClient api = pool.api()) {
      ImkerProcess agent = pool.addAgent("a", 1);
      String line =
          "cat steps 2>/dev/null; echo step >> steps; echo begun >> "
              + folder.resolve("task.begun")
              + "; until [ -e "
              + folder.resolve("gate")
              + " ]; do sleep 0.05; done";
      TaskRules saving =
          new TaskRules(
              5, 0, 0, false, 1, "", 0, false, List.of("steps"), 200, "", "", false, 0, 0);
      JobSpec spec =
          JobSpec.of(
              "saver",
              "test",
              JobKind.COMMAND,
              Stage.of(List.of(line), List.of()).withRules(saving));
      String job = api.post("/api/v1/jobs", spec).path("id").asText();
      int first = begins("task");
      await().until(() -> savedAtTheServer().contains("steps"));
      agent.kill();
      pool.addAgent("b", 1);
      await().atMost(Duration.ofSeconds(60)).until(() -> begins("task") > first);
      Files.createFile(folder.resolve("gate"));
      assertDoneOnce(pool, job, "step\n");
    }
  }

  /** What the next attempt of the only task that saves anything would get. */
  private String savedAtTheServer() throws SQLException {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("home/data/imker.db"));
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT files FROM checkpoint")) {
      return rows.next() ? rows.getString(1) : "";
    }
  }

  @Test
  void a_full_disk_fails_the_task_in_words_and_the_agent_lives_on() throws Exception {
    Path small = Files.createDirectories(folder.resolve("agent-small/agent"));
    Process mount =
        new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", small.toString())
            .start();
    assumeTrue(mount.waitFor() == 0, "mounting a small disk is not permitted here");
    try (PoolFixture pool = PoolFixture.start(folder)) {
      pool.addAgent("small", 1);
      pool.awaitAgents(1);
      ImkerProcess.Finished full =
          pool.imker(
              "run", "--wait", "--max-failures", "2", "--", "head -c 40000000 /dev/zero > big");
      assertThat(full.exitCode()).isEqualTo(ExitCodes.FAILED);
      assertThat(full.err()).contains("exit code 1");
      Path input = folder.resolve("large");
      Files.write(input, new byte[40_000_000]);
      String tooLarge =
          pool.imkerJson("run", "--in", input.toString(), "--", "wc -c large").path("id").asText();
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> pool.imker("nodes", "small").out().contains("paused"));
      // Another machine has room for it.
      pool.addAgent("large", 1);
      assertDoneOnce(pool, tooLarge, "40000000 large\n");
      assertThat(pool.imker("run", "--wait", "--", "echo fine").out()).isEqualTo("fine\n");
    } finally {
      command("umount", "-l", small.toString());
    }
  }
}
