package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.testbase.Attack;
import dev.imker.testbase.ExpectedLogs;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Work that wants to be trusted goes only to agents that an admin trusts. */
@ExpectedLogs("Refused agent .* belongs to another key")
class TrustTest {
  @TempDir Path folder;
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.start(folder);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Rest.Reply grant(String node, int level) {
    return server
        .admin()
        .putJson("/api/v1/nodes/" + node + "/trust", "{\"level\":%d}".formatted(level));
  }

  private int trust(String node) {
    return server.admin().get("/api/v1/nodes/" + node).json().at("/agents/0/trust").asInt();
  }

  @Test
  void trusted_work_waits_for_an_agent_that_is_granted_the_level() {
    long job = server.admin().submit("{\"command\":[\"x\"],\"rules\":{\"trust\":3}}");
    try (TestAgent agent = server.agent("a")) {
      agent.nextWelcome();
      JsonNode why = server.admin().get("/api/v1/tasks/" + job + ".1/explain").json();
      assertThat(why.toString()).contains("needs trust level 3, has 0");
      assertThat(grant("a", 2).json().at("/agents/0/trust").asInt()).isEqualTo(2);
      assertThat(server.admin().job(job).at("/status").asText()).isEqualTo("QUEUED");
      assertThat(grant("a", 3).status()).isEqualTo(200);
      agent.finish(TestAgent.success(agent.nextAssignment()));
      assertThat(agent.nextConfirmed().getAccepted()).isTrue();
    }
  }

  @Test
  @Attack("inherit trust with another key after a restart")
  void trust_is_kept_over_a_restart_for_the_same_key_only() {
    try (TestAgent agent = server.agent("a")) {
      agent.nextWelcome();
      grant("a", 5);
      server.restart();
      agent.nextWelcome();
      assertThat(trust("a")).isEqualTo(5);
    }
    try (TestAgent impostor = TestAgent.connect(server.running().joinToken(), "a", "another key")) {
      assertThat(impostor.nextRefused().getReason()).contains("belongs to another key");
    }
    try (TestAgent agent = server.agent("a")) {
      agent.nextWelcome();
      assertThat(trust("a")).isEqualTo(5);
      grant("a", 0);
      assertThat(trust("a")).isZero();
    }
  }

  @Test
  void wrong_levels_and_unknown_nodes_are_refused() {
    assertThat(grant("nowhere", 1).status()).isEqualTo(404);
    try (TestAgent agent = server.agent("a")) {
      agent.nextWelcome();
      assertThat(grant("a", 10).errorField()).isEqualTo("level");
    }
    server.restart();
    assertThat(grant("a", 1).errorCode()).isEqualTo("no_key");
  }
}
