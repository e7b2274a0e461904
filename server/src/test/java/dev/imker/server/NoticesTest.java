package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import com.sun.net.httpserver.HttpServer;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Notices against a real mail server and a real web hook, in this process. */
class NoticesTest {
  private record Call(String body, String timestamp, String signature, String delivery) {}

  @TempDir Path folder;
  private TestServer server;
  private HttpServer hook;
  private final List<Call> calls = new CopyOnWriteArrayList<>();
  private final AtomicInteger failuresLeft = new AtomicInteger();
  private GreenMail mail;

  @BeforeEach
  void start() throws IOException {
    mail = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
    mail.start();
    hook = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    hook.createContext(
        "/hook",
        exchange -> {
          var headers = exchange.getRequestHeaders();
          calls.add(
              new Call(
                  new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8),
                  headers.getFirst("Imker-Timestamp"),
                  headers.getFirst("Imker-Signature"),
                  headers.getFirst("Imker-Delivery")));
          int status = failuresLeft.getAndUpdate(n -> Math.max(0, n - 1)) > 0 ? 500 : 204;
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    hook.start();
    server = TestServer.start(folder);
  }

  @AfterEach
  void stop() {
    server.close();
    hook.stop(0);
    mail.stop();
  }

  private void settings(String json) {
    People.require(200, server.admin().putJson("/api/v1/settings", json));
  }

  private void useMail() {
    settings(
        "{\"smtp.host\":\"127.0.0.1\",\"smtp.port\":\"%d\",\"smtp.tls\":\"none\",\"smtp.from\":\"pool@example.org\"}"
            .formatted(mail.getSmtp().getPort()));
  }

  private void allowPrivate() {
    settings("{\"notices.allow-private\":\"true\",\"notices.retry-seconds\":\"3\"}");
  }

  private String hookUrl() {
    return "http://127.0.0.1:" + hook.getAddress().getPort() + "/hook?a=b";
  }

  private long run(String notices) {
    long job =
        server
            .admin()
            .submit(
                """
                {"name":"sweep","command":["x"],"rules":{"maxFailures":1,"speculative":false},"notices":%s,
                 "sweep":[{"name":"n","range":{"from":1,"to":3}}]}\
                """
                    .formatted(notices));
    try (TestAgent agent = server.agent("worker")) {
      agent.finish(TestAgent.success(agent.nextAssignment()));
      agent.finish(TestAgent.success(agent.nextAssignment()));
      agent.finish(TestAgent.failure(agent.nextAssignment(), 7));
      for (int i = 0; i < 3; i++) {
        agent.nextConfirmed();
      }
    }
    return job;
  }

  private String state(long job) {
    JsonNode notices = server.admin().get("/api/v1/jobs/" + job + "/notices").json();
    return notices.at("/notices/0/state").asText();
  }

  private void awaitState(long job, String state) {
    await().atMost(Duration.ofSeconds(60)).until(() -> state(job).equals(state));
  }

  @Test
  void a_settled_job_is_told_by_one_mail_with_a_digest() throws Exception {
    useMail();
    long job = run("{\"mail\":[\"eva@example.org\"]}");
    awaitState(job, "SENT");
    server.restart();
    server.restart();
    long second = run("{\"mail\":[\"eva@example.org\"]}");
    awaitState(second, "SENT");
    MimeMessage[] received = mail.getReceivedMessages();
    assertThat(received).hasSize(2);
    assertThat(received[0].getSubject()).contains("job " + job + " sweep: failed, 2 of 3 done");
    assertThat(received[0].getFrom()[0]).hasToString("pool@example.org");
    assertThat(received[0].getContent().toString())
        .contains("done", job + ".3 AUTO_BLOCKED", "imker results " + job);
  }

  @Test
  void a_job_that_settles_again_is_told_again_and_otherwise_not() {
    allowPrivate();
    long job = run("{\"webHooks\":[\"%s\"]}".formatted(hookUrl()));
    awaitState(job, "SENT");
    server.admin().post("/api/v1/jobs/" + job + "/priority", "{\"priority\":7}");
    server.restart();
    server.admin().post("/api/v1/jobs/" + job + "/priority", "{\"priority\":8}");
    assertThat(server.admin().get("/api/v1/jobs/" + job + "/notices").json().get("notices"))
        .hasSize(1);
    server.admin().post("/api/v1/jobs/" + job + "/release", "{}");
    server.admin().post("/api/v1/jobs/" + job + "/cancel", "{}");
    await().until(() -> calls.size() == 2);
    assertThat(server.admin().get("/api/v1/jobs/" + job + "/notices").json().get("notices"))
        .hasSize(2);
  }

  @Test
  void a_web_hook_is_signed_and_tried_again_after_a_restart() throws Exception {
    allowPrivate();
    failuresLeft.set(1);
    long job = run("{\"webHooks\":[\"%s\"]}".formatted(hookUrl()));
    // A restart before the failure is written down would leave the fate of the notice unknown.
    await().until(() -> !calls.isEmpty() && state(job).equals("WAITING"));
    server.restart();
    awaitState(job, "SENT");
    assertThat(calls).hasSize(2);
    assertThat(calls).extracting(Call::delivery).containsOnly(calls.getFirst().delivery());
    Call last = calls.getLast();
    assertThat(last.signature()).isEqualTo(signature(last));
    JsonNode body = Rest.JSON.readTree(last.body());
    assertThat(body.get("event").asText()).isEqualTo("job.settled");
    assertThat(body.at("/job/counts/done").asInt()).isEqualTo(2);
    assertThat(body.at("/failures/0/reason").asText()).contains("7");
  }

  @Test
  void a_queue_that_is_too_long_is_told_once_also_over_restarts() throws Exception {
    allowPrivate();
    failuresLeft.set(1);
    settings(
        "{\"queue.most-ready\":\"2\",\"queue.patience-seconds\":\"0\",\"queue.web-hook\":\"%s\"}"
            .formatted(hookUrl()));
    long few = server.admin().submit("{\"command\":[\"x\"]}");
    long many =
        server
            .admin()
            .submit(
                "{\"command\":[\"x\"],\"sweep\":[{\"name\":\"n\",\"range\":{\"from\":1,\"to\":3}}]}");
    await().atMost(Duration.ofSeconds(60)).until(() -> calls.size() == 2);
    JsonNode told = Rest.JSON.readTree(calls.getLast().body());
    assertThat(told.at("/event").asText()).isEqualTo("queue.long");
    assertThat(told.at("/ready").asInt()).isEqualTo(4);
    assertThat(told.at("/limit").asInt()).isEqualTo(2);
    assertThat(calls.getFirst().delivery()).isEqualTo(calls.getLast().delivery());
    assertThat(calls.getLast().signature()).isEqualTo(signature(calls.getLast()));
    server.restart();
    await().untilAsserted(() -> assertThat(attention()).contains("LONG_QUEUE", "4 tasks"));
    await()
        .untilAsserted(
            () ->
                assertThat(server.admin().get("/metrics").text()).contains("imker_queue_long 1.0"));
    server.admin().post("/api/v1/jobs/" + many + "/cancel", "{}");
    await().atMost(Duration.ofSeconds(60)).until(() -> calls.size() == 3);
    assertThat(calls.getLast().body()).contains("\"queue.short\"", "\"ready\":1");
    await().untilAsserted(() -> assertThat(attention()).doesNotContain("LONG_QUEUE"));
    assertThat(server.admin().job(few).at("/status").asText()).isEqualTo("QUEUED");
  }

  private String attention() {
    return server.admin().get("/api/v1/overview").json().at("/attention").toString();
  }

  private String signature(Call call) throws GeneralSecurityException {
    String secret = server.admin().get("/api/v1/notices/secret").json().get("secret").asText();
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    byte[] signed = (call.timestamp() + "." + call.body()).getBytes(StandardCharsets.UTF_8);
    return "v1=" + HexFormat.of().formatHex(mac.doFinal(signed));
  }

  @Test
  void a_web_hook_into_the_own_network_is_not_called() {
    long job = run("{\"webHooks\":[\"%s\"]}".formatted(hookUrl()));
    awaitState(job, "GIVEN_UP");
    JsonNode notices = server.admin().get("/api/v1/jobs/" + job + "/notices").json();
    assertThat(notices.at("/notices/0/error").asText()).contains("private network");
    assertThat(calls).isEmpty();
  }

  @Test
  void addresses_and_settings_are_checked_and_secrets_not_shown() {
    Rest admin = server.admin();
    assertThat(
            admin
                .post("/api/v1/jobs", "{\"command\":[\"x\"],\"notices\":{\"mail\":[\"a\"]}}")
                .errorField())
        .isEqualTo("notices.mail");
    assertThat(admin.putJson("/api/v1/settings", "{\"smtp.prot\":\"1\"}").errorMessage())
        .contains("smtp.port");
    assertThat(admin.putJson("/api/v1/settings", "{\"smtp.port\":\"x\"}").errorField())
        .isEqualTo("smtp.port");
    settings("{\"smtp.password\":\"very secret\"}");
    assertThat(admin.get("/api/v1/settings").text())
        .doesNotContain("very secret")
        .contains("(set)");
    settings("{\"smtp.password\":\"\"}");
    assertThat(admin.get("/api/v1/settings").json().get("settings")).isEmpty();
  }
}
