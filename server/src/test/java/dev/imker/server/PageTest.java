package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How the files of the page are served, and what only the page asks for. */
class PageTest {
  private static final Pattern MODULE = Pattern.compile("src=\"(page/[0-9a-f]+/app.js)\"");

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

  private static String firstModule() {
    Matcher matcher = MODULE.matcher(server.withToken("").get("/").text());
    assertThat(matcher.find()).isTrue();
    return "/" + matcher.group(1);
  }

  @Test
  void files_are_kept_for_ever_under_an_address_that_changes_with_them() {
    Rest nobody = server.withToken("");
    Rest.Reply reply = nobody.get(firstModule());
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.headers().firstValue("Cache-Control").orElseThrow()).contains("immutable");
    String tag = reply.headers().firstValue("ETag").orElseThrow();
    assertThat(nobody.send(nobody.request(firstModule()).header("If-None-Match", tag)).status())
        .isEqualTo(304);
    assertThat(nobody.get("/page/00000000/app.js").status()).isEqualTo(404);
  }

  @Test
  void only_files_of_the_page_are_served() {
    String base = firstModule().replace("app.js", "");
    Rest nobody = server.withToken("");
    assertThat(nobody.get(base + "lib/lit-html/lit-html.js").status()).isEqualTo(200);
    for (String name :
        new String[] {"PageRoutes.class", "../api.json", "%2e%2e/api.json", "", "index"}) {
      assertThat(nobody.get(base + name).status()).as(name).isEqualTo(404);
    }
  }

  @Test
  void files_come_compressed_to_those_who_can_read_it() {
    Rest nobody = server.withToken("");
    Rest.Reply reply =
        nobody.send(nobody.request(firstModule()).header("Accept-Encoding", "gzip, br"));
    assertThat(reply.headers().firstValue("Content-Encoding")).contains("gzip");
  }

  @Test
  void libraries_are_addressed_in_a_way_that_browsers_understand() {
    String base = firstModule().replace("app.js", "");
    assertThat(server.withToken("").get(base + "lib/lit-element/lit-element.js").text())
        .contains("\"../../lib/lit-html/lit-html.js\"")
        .doesNotContain("\"lit-html\"");
  }

  @Test
  void logging_out_takes_the_cookie_away() {
    Rest.Reply reply = server.withToken("").method("POST", "/logout");
    assertThat(reply.status()).isEqualTo(303);
    assertThat(reply.headers().firstValue("Set-Cookie").orElseThrow()).contains("Max-Age=0");
  }

  @Test
  void the_overview_names_tasks_that_failed_too_often_to_their_owner_only() {
    People people = new People(server);
    Rest rosa = people.add("rosa", "USER");
    Rest karl = people.add("karl", "USER");
    long job = rosa.submit("{\"name\":\"sad\",\"command\":[\"x\"],\"rules\":{\"maxFailures\":1}}");
    try (TestAgent agent = server.agent("sick")) {
      agent.finish(TestAgent.failure(agent.nextAssignment(), 3));
      agent.nextConfirmed();
    }
    // What was found a moment ago may be told once more.
    org.awaitility.Awaitility.await()
        .atMost(java.time.Duration.ofSeconds(60))
        .until(() -> attention(rosa).findValuesAsText("kind").contains("AUTO_BLOCKED"));
    assertThat(attention(rosa).findValuesAsText("job")).contains(Long.toString(job));
    assertThat(attention(karl).findValuesAsText("kind")).doesNotContain("AUTO_BLOCKED");
  }

  private static JsonNode attention(Rest who) {
    return who.get("/api/v1/overview").json().get("attention");
  }

  @Test
  void a_graph_counts_tasks_by_stage() {
    long job =
        server
            .admin()
            .submit(
                """
                {"name":"staged","stages":[
                  {"name":"a","command":["x"],"sweep":[{"name":"n","range":{"from":1,"to":3}}]},
                  {"name":"b","command":["y"],"after":[{"stage":"a"}]}]}""");
    JsonNode stages = server.admin().get("/api/v1/jobs/" + job + "/graph").json().get("stages");
    assertThat(stages.at("/0/counts/ready").asInt()).isEqualTo(3);
    assertThat(stages.at("/1/counts/waiting").asInt()).isEqualTo(1);
    assertThat(stages.at("/1/first").asInt()).isEqualTo(4);
    assertThat(stages.at("/1/after/0/stage").asText()).isEqualTo("a");
    server.admin().method("POST", "/api/v1/jobs/" + job + "/cancel");
  }

  @Test
  void names_are_searched_by_a_pattern() {
    server.admin().submit("{\"name\":\"under_score\",\"command\":[\"x\"]}");
    server.admin().submit("{\"name\":\"underXscore\",\"command\":[\"x\"]}");
    assertThat(names("*der_sc*")).containsExactly("under_score");
    assertThat(names("under?score")).containsExactlyInAnyOrder("under_score", "underXscore");
    assertThat(names("under")).isEmpty();
  }

  private static java.util.List<String> names(String pattern) {
    String query = java.net.URLEncoder.encode(pattern, java.nio.charset.StandardCharsets.UTF_8);
    return server.admin().get("/api/v1/jobs?name=" + query).json().findValuesAsText("name");
  }
}
