package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.imker.model.ImkerException;
import dev.imker.testdb.CuttingProxy;
import dev.imker.testdb.TestPostgres;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose database is away when it starts. */
class PatientStartTest {
  @TempDir Path folder;

  private TestServer start(String url) {
    return TestServer.start(
        TestServer.settings(folder.resolve("data")).withShared(SharedPool.of(url)));
  }

  @Test
  void server_waits_for_its_database_and_then_starts() throws Exception {
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
      }
    }
  }

  @Test
  void database_that_does_not_exist_ends_it_at_once() {
    String wrong = TestPostgres.freshDatabase().replaceFirst("/test\\d+", "/no_such_database");
    assertThatThrownBy(() -> start(wrong))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("no_such_database");
  }
}
