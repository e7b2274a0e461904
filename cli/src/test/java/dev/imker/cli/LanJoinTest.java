package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** A server is found by machines of its network, which join by its code, and by no others. */
@EnabledOnOs(OS.LINUX)
class LanJoinTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir static Path folder;
  private static HomeNetwork network;
  private static ImkerProcess up;
  private static JsonNode told;

  @BeforeAll
  static void start() throws Exception {
    Optional<HomeNetwork> built = HomeNetwork.build();
    assumeTrue(built.isPresent(), "network namespaces are not permitted here");
    network = built.orElseThrow();
    up =
        ImkerProcess.start(
            network.onServer(),
            folder.resolve("server"),
            "up",
            "--listen",
            "0.0.0.0",
            "--agents",
            "0",
            "--json");
    await().atMost(PATIENCE).until(() -> up.out().contains("\n"));
    told = new ObjectMapper().readTree(up.out());
  }

  @AfterAll
  static void stop() {
    if (up != null) {
      up.kill();
    }
    if (network != null) {
      network.close();
    }
  }

  @Test
  void a_machine_in_the_network_joins_by_the_code_and_not_by_another() throws Exception {
    String code = told.path("pairingCode").asText();
    String wrong = (code.startsWith("0") ? "1" : "0") + code.substring(1);
    ImkerProcess agent = typing(network.besideServer(), "a code", wrong, code);
    try {
      await().atMost(PATIENCE).until(() -> agent.out().contains("connected to pool"));
      assertThat(agent.out())
          .contains("imker on ")
          .contains("https://" + HomeNetwork.SERVER_ADDRESS + ":7070")
          .contains(told.path("fingerprint").asText().substring(0, 4))
          .contains("eight digits")
          .contains("not the pairing code; 4 tries are left");
    } finally {
      agent.kill();
    }
  }

  @Test
  void behind_a_router_no_pool_is_found() {
    ImkerProcess.Finished agent =
        ImkerProcess.start(network.atHome(), folder.resolve("home"), "agent").finished();
    assertThat(agent.exitCode()).isNotZero();
    assertThat(agent.err()).contains("No pool announces itself", "--join TOKEN");
  }

  private static ImkerProcess typing(List<String> machine, String... lines) throws Exception {
    Path typed = Files.writeString(folder.resolve("typed"), String.join("\n", lines) + "\n");
    List<String> before = new ArrayList<>(machine);
    before.addAll(
        List.of("sh", "-c", "from=$1; shift; exec \"$@\" <\"$from\"", "sh", typed.toString()));
    return ImkerProcess.start(
        before, folder.resolve("agent"), Map.of(), "agent", "--name", "second");
  }
}
