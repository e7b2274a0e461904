package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Users at the command line of the built program, and the examples of docs/blackboard.md. */
class PeopleTest {
  @TempDir Path folder;
  private PoolFixture pool;

  @BeforeEach
  void start() {
    pool = PoolFixture.start(folder);
    pool.addUsualAgent("worker", 2);
    pool.awaitAgents(1);
  }

  @AfterEach
  void stop() {
    pool.close();
  }

  private static String ok(ImkerProcess.Finished finished) {
    assertThat(finished.exitCode()).as(finished.err() + finished.out()).isZero();
    return finished.out();
  }

  /** Runs a command as a user with a token. */
  private ImkerProcess.Finished as(String token, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add(1, "--token");
    all.add(2, token);
    return pool.imker(all.toArray(String[]::new));
  }

  @Test
  void a_user_works_beside_the_admin_and_sees_own_work_only() {
    ok(pool.imker("users", "add", "--no-password", "--tasks", "50", "eva"));
    String token = ok(pool.imker("tokens", "create", "--user", "eva", "laptop")).strip();
    ok(pool.imker("run", "--wait", "--", "echo of admin"));
    assertThat(ok(as(token, "whoami"))).contains("eva", "0 of 50");
    assertThat(ok(as(token, "run", "--wait", "--", "echo of eva"))).contains("of eva");
    JsonNode jobs = PoolFixture.json(ok(as(token, "ls", "--json")));
    assertThat(jobs.findValuesAsText("user")).containsOnly("eva");
    assertThat(as(token, "show", "1").exitCode()).isNotZero();
    ImkerProcess.Finished tooMany = as(token, "run", "--", "echo {1..51}");
    assertThat(tooMany.err()).contains("50 unfinished tasks", "adds 51");
    assertThat(as(token, "users").err()).contains("Only an admin");
    assertThat(ok(pool.imker("usage", "--by", "user,node", "--csv"))).contains("\neva,");
    assertThat(ok(pool.imker("audit", "--user", "eva"))).contains("POST /api/v1/jobs");
    ok(pool.imker("tokens", "revoke", "--user", "eva", "laptop"));
    assertThat(as(token, "whoami").err()).contains("rejected this token");
  }

  @Test
  void figures_are_collected_with_a_token_that_opens_nothing_else() throws Exception {
    String token = ok(pool.imker("tokens", "metrics")).strip();
    assertThat(as(token, "ls").exitCode()).isNotZero();
    assertThat(get("/metrics", token)).startsWith("200 ").contains("imker_leader");
    assertThat(get("/api/v1/jobs", token)).startsWith("403 ");
    assertThat(get("/metrics", "another")).startsWith("401 ");
  }

  private String get(String path, String token) throws Exception {
    URI pools = URI.create(pool.announcement().path("url").asText());
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          http.send(
              HttpRequest.newBuilder(pools.resolve(path))
                  .header("Authorization", "Bearer " + token)
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body();
    }
  }

  @Test
  void jobs_are_exported_removed_and_imported() throws IOException {
    Path archive = folder.resolve("jobs.zip");
    ok(pool.imker("run", "--wait", "--name", "kept", "--", "echo hi > out.txt"));
    ok(pool.imker("export", "kept", "-o", archive.toString()));
    assertThat(ok(pool.imker("rm", "kept"))).contains("job 1: deleted");
    assertThat(ok(pool.imker("import", archive.toString()))).contains("job 2 (was 1): kept");
    Path results = folder.resolve("results");
    ok(pool.imker("results", "kept", "--results", results.toString()));
    assertThat(results.resolve("0001/out.txt")).hasContent("hi\n");
    ok(pool.imker("retention", "set", "--done", "0"));
    assertThat(ok(pool.imker("retention", "run", "--dry-run"))).contains("Would remove 1 jobs");
    assertThat(ok(pool.imker("retention", "run"))).contains("Removed 1 jobs");
  }

  @Test
  void the_documented_examples_of_the_blackboard_work() throws IOException {
    Path docs = Path.of("..", "docs", "blackboard.md");
    Path shell = Files.writeString(folder.resolve("board.sh"), "set -e\n" + example(docs, "sh"));
    Path python = Files.writeString(folder.resolve("board.py"), example(docs, "python"));
    assertThat(ok(pool.imker("run", "--wait", "--in", shell.toString(), "--", "sh board.sh")))
        .contains("\"name\":\"best\"", "42");
    assertThat(ok(pool.imker("run", "--wait", "--in", python.toString(), "--", "python3 board.py")))
        .contains("python got 43");
    assertThat(ok(pool.imker("board"))).contains("best so far", "by Python");
  }

  private static String example(Path page, String language) throws IOException {
    Matcher matcher =
        Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL)
            .matcher(Files.readString(page));
    assertThat(matcher.find()).as("example in " + language).isTrue();
    return matcher.group(1);
  }
}
