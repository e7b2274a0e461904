package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.core.message.Outbox;
import dev.imker.server.loop.Command;
import dev.imker.server.loop.PoolState;
import dev.imker.testbase.ExpectedLogs;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@ExpectedLogs("The scheduler failed; stopping this server")
class HealthTest {
  @TempDir Path folder;

  /** Something that fails when it is on disk already. */
  static final class Poison implements Command {
    @Override
    public void apply(PoolState pool, long nowMillis, Outbox out) {}

    @Override
    public void committed() {
      throw new IllegalStateException("poison");
    }
  }

  @Test
  void a_healthy_server_says_so_to_everybody() {
    try (TestServer server = TestServer.start(folder)) {
      Rest nobody = server.withToken("");
      assertThat(nobody.get("/livez").status()).isEqualTo(200);
      assertThat(nobody.get("/readyz").json().get("role").asText()).isEqualTo("leader");
      assertThat(nobody.get("/readyz?role=leader").status()).isEqualTo(200);
      assertThat(nobody.get("/readyz?role=standby").status()).isEqualTo(503);
      assertThat(nobody.get("/healthz").status()).isEqualTo(401);
      assertThat(server.admin().get("/healthz").json().get("problems")).isEmpty();
    }
  }

  @Test
  void a_server_whose_scheduler_failed_says_so_and_is_to_be_ended() {
    try (TestServer server = TestServer.start(folder)) {
      ((ImkerServer) server.running()).loop().tell(new Poison());
      assertThat(server.running().failure().join()).hasMessage("poison");
      Rest nobody = server.withToken("");
      await().until(() -> nobody.get("/livez").status() == 503);
      assertThat(nobody.get("/readyz").status()).isEqualTo(503);
      Rest.Reply health = server.admin().get("/healthz");
      assertThat(health.status()).isEqualTo(503);
      assertThat(health.json().get("problems").toString()).contains("scheduler has failed");
    }
  }
}
