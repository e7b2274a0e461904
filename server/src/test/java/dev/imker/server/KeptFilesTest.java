package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.ResultFile;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of a task that runs for days: nothing names them before it has ended. */
class KeptFilesTest {
  private static final Duration GRACE = Duration.ofHours(24);
  private static final Duration YOUNG = Duration.ofSeconds(5);

  @TempDir Path folder;

  @Test
  void a_file_that_an_agent_asks_after_stays_until_the_report_names_it() {
    Clock late = Clock.offset(Clock.systemUTC(), GRACE.minus(YOUNG));
    try (RunningServer server = ImkerServer.start(TestServer.settings(folder), late);
        TestAgent agent = TestAgent.connect(server.joinToken(), "a", 1)) {
      Rest admin = new Rest(server.address(), server.adminToken());
      long job = admin.submit("{\"command\":[\"x\"],\"outputs\":[\"*\"]}");
      Assignment task = agent.nextAssignment();
      Rest files = new Rest(server.address(), agent.nextWelcome().getBlobToken());
      String wanted = files.uploadFor(task.getLease(), new byte[500]);
      files.uploadFor(task.getLease(), new byte[300]);
      await()
          .until(
              () -> {
                ask(files, task, wanted);
                admin.post("/api/v1/retention/run", "{}");
                return admin.get("/api/v1/me").json().get("storageBytes").asLong() == 500;
              });
      agent.finish(
          TestAgent.done(task)
              .addResults(ResultFile.newBuilder().setPath("film").setSha256(wanted).setSize(500))
              .build());
      agent.nextConfirmed();
      assertThat(admin.get("/api/v1/tasks/" + job + ".1/results/film").body())
          .isEqualTo(new byte[500]);
    }
  }

  private static void ask(Rest files, Assignment task, String blob) {
    files.send(
        files
            .request("/api/v1/blobs/" + blob)
            .header("Imker-Lease", Rest.leaseHeader(task.getLease()))
            .method("HEAD", BodyPublishers.noBody()));
  }
}
