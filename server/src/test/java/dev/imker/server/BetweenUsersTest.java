package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.imker.testbase.Attack;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.ResultFile;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one user can and cannot do to another, and a stranger's page to both. */
class BetweenUsersTest {
  @TempDir Path folder;
  private TestServer server;
  private People people;
  private Rest otto;
  private Rest ulla;

  @BeforeEach
  void start() {
    server = TestServer.start(folder);
    people = new People(server);
    otto = people.add("otto", "USER");
    ulla = people.add("ulla", "USER");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  @Attack("use somebody else's table for a sweep by its hash")
  void a_table_of_somebody_else_is_not_shown_by_its_hash() {
    String table = otto.upload(bytes("name,salary\neva,90000\n"));
    String check =
        """
        {"text":"command: echo ${name} ${salary}\\nsweep:\\n  csv: t.csv\\n",
         "files":[{"path":"t.csv","size":22,"blob":"%s"}]}
        """
            .formatted(table);
    assertThat(ulla.post("/api/v1/jobfiles/check", check).text())
        .doesNotContain("90000", "salary=");
    assertThat(ulla.post("/api/v1/jobfiles", check).status()).isNotEqualTo(201);
  }

  private static Rest task(TestServer server, String agentToken, Assignment assignment) {
    return server.withToken(People.sign(Rest.leaseHeader(assignment.getLease()), agentToken));
  }

  @Test
  @Attack("use somebody else's queue, lock or counter by its name")
  void queues_locks_and_counters_of_one_name_are_apart_for_each_user() {
    try (TestAgent agent = server.agent("a")) {
      String token = agent.nextWelcome().getBlobToken();
      otto.submit("{\"command\":[\"x\"]}");
      Rest ottos = task(server, token, agent.nextAssignment());
      ulla.submit("{\"command\":[\"x\"]}");
      Rest ullas = task(server, token, agent.nextAssignment());
      String put = "{\"action\":\"put\",\"data\":\"secret\",\"scope\":\"shared-scope\"}";
      assertThat(ottos.post("/api/v1/coord/queue/q", put).status()).isEqualTo(200);
      String take = "{\"action\":\"take\",\"scope\":\"shared-scope\"}";
      assertThat(ullas.post("/api/v1/coord/queue/q", take).text()).isEqualTo("{\"data\":null}");
      assertThat(ottos.post("/api/v1/coord/queue/q", take).text()).contains("secret");
    }
  }

  @Test
  @Attack("report results whose paths lead out of their folder (zip slip)")
  void results_that_lead_out_of_their_folder_are_refused() {
    long job =
        ulla.submit("{\"command\":[\"x\"],\"outputs\":[\"*\"],\"rules\":{\"maxFailures\":1}}");
    try (TestAgent agent = server.agent("a")) {
      Assignment assignment = agent.nextAssignment();
      String blob =
          server
              .withToken(agent.nextWelcome().getBlobToken())
              .uploadFor(assignment.getLease(), bytes("evil"));
      agent.finish(
          TestAgent.done(assignment)
              .setStdout(ByteString.copyFromUtf8("x"))
              .addResults(
                  ResultFile.newBuilder().setPath("../../.ssh/keys").setSha256(blob).setSize(4))
              .build());
      agent.nextConfirmed();
      assertThat(ulla.get("/api/v1/tasks/" + job + ".1").text())
          .contains("../../.ssh/keys", "has an empty part, . or ..");
      assertThat(ulla.get("/api/v1/jobs/" + job + "/results.zip").text()).doesNotContain(".ssh");
    }
  }

  @Test
  @Attack("store more than the quota through an agent")
  void what_an_agent_stores_counts_for_the_quota_of_the_user() {
    server.admin().putJson("/api/v1/users/ulla", "{\"quota\":{\"storageBytes\":1000}}");
    ulla.submit("{\"command\":[\"x\"],\"outputs\":[\"*\"]}");
    try (TestAgent agent = server.agent("a")) {
      Assignment assignment = agent.nextAssignment();
      Rest files = server.withToken(agent.nextWelcome().getBlobToken());
      byte[] large = new byte[5000];
      Rest.Reply refused =
          files.send(
              files
                  .request("/api/v1/blobs/" + Rest.sha256(large))
                  .header("Imker-Lease", Rest.leaseHeader(assignment.getLease()))
                  .PUT(BodyPublishers.ofByteArray(large)));
      assertThat(refused.errorCode()).isEqualTo("quota_exceeded");
      files.uploadFor(assignment.getLease(), new byte[500]);
      assertThat(ulla.get("/api/v1/me").json().get("storageBytes").asLong()).isEqualTo(500);
    }
  }

  // ---------------------------------------------------------------- browsers

  private Rest.Reply form(String body, String header, String value) {
    Rest nobody = server.withToken("");
    return nobody.send(
        nobody.request("/login").header(header, value).POST(BodyPublishers.ofString(body)));
  }

  @Test
  @Attack("log somebody in by another site's form (login CSRF)")
  void a_page_of_somebody_else_logs_nobody_in() {
    String token = "token=" + server.running().adminToken();
    assertThat(form(token, "Origin", "https://evil.example").status()).isEqualTo(403);
    assertThat(form(token, "Accept", "*/*").status()).isEqualTo(303);
    Rest nobody = server.withToken("");
    assertThat(
            nobody
                .send(
                    nobody.request("/login?" + token).header("Sec-Fetch-Site", "cross-site").GET())
                .status())
        .isEqualTo(403);
  }

  @Test
  @Attack("use a cookie after its owner logged out")
  void a_cookie_is_worth_nothing_after_logging_out() {
    Rest nobody = server.withToken("");
    String cookie =
        form("token=" + server.running().adminToken(), "Accept", "*/*")
            .headers()
            .firstValue("Set-Cookie")
            .orElseThrow()
            .replaceAll(";.*", "");
    assertThat(nobody.send(nobody.request("/api/v1/me").header("Cookie", cookie).GET()).status())
        .isEqualTo(200);
    nobody.send(nobody.request("/logout").header("Cookie", cookie).POST(BodyPublishers.noBody()));
    assertThat(nobody.send(nobody.request("/api/v1/me").header("Cookie", cookie).GET()).status())
        .isEqualTo(401);
    server.restart();
    Rest later = server.withToken("");
    assertThat(later.send(later.request("/api/v1/me").header("Cookie", cookie).GET()).status())
        .isEqualTo(401);
  }
}
