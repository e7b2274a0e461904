package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.JobWatch;
import dev.imker.cli.terminal.ExitCodes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a pool of real processes survives: killed agents, killed servers. */
class SurvivalTest {
  private static final int TASKS = 1000;

  @TempDir Path folder;

  @Test
  void a_thousand_commands_give_every_result_once_though_agents_are_killed() {
    long seed = System.nanoTime();
    System.out.println("seed " + seed);
    Random random = new Random(seed);
    try (PoolFixture pool = PoolFixture.start(folder, "--lease", "3")) {
      List<ImkerProcess> agents = new ArrayList<>();
      agents.add(pool.addAgent("a", 2));
      agents.add(pool.addAgent("b", 2));
      pool.awaitAgents(2);
      String id = pool.imkerJson("run", "--", "echo result {1.." + TASKS + "}").path("id").asText();
      for (int kill = 0; kill < 6; kill++) {
        int victim = random.nextInt(2);
        int until = Math.min(TASKS, kill * 120 + random.nextInt(120));
        await().atMost(Duration.ofMinutes(2)).until(() -> done(pool, id) >= until);
        agents.get(victim).kill();
        agents.set(victim, pool.addAgent(victim == 0 ? "a" : "b", 2));
      }
      ImkerProcess.Finished wait = pool.imker("wait", id);
      assertThat(wait.exitCode()).as(wait.err()).isZero();
      List<String> outputs = pool.imker("logs", "--stdout", id).out().lines().toList();
      List<String> expected = new ArrayList<>();
      for (int i = 1; i <= TASKS; i++) {
        expected.add("result " + i);
      }
      assertThat(outputs).isEqualTo(expected);
      assertThat(pool.imkerJson("show", id).path("counts").path("done").asInt()).isEqualTo(TASKS);
    }
  }

  @Test
  void tasks_keep_running_while_the_server_is_killed_and_started_again() throws Exception {
    Path gate = folder.resolve("gate");
    Path starts = folder.resolve("starts");
    try (PoolFixture pool = PoolFixture.start(folder)) {
      pool.addAgent("a", 1);
      pool.awaitAgents(1);
      String id =
          pool.imkerJson(
                  "run",
                  "--",
                  "echo started >> "
                      + starts
                      + "; until [ -e "
                      + gate
                      + " ]; do sleep 0.05; done; echo finished")
              .path("id")
              .asText();
      await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(starts));
      CountDownLatch watching = new CountDownLatch(1);
      CompletableFuture<JsonNode> settled =
          CompletableFuture.supplyAsync(() -> watch(pool, id, watching));
      watching.await();
      pool.killServer();
      pool.restartServer();
      pool.awaitAgents(1);
      Files.createFile(gate);
      assertThat(settled.join().path("status").asText()).isEqualTo("DONE");
      JsonNode task = pool.imkerJson("show", id + ".1");
      assertThat(task.path("state").asText()).isEqualTo("DONE");
      assertThat(task.path("attempts").asInt()).isEqualTo(1);
      assertThat(starts).hasContent("started");
      assertThat(pool.imker("logs", id).out()).isEqualTo("finished\n");
    }
  }

  @Test
  void what_finished_while_the_server_was_away_is_delivered_afterwards() throws IOException {
    Path gate = folder.resolve("gate");
    Path finished = folder.resolve("finished");
    try (PoolFixture pool = PoolFixture.start(folder)) {
      pool.addAgent("a", 1);
      pool.awaitAgents(1);
      Path started = folder.resolve("started");
      String id =
          pool.imkerJson(
                  "run",
                  "--",
                  "touch "
                      + started
                      + "; until [ -e "
                      + gate
                      + " ]; do sleep 0.05; done; echo away > result.txt; echo done >> "
                      + finished)
              .path("id")
              .asText();
      await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(started));
      pool.killServer();
      Files.createFile(gate);
      await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(finished));
      pool.restartServer();
      assertThat(pool.imker("wait", id).exitCode()).isZero();
      assertThat(finished).hasContent("done");
      Path results = folder.resolve("results");
      pool.imker("results", id, "--to", results.toString());
      assertThat(results.resolve("0001/result.txt")).hasContent("away");
    }
  }

  @Test
  void ctrl_c_stops_cleanly_and_the_next_start_continues() {
    try (PoolFixture pool = PoolFixture.start(folder)) {
      String id = pool.imkerJson("run", "--", "echo", "later").path("id").asText();
      pool.stopServer();
      ImkerProcess.Finished none = pool.imker("ls");
      assertThat(none.exitCode()).isEqualTo(ExitCodes.NO_SERVER);
      assertThat(none.err()).contains("imker up");
      pool.restartServer();
      pool.addAgent("a", 1);
      assertThat(pool.imker("wait", id).exitCode()).isZero();
      assertThat(pool.imker("logs", id).out()).isEqualTo("later\n");
    }
  }

  @Test
  void a_folder_in_use_and_a_taken_port_are_named() {
    try (PoolFixture pool = PoolFixture.start(folder)) {
      ImkerProcess.Finished folderTaken = pool.imker("server", "--port", "0");
      assertThat(folderTaken.exitCode()).isEqualTo(ExitCodes.USAGE);
      assertThat(folderTaken.err()).contains(pool.home().resolve("data").toString());
      ImkerProcess.Finished portTaken =
          ImkerProcess.run(
              folder.resolve("other"), "server", "--port", Integer.toString(pool.port()));
      assertThat(portTaken.exitCode()).isEqualTo(ExitCodes.USAGE);
      assertThat(portTaken.err()).contains(Integer.toString(pool.port())).contains("--port");
    }
  }

  @Test
  void without_any_server_the_message_says_how_to_start_one() {
    ImkerProcess.Finished none = ImkerProcess.run(folder.resolve("empty"), "ls");
    assertThat(none.exitCode()).isEqualTo(ExitCodes.NO_SERVER);
    assertThat(none.err()).contains("imker up").doesNotContain("\tat ");
  }

  private static JsonNode watch(PoolFixture pool, String id, CountDownLatch watching) {
    try (ApiClient api = pool.api()) {
      return new JobWatch(api, trouble -> {})
          .untilSettled(Long.parseLong(id), view -> watching.countDown());
    }
  }

  private static int done(PoolFixture pool, String id) {
    try (var api = pool.api()) {
      return api.get("/api/v1/jobs/" + id).path("counts").path("done").asInt();
    }
  }
}
