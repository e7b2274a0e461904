package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.JoinToken;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Every documented route with every kind of token. */
class AuthMatrixTest {
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

  private static boolean passes(int status) {
    return status != 401 && status != 403;
  }

  @TestFactory
  List<DynamicTest> every_route_is_open_only_to_those_it_is_for() {
    JsonNode paths = server.admin().get("/api/v1/openapi.json").json().get("paths");
    List<DynamicTest> tests = new ArrayList<>();
    for (Map.Entry<String, JsonNode> path : paths.properties()) {
      for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
        String access = method.getValue().get("x-imker-access").asText();
        String verb = method.getKey().toUpperCase(java.util.Locale.ROOT);
        tests.add(
            DynamicTest.dynamicTest(
                verb + " " + path.getKey() + " is for " + access,
                () -> check(verb, concrete(path.getKey()), access)));
      }
    }
    assertThat(tests).hasSizeGreaterThan(25);
    return tests;
  }

  /** Parameters that lead to an answer at once, right or wrong. */
  private static String concrete(String path) {
    return path.replace("{sha256}", "0".repeat(64))
        .replace("{task}", "999.1")
        .replaceAll("\\{[a-z]+}", "999")
        .replace("/events", "/events?job=999");
  }

  private static void check(String verb, String path, String access) {
    String join = JoinToken.parse(server.running().joinToken()).secret();
    int nobody = server.withToken("").method(verb, path).status();
    int wrong = server.withToken("imker-admin-wrong").method(verb, path).status();
    int agent = server.withToken(join).method(verb, path).status();
    int admin = server.admin().method(verb, path).status();
    if (access.equals("open")) {
      assertThat(List.of(nobody, admin)).allMatch(status -> status != 403);
      return;
    }
    assertThat(nobody).as("without token").isEqualTo(401);
    assertThat(wrong).as("with a wrong token").isEqualTo(401);
    assertThat(passes(agent)).as("agent: " + agent).isEqualTo(!access.equals("admin"));
    assertThat(passes(admin)).as("admin: " + admin).isEqualTo(!access.equals("agent"));
  }
}
