package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.testbase.Attack;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsersTest {
  private static final String PASSWORD = "correct horse";

  @TempDir Path folder;
  private TestServer server;
  private People people;

  @BeforeEach
  void start() {
    server = TestServer.start(folder);
    people = new People(server);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Rest nobody() {
    return server.withToken("");
  }

  private Rest.Reply login(String user, String password) {
    return nobody()
        .post("/api/v1/login", "{\"user\":\"%s\",\"password\":\"%s\"}".formatted(user, password));
  }

  private void addWithPassword(String user) {
    People.require(
        201,
        server
            .admin()
            .post(
                "/api/v1/users",
                "{\"user\":\"%s\",\"password\":\"%s\"}".formatted(user, PASSWORD)));
  }

  private void change(String user, String json) {
    People.require(200, server.admin().putJson("/api/v1/users/" + user, json));
  }

  @Test
  void a_password_gives_a_token_that_works_also_after_a_restart() {
    addWithPassword("eva");
    JsonNode answer = People.require(201, login("eva", PASSWORD)).json();
    Rest eva = server.withToken(answer.get("token").asText());
    assertThat(eva.get("/api/v1/me").json().get("user").asText()).isEqualTo("eva");
    server.restart();
    assertThat(server.withToken(answer.get("token").asText()).get("/api/v1/me").status())
        .isEqualTo(200);
    assertThat(login("eva", PASSWORD).status()).isEqualTo(201);
  }

  @Test
  @Attack("guess passwords and names of accounts")
  void wrong_passwords_are_refused_alike_and_slow_down_the_next_ones() {
    addWithPassword("eva");
    assertThat(login("eva", "wrong word").text()).isEqualTo(login("nobody", "wrong word").text());
    assertThat(login("admin", "").status()).as("no password, no login").isEqualTo(401);
    for (int i = 0; i < 4; i++) {
      login("eva", "wrong word");
    }
    Rest.Reply tooMany = login("eva", PASSWORD);
    assertThat(tooMany.status()).isEqualTo(429);
    assertThat(tooMany.headers().firstValue("Retry-After")).isPresent();
  }

  @Test
  @Attack("use a token that was revoked or whose account was removed")
  void a_token_ends_when_it_is_revoked_or_its_account_is_disabled_or_gone() {
    Rest eva = people.add("eva", "USER");
    assertThat(eva.get("/api/v1/me").status()).isEqualTo(200);
    change("eva", "{\"disabled\":true}");
    assertThat(eva.get("/api/v1/me").status()).isEqualTo(401);
    change("eva", "{\"disabled\":false}");
    assertThat(eva.get("/api/v1/me").status()).isEqualTo(200);
    assertThat(eva.get("/api/v1/tokens").json().at("/tokens/0/title").asText()).isEqualTo("test");
    assertThat(eva.method("DELETE", "/api/v1/tokens/test").status()).isEqualTo(204);
    assertThat(eva.get("/api/v1/me").status()).isEqualTo(401);
    people.add("ann", "USER");
    assertThat(server.admin().method("DELETE", "/api/v1/users/ann").status()).isEqualTo(204);
    assertThat(people.as("ann").get("/api/v1/me").status()).isEqualTo(401);
    server.restart();
    assertThat(people.as("ann").get("/api/v1/me").status()).isEqualTo(401);
  }

  @Test
  @Attack("list and revoke somebody else's tokens")
  void nobody_sees_to_tokens_of_others_but_an_admin() {
    Rest eva = people.add("eva", "USER");
    assertThat(eva.get("/api/v1/tokens?user=admin").status()).isEqualTo(403);
    assertThat(eva.post("/api/v1/tokens", "{\"user\":\"admin\",\"title\":\"x\"}").status())
        .isEqualTo(403);
    assertThat(eva.post("/api/v1/tokens", "{\"title\":\"test\"}").errorField()).isEqualTo("title");
  }

  @Test
  void a_role_that_changes_counts_at_once() {
    Rest eva = people.add("eva", "VIEWER");
    String job = "{\"command\":[\"x\"]}";
    assertThat(eva.post("/api/v1/jobs", job).status()).isEqualTo(403);
    change("eva", "{\"role\":\"USER\"}");
    assertThat(eva.post("/api/v1/jobs", job).status()).isEqualTo(201);
    assertThat(eva.get("/api/v1/users").status()).isEqualTo(403);
    change("eva", "{\"role\":\"ADMIN\"}");
    assertThat(eva.get("/api/v1/users").status()).isEqualTo(200);
  }

  @Test
  @Attack("keep a stolen session after the password was changed")
  void a_new_password_ends_the_sessions_of_browsers() {
    addWithPassword("eva");
    String cookie = session("user=eva&password=" + PASSWORD.replace(" ", "+"));
    assertThat(withCookie(cookie).status()).isEqualTo(200);
    assertThat(withCookie(cookie).json().get("user").asText()).isEqualTo("eva");
    change("eva", "{\"password\":\"another one\"}");
    assertThat(withCookie(cookie).status()).isEqualTo(401);
    assertThat(form("user=eva&password=wrong").status()).isEqualTo(401);
  }

  private Rest.Reply form(String body) {
    return nobody()
        .send(
            nobody()
                .request("/login")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body)));
  }

  private String session(String body) {
    return form(body).headers().firstValue("Set-Cookie").orElseThrow().replaceAll(";.*", "");
  }

  private Rest.Reply withCookie(String cookie) {
    return nobody().send(nobody().request("/api/v1/me").header("Cookie", cookie));
  }

  @Test
  void a_login_link_is_for_the_one_who_asked_for_it() {
    Rest eva = people.add("eva", "VIEWER");
    String link =
        People.require(201, eva.post("/api/v1/login/link", "")).json().get("link").asText();
    Rest.Reply reply = nobody().get(link.substring(link.indexOf("/login")));
    String cookie = reply.headers().firstValue("Set-Cookie").orElseThrow().replaceAll(";.*", "");
    assertThat(withCookie(cookie).json().get("user").asText()).isEqualTo("eva");
  }

  @Test
  void the_admin_cannot_be_locked_out_and_names_are_checked() {
    Rest admin = server.admin();
    assertThat(admin.putJson("/api/v1/users/admin", "{\"disabled\":true}").status()).isEqualTo(400);
    assertThat(admin.putJson("/api/v1/users/admin", "{\"role\":\"USER\"}").status()).isEqualTo(400);
    assertThat(admin.method("DELETE", "/api/v1/users/admin").status()).isEqualTo(400);
    for (String name : List.of("Eva", "agent", "", "a/b", "admin", "-x")) {
      Rest.Reply reply = admin.post("/api/v1/users", "{\"user\":\"%s\"}".formatted(name));
      assertThat(reply.status()).as(name).isEqualTo(400);
    }
    assertThat(
            admin.post("/api/v1/users", "{\"user\":\"eva\",\"password\":\"short\"}").errorField())
        .isEqualTo("password");
    change("admin", "{\"password\":\"%s\"}".formatted(PASSWORD));
    assertThat(login("admin", PASSWORD).json().get("role").asText()).isEqualTo("ADMIN");
  }

  @Test
  @Attack("read tokens and passwords from the disk of the server")
  void secrets_are_nowhere_on_disk() throws Exception {
    addWithPassword("eva");
    String token = login("eva", PASSWORD).json().get("token").asText();
    try (var files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String content = Files.readString(file, StandardCharsets.ISO_8859_1);
        assertThat(content.contains(token)).as(file.toString()).isFalse();
        assertThat(content.contains(PASSWORD)).as(file.toString()).isFalse();
      }
    }
  }

  // ---------------------------------------------------------------- quotas

  @Test
  @Attack("submit more tasks than the quota")
  void the_task_quota_counts_what_is_not_finished() {
    Rest eva = people.add("eva", "USER");
    change("eva", "{\"quota\":{\"tasks\":5}}");
    String three =
        "{\"command\":[\"x\"],\"sweep\":[{\"name\":\"n\",\"range\":{\"from\":1,\"to\":3}}]}";
    long first = eva.submit(three);
    Rest.Reply refused = eva.post("/api/v1/jobs", three);
    assertThat(refused.errorCode()).isEqualTo("quota_exceeded");
    assertThat(refused.errorMessage()).contains("5 unfinished tasks", "there are 3", "adds 3");
    assertThat(eva.get("/api/v1/me").json().get("liveTasks").asLong()).isEqualTo(3);
    eva.post("/api/v1/jobs/" + first + "/cancel", "{}");
    assertThat(eva.post("/api/v1/jobs", three).status()).isEqualTo(201);
    assertThat(server.admin().post("/api/v1/jobs", three).status()).isEqualTo(201);
  }

  @Test
  @Attack("upload more than the quota")
  void the_storage_quota_counts_what_was_brought() {
    Rest eva = people.add("eva", "USER");
    change("eva", "{\"quota\":{\"storageBytes\":1000}}");
    eva.upload(new byte[600]);
    byte[] more = new byte[500];
    more[0] = 1;
    Rest.Reply refused = eva.put("/api/v1/blobs/" + Rest.sha256(more), more);
    assertThat(refused.errorCode()).isEqualTo("quota_exceeded");
    assertThat(refused.errorMessage()).contains("1000 bytes", "600 bytes", "500 bytes");
    eva.upload(new byte[600]);
    assertThat(eva.get("/api/v1/me").json().get("storageBytes").asLong()).isEqualTo(600);
    change("eva", "{\"quota\":{\"storageBytes\":100}}");
    assertThat(eva.post("/api/v1/jobs", "{\"command\":[\"x\"]}").errorCode())
        .isEqualTo("quota_exceeded");
    change("eva", "{\"quota\":{\"storageBytes\":-1}}");
    eva.submit("{\"command\":[\"x\"]}");
  }

  @Test
  void the_slot_quota_limits_what_runs_at_a_time() {
    Rest eva = people.add("eva", "USER");
    change("eva", "{\"quota\":{\"slots\":1}}");
    server.restart();
    eva.submit(
        "{\"command\":[\"x\"],\"sweep\":[{\"name\":\"n\",\"range\":{\"from\":1,\"to\":3}}]}");
    try (TestAgent agent = server.agent("two-slots")) {
      var first = agent.nextAssignment();
      assertThat(eva.get("/api/v1/pool").json().at("/tasks/running").asLong()).isEqualTo(1);
      agent.finish(TestAgent.success(first));
      agent.nextAssignment();
      assertThat(eva.get("/api/v1/pool").json().at("/tasks/running").asLong()).isEqualTo(1);
      change("eva", "{\"quota\":{\"slots\":-1}}");
      agent.nextAssignment();
      assertThat(eva.get("/api/v1/pool").json().at("/tasks/running").asLong()).isEqualTo(2);
    }
  }

  // ---------------------------------------------------------------- audit and use

  private List<String> audit(Rest who) {
    return who.get("/api/v1/audit?limit=1000").json().findValuesAsText("action");
  }

  @Test
  void what_changes_something_and_what_is_refused_is_noted() {
    Rest eva = people.add("eva", "USER");
    long job = eva.submit("{\"command\":[\"x\"]}");
    eva.get("/api/v1/jobs");
    eva.get("/api/v1/users");
    login("eva", "wrong word");
    server.withToken("imker-u-wrong").get("/api/v1/jobs?secret=1");
    await()
        .untilAsserted(
            () ->
                assertThat(audit(server.admin()))
                    .containsExactlyInAnyOrder(
                        "POST /api/v1/users -> /api/v1/users/eva",
                        "POST /api/v1/tokens",
                        "POST /api/v1/jobs -> /api/v1/jobs/" + job,
                        "GET /api/v1/users",
                        "POST /api/v1/login",
                        "GET /api/v1/jobs"));
    assertThat(audit(eva)).contains("GET /api/v1/users", "POST /api/v1/login").hasSize(3);
    assertThat(eva.get("/api/v1/audit?user=admin").status()).isEqualTo(403);
    server.restart();
    JsonNode page = server.admin().get("/api/v1/audit?user=eva&limit=2").json();
    assertThat(page.get("entries")).hasSize(2);
    assertThat(
            server
                .admin()
                .get("/api/v1/audit?user=eva&before=" + page.get("next").asLong())
                .json()
                .get("entries"))
        .hasSize(2);
  }

  @Test
  void use_is_told_by_user_node_and_project_and_as_csv() {
    Rest eva = people.add("eva", "USER");
    long job =
        eva.submit(
            "{\"command\":[\"x\"],\"project\":\"p\",\"rules\":{\"maxFailures\":2,\"speculative\":false}}");
    try (TestAgent agent = server.agent("use")) {
      agent.finish(TestAgent.failure(agent.nextAssignment(), 3));
      agent.nextConfirmed();
      agent.finish(TestAgent.success(agent.nextAssignment()));
      agent.nextConfirmed();
    }
    assertThat(eva.job(job).get("status").asText()).isEqualTo("DONE");
    JsonNode usage = eva.get("/api/v1/usage?by=node").json().at("/usage/0");
    assertThat(usage.get("attempts").asLong()).isEqualTo(2);
    assertThat(usage.get("wastedAttempts").asLong()).isEqualTo(1);
    server.restart();
    assertThat(
            server
                .admin()
                .get("/api/v1/usage?by=project&user=eva")
                .json()
                .at("/usage/0/group")
                .asText())
        .isEqualTo("p");
    assertThat(eva.get("/api/v1/usage?format=csv&by=day,user&since=2020-01-01").text())
        .startsWith("user,day,attempts,wastedAttempts,cpuMillis")
        .contains("\r\neva,20");
    JsonNode all = eva.get("/api/v1/usage?by=user,project,node,day").json();
    assertThat(all.get("by").asText()).isEqualTo("user,project,node,day");
    assertThat(all.at("/usage/0/project").asText()).isEqualTo("p");
    assertThat(all.at("/usage/0/day").asText()).startsWith("20");
    assertThat(eva.get("/api/v1/usage?by=moon").errorField()).isEqualTo("by");
    assertThat(eva.get("/api/v1/usage?user=admin").status()).isEqualTo(403);
    assertThat(eva.get("/api/v1/usage?since=soon").errorField()).isEqualTo("since");
  }
}
