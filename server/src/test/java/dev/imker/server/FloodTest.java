package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.testbase.Attack;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers that want more than their share. */
class FloodTest {
  @TempDir Path folder;

  @Test
  @Attack("flood the server over HTTP")
  void one_who_floods_is_told_when_to_come_back_and_others_are_served() {
    try (TestServer server = TestServer.start(folder)) {
      People people = new People(server);
      Rest eve = people.add("eve", "USER");
      Rest ann = people.add("ann", "USER");
      server.admin().putJson("/api/v1/settings", "{\"http.requests-per-second\":\"1\"}");
      await().until(() -> eve.get("/api/v1/me").status() == 429);
      Rest.Reply refused = eve.get("/api/v1/me");
      assertThat(refused.errorCode()).isEqualTo("too_many_requests");
      assertThat(refused.headers().firstValue("Retry-After")).contains("1");
      assertThat(ann.get("/api/v1/me").status()).isEqualTo(200);
      await().until(() -> eve.get("/api/v1/me").status() == 200);
    }
  }
}
