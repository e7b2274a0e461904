package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.testbase.Attack;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoginTest {
  @TempDir static Path folder;
  private static TestServer server;

  @BeforeAll
  static void start() {
    server = TestServer.start(folder);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Rest nobody() {
    return server.withToken("");
  }

  private static String cookie() {
    String link = server.running().loginLink();
    Rest.Reply reply = nobody().get(link.substring(link.indexOf("/login")));
    return reply.headers().firstValue("Set-Cookie").orElseThrow().replaceAll(";.*", "");
  }

  @Test
  void a_login_link_sets_a_cookie_and_leads_to_the_page() {
    String link = server.running().loginLink();
    Rest.Reply reply = nobody().send(HttpRequest.newBuilder(URI.create(link)));
    assertThat(reply.status()).isEqualTo(303);
    assertThat(reply.headers().firstValue("Location")).contains(".");
    assertThat(reply.headers().firstValue("Set-Cookie").orElseThrow())
        .containsIgnoringCase("HttpOnly")
        .contains("SameSite=Strict")
        .doesNotContain(server.running().adminToken());
  }

  @Test
  @Attack("use a login link a second time")
  void a_login_link_works_once() {
    URI link = URI.create(server.running().loginLink());
    assertThat(nobody().send(HttpRequest.newBuilder(link)).status()).isEqualTo(303);
    assertThat(nobody().send(HttpRequest.newBuilder(link)).status()).isEqualTo(401);
  }

  @Test
  void the_admin_token_logs_in_by_the_form() {
    Rest.Reply reply =
        nobody()
            .send(
                nobody()
                    .request("/login")
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(BodyPublishers.ofString("token=" + server.running().adminToken())));
    assertThat(reply.status()).isEqualTo(303);
  }

  @Test
  void the_cookie_opens_what_the_admin_may_do() {
    Rest.Reply reply = nobody().send(nobody().request("/api/v1/pool").header("Cookie", cookie()));
    assertThat(reply.status()).isEqualTo(200);
  }

  @Test
  @Attack("use a cookie as a token")
  void a_cookie_is_no_token_and_ends_with_its_session() {
    String cookie = cookie();
    Rest bearer = server.withToken(cookie.replaceFirst("^imker=", ""));
    assertThat(bearer.get("/api/v1/pool").status()).isEqualTo(401);
    Rest.Reply out =
        nobody()
            .send(
                nobody().request("/logout").header("Cookie", cookie).POST(BodyPublishers.noBody()));
    assertThat(out.status()).isEqualTo(303);
    assertThat(nobody().send(nobody().request("/api/v1/pool").header("Cookie", cookie)).status())
        .isEqualTo(401);
    assertThat(bearer.get("/api/v1/pool").status()).isEqualTo(401);
  }

  @Test
  @Attack("log somebody in through a link on another page")
  void a_link_on_another_page_logs_nobody_in() {
    for (String site : List.of("cross-site", "same-site", "nonsense")) {
      URI link = URI.create(server.running().loginLink());
      Rest.Reply reply = nobody().send(HttpRequest.newBuilder(link).header("Sec-Fetch-Site", site));
      assertThat(reply.status()).as(site).isEqualTo(403);
    }
    URI link = URI.create(server.running().loginLink());
    assertThat(
            nobody().send(HttpRequest.newBuilder(link).header("Sec-Fetch-Site", "none")).status())
        .isEqualTo(303);
  }

  @Test
  @Attack("log in with an enormous name")
  void a_login_with_an_enormous_name_is_refused_and_noted() {
    Rest.Reply reply =
        nobody()
            .send(
                nobody()
                    .request("/api/v1/login")
                    .header("Content-Type", "application/json")
                    .POST(
                        BodyPublishers.ofString(
                            "{\"user\":\"%s\",\"password\":\"x\"}".formatted("ü".repeat(1_000)))));
    assertThat(reply.status()).isBetween(400, 429);
    await()
        .until(
            () ->
                server.admin().get("/api/v1/audit").text().contains("\"" + "ü".repeat(128) + "\""));
  }

  @Test
  @Attack("modify a cookie")
  void an_altered_cookie_opens_nothing() {
    String altered = cookie().replaceFirst("\\.....", ".AAAA");
    Rest.Reply reply = nobody().send(nobody().request("/api/v1/pool").header("Cookie", altered));
    assertThat(reply.status()).isEqualTo(401);
  }

  @Test
  @Attack("use the cookie from a page of another origin (CSRF)")
  void a_page_of_another_origin_cannot_use_the_cookie_to_change_something() {
    Rest.Reply reply =
        nobody()
            .send(
                nobody()
                    .request("/api/v1/jobs")
                    .header("Cookie", cookie())
                    .header("Origin", "http://127.0.0.1:9")
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString("{\"command\":[\"x\"]}")));
    assertThat(reply.status()).isEqualTo(401);
  }

  @Test
  void the_page_and_its_files_need_no_token_and_carry_security_headers() {
    for (String path : new String[] {"/", "/icon.svg"}) {
      Rest.Reply reply = nobody().get(path);
      assertThat(reply.status()).as(path).isEqualTo(200);
      assertThat(reply.headers().firstValue("Content-Security-Policy").orElseThrow())
          .contains("default-src 'self'", "frame-ancestors 'none'");
      assertThat(reply.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
      assertThat(reply.headers().firstValue("Referrer-Policy")).contains("same-origin");
    }
    assertThat(nobody().get("/").text()).doesNotContain("<script>").doesNotContain("onclick");
  }

  @Test
  @Attack("read the server's keys as another user of the machine")
  void secrets_are_in_files_of_the_owner_only_and_not_in_the_database() throws Exception {
    for (String name : new String[] {"admin-token", "join-secret"}) {
      Path file = folder.resolve(name);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      assertNowhereElse(Files.readString(file).strip(), file);
    }
  }

  private static void assertNowhereElse(String secret, Path file) throws Exception {
    byte[] wanted = secret.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path other : files.filter(Files::isRegularFile).toList()) {
        if (!other.equals(file)) {
          String content = Files.readString(other, java.nio.charset.StandardCharsets.ISO_8859_1);
          assertThat(
                  content.contains(new String(wanted, java.nio.charset.StandardCharsets.US_ASCII)))
              .as(other.toString())
              .isFalse();
        }
      }
    }
  }

  @Test
  void unknown_paths_and_methods_are_told_apart() {
    assertThat(server.admin().get("/api/v1/nothing").status()).isEqualTo(404);
    assertThat(nobody().get("/api/v1/nothing").status()).isEqualTo(401);
    assertThat(nobody().get("/nothing").status()).isEqualTo(404);
    Rest.Reply reply = server.admin().method("DELETE", "/api/v1/jobs");
    assertThat(reply.status()).isEqualTo(405);
    assertThat(reply.headers().firstValue("Allow")).contains("GET, POST");
    assertThat(reply.errorCode()).isEqualTo("method_not_allowed");
  }

  @Test
  void metrics_and_health_are_there() {
    assertThat(server.admin().get("/healthz").json().get("status").asText()).isEqualTo("ok");
    assertThat(server.admin().get("/metrics").text())
        .contains("imker_tasks{", "imker_loop_turns", "imker_loop_inbox", "jvm_memory_used");
  }
}
