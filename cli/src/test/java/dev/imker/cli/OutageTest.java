package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.cli.api.ApiClient;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.client.context.PoolContext;
import dev.imker.server.ImkerServer;
import dev.imker.server.RunningServer;
import dev.imker.server.ServerSettings;
import dev.imker.server.members.SharedPool;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.testdb.CuttingProxy;
import dev.imker.testdb.TestPostgres;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Commands that wait, while PostgreSQL cannot be reached. */
@ExpectedLogs({"^WARN ", "Cannot write; reloading the state"})
class OutageTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  @TempDir Path folder;
  private CuttingProxy database;
  private RunningServer server;
  private ApiClient api;
  private String job;

  @BeforeEach
  void start() throws IOException {
    String url = TestPostgres.freshDatabase();
    int port = URI.create(url.substring("jdbc:".length())).getPort();
    database = CuttingProxy.to(port);
    server =
        ImkerServer.start(
            ServerSettings.of(folder)
                .withPort(0)
                .withPoolName("test")
                .withSignOfLifeMillis(200)
                .withShared(
                    SharedPool.of(url.replace(":" + port + "/", ":" + database.port() + "/"))));
    api = new ApiClient(new PoolContext(server.address(), server.adminToken(), ""));
    Started submitted = new Started("run", "--name", "long", "--", "sleep", "1000");
    assertThat(submitted.exitCode()).as(submitted.said()).isZero();
    job = api.get("/api/v1/select?q=last").at("/parts/0/job").asText();
  }

  @AfterEach
  void stop() {
    api.close();
    server.close();
    database.close();
  }

  /** A command on a thread of its own. */
  private final class Started {
    private final StringWriter err = new StringWriter();
    private final CompletableFuture<Integer> exit;

    Started(String... arguments) {
      CommandLine line = Main.commandLine().setErr(new PrintWriter(err, true));
      String[] all = new String[arguments.length + 4];
      all[0] = arguments[0];
      all[1] = "--server";
      all[2] = server.address().toString();
      all[3] = "--token";
      all[4] = server.adminToken();
      System.arraycopy(arguments, 1, all, 5, arguments.length - 1);
      exit = CompletableFuture.supplyAsync(() -> line.execute(all), Thread::startVirtualThread);
    }

    String said() {
      return err.toString();
    }

    int exitCode() {
      return exit.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
    }
  }

  private void bringBack() throws IOException {
    database.refuse(false);
    ApiClient patient = api.patient(new PrintWriter(new StringWriter()));
    patient.get("/api/v1/jobs/" + job);
    patient.postRepeatably("/api/v1/jobs/" + job + "/cancel", Map.of());
  }

  @Test
  void a_wait_that_begins_in_an_outage_says_so_and_waits() throws Exception {
    database.refuse(true);
    Started wait = new Started("wait", job);
    Started attach = new Started("attach", job);
    Started logs = new Started("logs", "-f", job + ".1");
    Started impatient = new Started("wait", "--timeout", "3s", job);
    for (Started one : new Started[] {wait, attach, logs}) {
      await().atMost(PATIENCE).until(() -> one.said().contains("Waiting for the pool to answer"));
    }
    assertThat(impatient.exitCode()).as(impatient.said()).isEqualTo(ExitCodes.TIMED_OUT);
    assertThat(wait.exit).isNotDone();
    bringBack();
    assertThat(wait.exitCode()).as(wait.said()).isEqualTo(ExitCodes.FAILED);
    assertThat(attach.exitCode()).as(attach.said()).isEqualTo(ExitCodes.FAILED);
    assertThat(logs.exitCode()).as(logs.said()).isEqualTo(ExitCodes.OK);
    assertThat(wait.said().lines().filter(line -> line.contains("Waiting for the pool")))
        .hasSize(1);
  }
}
