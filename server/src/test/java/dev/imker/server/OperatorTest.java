package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.imker.model.connection.JoinToken;
import dev.imker.server.http.TrustedProxies;
import dev.imker.testbase.Attack;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What those who run a server look at. */
class OperatorTest {
  private static final Pattern METRIC = Pattern.compile("\\bimker_[a-z_]+");

  @TempDir Path folder;
  private TestServer server;
  private Rest admin;

  @BeforeEach
  void start() {
    server = TestServer.start(folder);
    admin = server.admin();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  @Attack("use the token for metrics for anything else")
  void token_for_metrics_opens_nothing_else() {
    String token = admin.get("/api/v1/metrics-token").json().get("token").asText();
    Rest scraper = server.withToken(token);
    assertThat(scraper.get("/metrics").status()).isEqualTo(200);
    assertThat(scraper.get("/api/v1/jobs").status()).isEqualTo(403);
    assertThat(scraper.get("/api/v1/metrics-token").status()).isEqualTo(403);
    assertThat(server.withToken(token + "x").get("/metrics").status()).isEqualTo(401);
  }

  @Test
  void metrics_tell_of_the_server_and_of_the_work_by_project() {
    try (TestAgent agent = server.agent("a")) {
      admin.submit("{\"project\":\"north\",\"command\":[\"x\"]}");
      agent.finish(TestAgent.success(agent.nextAssignment()));
      agent.nextConfirmed();
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(admin.get("/metrics").text())
                      .contains("imker_leader 1.0")
                      .contains("imker_epoch 1.0")
                      .contains("imker_database_up 1.0")
                      .contains("imker_disk_free_bytes ")
                      .contains(
                          "imker_attempts_ended_total{outcome=\"succeeded\",project=\"north\"} 1.0")
                      .contains("imker_tasks_settled_total{project=\"north\",state=\"done\"} 1.0")
                      .contains("imker_attempt_run_seconds_bucket{project=\"north\",le=\"1.0\"}")
                      .contains("imker_job_wait_seconds_count{project=\"north\"} 1")
                      .contains("imker_node_up{node=\"a\"} 1.0")
                      .contains("imker_node_slots{node=\"a\"} ")
                      .contains("imker_node_leases{node=\"a\"} 0.0")
                      .contains("imker_job_oldest_waiting_seconds 0.0"));
    }
  }

