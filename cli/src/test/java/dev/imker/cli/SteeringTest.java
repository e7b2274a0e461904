package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.terminal.ExitCodes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Strategy, explanations and statistics as a user sees them, with real processes. */
class SteeringTest {
  @TempDir static Path folder;
  private static PoolFixture pool;

  @BeforeAll
  static void start_pool() {
    pool = PoolFixture.start(folder);
    pool.addAgent("one", 1);
    pool.awaitAgents(1);
  }

  @AfterAll
  static void stop_pool() {
    pool.close();
  }

  @Test
  void the_strategy_is_shown_changed_and_kept() {
    ImkerProcess.Finished list = pool.imker("strategy");
    assertThat(list.out()).contains("survival").contains("round-robin").contains("imker strategy");
    assertThat(pool.imker("strategy", "set", "runtime", "s=2").out()).contains("runtime:s=2");
    pool.killServer();
    pool.restartServer();
    pool.awaitAgents(1);
    JsonNode kept = pool.imkerJson("strategy");
    assertThat(kept.path("name").asText()).isEqualTo("runtime");
    assertThat(kept.path("parameters").path("s").asText()).isEqualTo("2");
    ImkerProcess.Finished typo = pool.imker("strategy", "set", "survial");
    assertThat(typo.exitCode()).isEqualTo(ExitCodes.REFUSED);
    assertThat(typo.err()).contains("survival");
    assertThat(pool.imker("strategy", "set", "runtime", "s").exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(pool.imker("strategy", "set", "balanced").exitCode()).isZero();
  }

  private static String pause() {
    return pool.imkerJson("nodes", "one").at("/agents/0/pause").asText();
  }

  @Test
  void a_machine_that_an_admin_paused_stays_so_over_a_restart() {
    assertThat(pool.imker("nodes", "--pause").exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(pool.imker("nodes", "one", "--pause", "--resume").exitCode())
        .isEqualTo(ExitCodes.USAGE);
    assertThat(pool.imker("nodes", "one", "--pause", "--why", "dust").out())
        .contains("paused     by admin")
        .contains("dust");
    await().atMost(Duration.ofSeconds(60)).until(() -> pause().equals("by admin: dust"));
    pool.killServer();
    pool.restartServer();
    pool.awaitAgents(1);
    await().atMost(Duration.ofSeconds(60)).until(() -> pause().equals("by admin: dust"));
    String id = pool.imkerJson("run", "--", "echo on").path("id").asText();
    assertThat(pool.imker("explain", id + ".1").out()).contains("is paused by admin: dust");
    assertThat(pool.imker("nodes", "one", "--resume", "--kinds", "java").out())
        .contains("used only  for jobs of the kind java");
    assertThat(pool.imker("explain", id + ".1").out())
        .contains("is used only for jobs of the kind java, not command");
    assertThat(pool.imker("nodes", "one", "--unrestrict").exitCode()).isZero();
    assertThat(pool.imker("wait", id).exitCode()).isZero();
  }

  @Test
  void a_task_that_waits_and_a_task_that_failed_are_explained() {
    pool.imker("run", "--name", "broken", "--wait", "--max-failures", "1", "--", "exit 7");
    assertThat(pool.imker("explain", "broken.1").out())
        .contains("AUTO_BLOCKED")
        .contains("exit code 7")
        .contains("imker release");
    String id =
        pool.imkerJson("run", "--project", "slow", "--", "sleep", "{1000..1002}")
            .path("id")
            .asText();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> pool.imker("explain", id + ".1").out().contains("RUNNING"));
    ImkerProcess.Finished waiting = pool.imker("explain", id + ".3");
    assertThat(waiting.out()).contains("READY").contains("busy").contains("1 tasks of its project");
    assertThat(pool.imkerJson("explain", id + ".3").path("reason").asText())
        .isEqualTo("SLOTS_BUSY");
    assertThat(pool.imker("explain", "--node", "one").out())
        .contains("No slot is free")
        .contains("reliability");
    pool.imker("cancel", id);
  }

  @Test
  void the_only_task_of_a_job_is_not_the_job() {
    pool.imker("run", "--name", "lone", "--wait", "--", "true");
    ImkerProcess.Finished refused = pool.imker("delete", "lone.1");
    assertThat(refused.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(refused.err()).contains("Only whole jobs can be deleted");
    assertThat(pool.imker("set", "lone.1", "--priority", "9").out()).contains("task");
    assertThat(pool.imker("show", "lone.1").out()).contains("own limits priority 9");
    assertThat(pool.imker("delete", "lone").exitCode()).isZero();
  }

  @Test
  void statistics_of_nodes_and_projects_are_shown() {
    pool.imker("run", "--wait", "--", "true");
    JsonNode profile = pool.imkerJson("nodes", "one").path("profile");
    assertThat(profile.path("successes").asInt()).isPositive();
    assertThat(profile.has("R") && profile.has("nP") && profile.has("avU")).isTrue();
    assertThat(pool.imker("nodes", "one").out())
        .contains("R (published)")
        .contains("succeeded")
        .doesNotContain("{");
    assertThat(pool.imkerJson("projects").path("projects").findValuesAsText("project"))
        .contains("default");
    assertThat(pool.imker("projects").out()).contains("PROJECT").contains("/default");
  }

  @Test
  void the_pools_own_history_is_replayed_from_its_server_and_from_its_folder() {
    pool.imker("run", "--wait", "--project", "twin", "--", "sleep", "0.{01..20}");
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> replay("server", "--strategy", "random").exitCode() == ExitCodes.OK);
    assertThat(replay("server", "--strategy", "random").out())
        .contains("1 nodes")
        .containsAnyOf("Nothing to change.", "would have finished");
    ImkerProcess.Finished folderReplay = replay(pool.home().resolve("data").toString(), "--json");
    assertThat(folderReplay.err()).isEmpty();
    JsonNode results = PoolFixture.json(folderReplay.out());
    assertThat(results).hasSizeGreaterThanOrEqualTo(3);
    for (JsonNode result : results) {
      assertThat(result.at("/makespan/mean").asDouble()).isPositive();
    }
    ImkerProcess.Finished nowhere = replay(pool.home().resolve("nothing").toString());
    assertThat(nowhere.exitCode()).isEqualTo(ExitCodes.USAGE);
    assertThat(nowhere.err()).contains("There is no pool in");
  }

  private static ImkerProcess.Finished replay(String where, String... options) {
    List<String> all = new ArrayList<>(List.of("sim", "--from-history", where, "--seeds", "2"));
    all.addAll(List.of(options));
    return pool.imker(all.toArray(String[]::new));
  }
}
