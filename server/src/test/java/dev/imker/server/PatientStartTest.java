package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.imker.model.ImkerException;
import dev.imker.server.members.SharedPool;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.testdb.CuttingProxy;
import dev.imker.testdb.TestPostgres;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose database is away when it starts. */
@ExpectedLogs("^WARN ")
class PatientStartTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir Path folder;

  private TestServer start(String url) {
    return TestServer.start(
        TestServer.settings(folder.resolve("data")).withShared(SharedPool.of(url)));
  }

  @Test
  void server_waits_for_its_database_then_starts_and_says_when_it_is_away_again() throws Exception {
    String url = TestPostgres.freshDatabase();
    int port = URI.create(url.substring("jdbc:".length())).getPort();
    try (CuttingProxy proxy = CuttingProxy.to(port)) {
      proxy.refuse(true);
      String through = url.replace(":" + port + "/", ":" + proxy.port() + "/");
      CompletableFuture<TestServer> started = CompletableFuture.supplyAsync(() -> start(through));
      assertThatThrownBy(() -> started.get(2, TimeUnit.SECONDS))
          .isInstanceOf(TimeoutException.class);
      proxy.refuse(false);
      try (TestServer server = started.get(120, TimeUnit.SECONDS)) {
        await().until(() -> server.admin().get("/healthz").status() == 200);
        proxy.refuse(true);
        await().atMost(PATIENCE).until(() -> status(server, "/readyz") == 503);
        Rest.Reply health = server.admin().get("/healthz");
        assertThat(health.status()).isEqualTo(503);
        assertThat(health.json().get("problems").toString()).contains("database has not answered");
        assertThat(status(server, "/livez")).isEqualTo(200);
        proxy.refuse(false);
        await().atMost(PATIENCE).until(() -> status(server, "/readyz?role=leader") == 200);
      }
    }
  }

  private static int status(TestServer server, String path) {
    return server.withToken("").get(path).status();
  }

  @Test
  void database_that_does_not_exist_ends_it_at_once() {
    String wrong = TestPostgres.freshDatabase().replaceFirst("/test\\d+", "/no_such_database");
    assertThatThrownBy(() -> start(wrong))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("no_such_database");
  }
}