  /** Whoever renames a metric is told which graph and which alert would be silent from then on. */
  @Test
  void dashboard_and_alerts_ask_only_for_metrics_that_there_are() throws IOException {
    Set<String> known = new TreeSet<>();
    try (TestAgent agent = server.agent("a")) {
      admin.submit("{\"project\":\"north\",\"command\":[\"x\"]}");
      agent.finish(TestAgent.success(agent.nextAssignment()));
      agent.nextConfirmed();
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () -> {
                Matcher told = METRIC.matcher(admin.get("/metrics").text());
                told.results().forEach(metric -> known.add(metric.group()));
                assertThat(known).contains("imker_node_up", "imker_job_wait_seconds_bucket");
              });
    }
    Path monitoring = Path.of(System.getProperty("imker.root"), "packaging/monitoring");
    for (String file : List.of("grafana-dashboard.json", "prometheus-alerts.yaml")) {
      String text = Files.readString(monitoring.resolve(file));
      List<String> asked = METRIC.matcher(text).results().map(MatchResult::group).toList();
      assertThat(asked).as(file).hasSizeGreaterThan(10);
      // Of a server that leads without TLS there is no certificate.
      assertThat(asked)
          .as(file)
          .isSubsetOf(with(known, "imker_certificate_expiry_timestamp_seconds"));
    }
  }

  @Test
  void figures_go_to_a_collector_of_open_telemetry() throws IOException {
    Set<String> told = new ConcurrentSkipListSet<>();
    HttpServer collector =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    collector.createContext(
        "/v1/metrics",
        request -> {
          byte[] body = request.getRequestBody().readAllBytes();
          told.add(new String(body, StandardCharsets.ISO_8859_1));
          request.sendResponseHeaders(200, -1);
          request.close();
        });
    collector.start();
    URI url = URI.create("http://127.0.0.1:" + collector.getAddress().getPort() + "/v1/metrics");
    try {
      ImkerServer.start(TestServer.settings(folder.resolve("told")).withOtlp(url)).close();
      assertThat(told)
          .anySatisfy(body -> assertThat(body).contains("imker.leader", "service.name"));
    } finally {
      collector.stop(0);
    }
  }

  private static Set<String> with(Set<String> all, String further) {
    Set<String> sum = new TreeSet<>(all);
    sum.add(further);
    return sum;
  }

  @Test
  void level_of_the_log_is_changed_while_the_server_runs() {
    String logger = "dev.imker.server.only-in-this-test";
    assertThat(
            admin
                .putJson("/api/v1/log-level", "{\"logger\":\"" + logger + "\",\"level\":\"debug\"}")
                .json()
                .get("level")
                .asText())
        .isEqualTo("debug");
    assertThat(admin.get("/api/v1/log-level?logger=" + logger).json().get("level").asText())
        .isEqualTo("debug");
    assertThat(admin.putJson("/api/v1/log-level", "{\"level\":\"loud\"}").errorField())
        .isEqualTo("level");
  }

  @Test
  void join_tokens_begin_with_the_address_that_leads_to_any_server() {
    ServerSettings balanced =
        TestServer.settings(folder.resolve("balanced"))
            .withTls()
            .withFace(
                new PublicFace(
                    Optional.empty(),
                    TrustedProxies.NONE,
                    List.of(PublicFace.parse("https://imker:7070"))));
    try (RunningServer running = ImkerServer.start(balanced)) {
      JoinToken token = JoinToken.parse(running.joinToken());
      assertThat(token.urls()).startsWith("https://imker:7070").hasSizeGreaterThan(1);
      assertThat(token.fingerprint()).isNotEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "site.example",
        "ftp://site.example",
        "https://site.example/a/../b",
        "https://s?q"
      })
  void what_is_no_address_of_a_server_is_refused(String written) {
    assertThatThrownBy(() -> PublicFace.parse(written))
        .hasMessageContaining("'" + written + "' is not the address of a server");
  }

  @Test
  void server_behind_a_proxy_names_that_and_believes_it() throws Exception {
    ServerSettings behind =
        TestServer.settings(folder.resolve("behind"))
            .withTls()
            .withFace(
                new PublicFace(
                    Optional.of(PublicFace.parse("https://site.example/imker/")),
                    TrustedProxies.of(List.of("127.0.0.1"))));
    try (RunningServer running = ImkerServer.start(behind)) {
      JoinToken token = JoinToken.parse(running.joinToken());
      assertThat(token.urls()).containsExactly("https://site.example/imker");
      assertThat(token.fingerprint()).isEmpty();
      assertThat(running.loginLink()).startsWith("https://site.example/imker/login?token=");
    }
    try (TestServer plain =
        TestServer.start(
            TestServer.settings(folder.resolve("plain"))
                .withFace(
                    new PublicFace(Optional.empty(), TrustedProxies.of(List.of("127.0.0.1")))))) {
      plain
          .admin()
          .post(
              "/api/v1/login",
              "{\"user\":\"nobody\",\"password\":\"x\"}",
              "X-Forwarded-For",
              "6.6.6.6, 198.51.100.1");
      await()
          .atMost(Duration.ofSeconds(60))
          .untilAsserted(
              () ->
                  assertThat(plain.admin().get("/api/v1/audit").text())
                      .contains("198.51.100.1")
                      .doesNotContain("6.6.6.6"));
    }
  }

  @Test
  void server_that_is_alone_lists_itself() {
    assertThat(admin.get("/api/v1/servers").json().at("/servers/0/leads").asBoolean()).isTrue();
  }
}
