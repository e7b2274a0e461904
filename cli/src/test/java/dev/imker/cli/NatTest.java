package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * An agent behind a router that translates addresses, as in every home. Needs root; skipped, saying
 * why, where namespaces are not permitted.
 */
@EnabledOnOs(OS.LINUX)
class NatTest {
  @TempDir Path folder;

  @Test
  void an_agent_without_any_way_in_does_its_work_and_survives_a_pulled_plug() throws Exception {
    Optional<HomeNetwork> built = HomeNetwork.build();
    assumeTrue(built.isPresent(), "network namespaces are not permitted here");
    try (HomeNetwork network = built.orElseThrow()) {
      assertThat(network.hasWayIn()).isFalse();
      Path home = folder.resolve("server");
      ImkerProcess server =
          ImkerProcess.start(
              network.onServer(),
              home,
              "server",
              "--listen",
              HomeNetwork.SERVER_ADDRESS,
              "--port",
              "7070",
              "--lease",
              "60",
              "--json");
      ImkerProcess agent = null;
      try {
        await().atMost(Duration.ofSeconds(60)).until(() -> server.out().contains("\n"));
        String token =
            PoolFixture.json(server.out().lines().findFirst().orElseThrow())
                .path("joinToken")
                .asText();
        agent =
            ImkerProcess.start(
                network.atHome(),
                folder.resolve("agent"),
                "agent",
                "--join",
                token,
                "--name",
                "home",
                "--slots",
                "2");
        ImkerProcess running = agent;
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> running.out().contains("connected to pool"));
        Path input = Files.writeString(folder.resolve("input.txt"), "x".repeat(200_000));
        ImkerProcess.Finished first =
            imker(
                network,
                home,
                "run",
                "--wait",
                "--in",
                input.toString(),
                "--",
                "wc -c < input.txt");
        assertThat(first.exitCode()).as(first.err()).isZero();
        assertThat(first.out().strip()).isEqualTo("200000");

        ImkerProcess waiting =
            ImkerProcess.start(
                network.onServer(), home, "run", "--wait", "--", "sleep 3; echo {1..4}");
        await().atMost(Duration.ofSeconds(60)).until(() -> running(network, home) > 0);
        network.plug(false);
        // Long enough for the tasks to end while nobody can be told.
        await().pollDelay(Duration.ofSeconds(5)).until(() -> true);
        network.plug(true);
        waiting.awaitExit();
        assertThat(waiting.out().lines()).containsExactlyInAnyOrder("1", "2", "3", "4");
        JsonNode last = PoolFixture.json(imker(network, home, "show", "--json", "last").out());
        assertThat(last.path("counts").path("done").asInt()).isEqualTo(4);
      } finally {
        if (agent != null) {
          agent.kill();
        }
        server.kill();
      }
    }
  }

  private static int running(HomeNetwork network, Path home) {
    JsonNode job = PoolFixture.json(imker(network, home, "show", "--json", "last").out());
    return job.path("counts").path("running").asInt();
  }

  private static ImkerProcess.Finished imker(HomeNetwork network, Path home, String... arguments) {
    return ImkerProcess.start(network.onServer(), home, arguments).finished();
  }
}
