package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.imker.server.drop.DropFolders;
import dev.imker.testbase.Attack;
import dev.imker.testbase.ExpectedLogs;
import java.io.InputStream;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is nearly full: new work is refused, what runs comes to its end. */
@ExpectedLogs("The server.s disk has no room")
class DiskReserveTest {
  private static final String JOB = "{\"command\":[\"x\"]}";
  @TempDir Path folder;

  private static void reserve(TestServer server, String megabytes) {
    People.require(
        200,
        server.admin().putJson("/api/v1/settings", "{\"disk.reserve-mb\":\"" + megabytes + "\"}"));
  }

  @Test
  @Attack("fill the disk so that the database cannot commit running work")
  void new_work_is_refused_with_words_what_runs_ends_and_it_recovers_by_itself() {
    try (TestServer server = TestServer.start(folder);
        TestAgent agent = server.agent("a")) {
      Rest admin = server.admin();
      long job = admin.submit(JOB);
      var running = agent.nextAssignment();
      reserve(server, "999999999999");
      Rest.Reply refused = admin.post("/api/v1/jobs", JOB);
      assertThat(refused.status()).isEqualTo(507);
      assertThat(refused.errorMessage())
          .contains("The server's disk has no room: ", "Free some space");
      String blob = "5".repeat(64);
      assertThat(admin.put("/api/v1/blobs/" + blob, "x".getBytes(StandardCharsets.UTF_8)).status())
          .isEqualTo(507);
      Rest.Reply upload = admin.put("/api/v1/blobs/" + blob, new byte[3 << 20]);
      assertThat(upload.status()).isEqualTo(507);
      assertThat(upload.errorMessage())
          .contains(
              "The server's disk has no room for 3 MB more", "disk.reserve-mb", "Free some space");
      assertThat(admin.put("/api/v1/board/x", "x".getBytes(StandardCharsets.UTF_8)).status())
          .isEqualTo(507);
      assertThat(admin.get("/api/v1/board").json().get("items")).isEmpty();
      Rest.Reply archive = admin.post("/api/v1/import", "PK");
      assertThat(archive.status()).isEqualTo(507);
      assertThat(archive.errorMessage()).contains("no room");
      agent.finish(TestAgent.success(running));
      assertThat(agent.nextConfirmed().getAccepted()).isTrue();
      assertThat(admin.get("/api/v1/jobs/" + job).json().path("status").asText()).isEqualTo("DONE");
      reserve(server, "");
      admin.submit(JOB);
    }
  }

  @Test
  void a_result_that_finds_no_room_waits_and_the_reason_is_told() {
    try (TestServer server = TestServer.start(folder);
        TestAgent agent = server.agent("a")) {
      Rest admin = server.admin();
      String explain = "/api/v1/tasks/%d.1/explain".formatted(admin.submit(JOB));
      var lease = agent.nextAssignment().getLease();
      Rest files = server.withToken(agent.nextWelcome().getBlobToken());
      reserve(server, "999999999999");
      byte[] result = "result".getBytes(StandardCharsets.UTF_8);
      assertThatThrownBy(() -> files.uploadFor(lease, result)).hasMessageContaining("507");
      assertThat(admin.get(explain).json().path("text").asText())
          .contains(
              "It has ended, but its results cannot be uploaded: The server's disk has no room");
      reserve(server, "");
      files.uploadFor(lease, result);
      assertThat(admin.get(explain).json().path("text").asText())
          .doesNotContain("cannot be uploaded");
    }
  }

  @Test
  @Attack("fill the disk with a file of unknown length")
  void a_file_of_unknown_length_is_cut_off_when_room_runs_out() {
    try (TestServer server = TestServer.start(folder)) {
      InputStream endless =
          new InputStream() {
            private long sent;

            @Override
            public int read() {
              throw new UnsupportedOperationException();
            }

            @Override
            public int read(byte[] bytes, int from, int length) {
              if (sent == 0) {
                sent += length;
                return length;
              }
              if (sent < 1 << 20) {
                reserve(server, "999999999999"); // the first piece had room
              }
              sent = Math.max(sent, 1 << 20) + length;
              return sent > 40 << 20 ? -1 : length;
            }
          };
      Rest admin = server.admin();
      Rest.Reply refused =
          admin.send(
              admin
                  .request("/api/v1/blobs/" + "5".repeat(64))
                  .PUT(HttpRequest.BodyPublishers.ofInputStream(() -> endless)));
      assertThat(refused.status()).isEqualTo(507);
      assertThat(refused.errorCode()).isEqualTo("disk_full");
    }
  }

  @Test
  void a_job_that_was_taken_already_is_told_again_under_its_key() {
    try (TestServer server = TestServer.start(folder)) {
      Rest admin = server.admin();
      Rest.Reply first = admin.post("/api/v1/jobs", JOB, "Idempotency-Key", "k1");
      reserve(server, "999999999999");
      Rest.Reply again = admin.post("/api/v1/jobs", JOB, "Idempotency-Key", "k1");
      assertThat(again.status()).isEqualTo(200);
      assertThat(again.json().get("id")).isEqualTo(first.json().get("id"));
    }
  }

  @Test
  void a_dropped_file_waits_for_room() throws Exception {
    Path drop = folder.resolve("drop");
    try (TestServer server =
        TestServer.start(
            TestServer.settings(folder.resolve("data"))
                .withDrops(List.of(new DropFolders.Added(drop.toString(), "admin", ""))))) {
      reserve(server, "999999999999");
      Files.createDirectories(drop.resolve("inbox"));
      Files.writeString(drop.resolve("inbox/rain.yaml"), "command: echo rain\n");
      await()
          .untilAsserted(
              () -> assertThat(server.admin().get("/api/v1/drops").text()).contains("no room"));
      assertThat(drop.resolve("failed/rain.yaml")).doesNotExist();
      reserve(server, "");
      await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> Files.exists(drop.resolve("running/rain.yaml")));
    }
  }
}
