package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.model.kind.TaskKind;
import dev.imker.server.http.Json;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.ResultFile;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kinds of jobs that come from jars which were built elsewhere. */
@ExpectedLogs({"cannot be used", "failed", "is no jar"})
final class KindsTest {
  /** The example of docs/kinds.md. */
  private static final Path EXAMPLE = Path.of("../docs/kinds.md");

  @TempDir Path folder;

  private static String example() throws IOException {
    String page = Files.readString(EXAMPLE);
    int from = page.indexOf("```java\n") + "```java\n".length();
    return page.substring(from, page.indexOf("```", from));
  }

  /** Compiles a class without anything of the project but the jar that kinds are made against. */
  private void addJar(String jar, String name, String source) throws Exception {
    Path work = Files.createDirectories(folder.resolve("built-" + jar));
    Path file = Files.writeString(work.resolve(name + ".java"), source);
    int failed =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-cp", api().toString(), "-d", work.toString(), file.toString());
    assertThat(failed).isZero();
    Path kinds = Files.createDirectories(folder.resolve("kinds"));
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(kinds.resolve(jar)));
        var classes = Files.list(work)) {
      for (Path compiled : classes.filter(path -> path.toString().endsWith(".class")).toList()) {
        out.putNextEntry(new ZipEntry(compiled.getFileName().toString()));
        out.write(Files.readAllBytes(compiled));
      }
      out.putNextEntry(new ZipEntry("META-INF/services/" + TaskKind.class.getName()));
      out.write(name.getBytes(StandardCharsets.UTF_8));
    }
  }

  private static Path api() throws URISyntaxException {
    return Path.of(TaskKind.class.getProtectionDomain().getCodeSource().getLocation().toURI());
  }

  private static Rest.Reply expand(TestServer server, String kind, Map<String, String> values) {
    ObjectNode body = Json.MAPPER.createObjectNode();
    body.set("values", Json.MAPPER.valueToTree(values));
    return server.admin().post("/api/v1/kinds/" + kind, body.toString());
  }

  private static long submit(TestServer server, JsonNode job) {
    ObjectNode body = Json.MAPPER.createObjectNode();
    body.put("text", job.toString());
    Rest.Reply reply = server.admin().post("/api/v1/jobfiles", body.toString());
    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    return reply.json().at("/jobs/0/id").asLong();
  }

  private static void finish(TestServer server, TestAgent agent, String result) {
    Assignment task = agent.nextAssignment();
    String sha256 = server.admin().upload("2 a\n".getBytes(StandardCharsets.UTF_8));
    agent.finish(
        TestAgent.done(task)
            .addResults(ResultFile.newBuilder().setPath(result).setSha256(sha256).setSize(4))
            .build());
    assertThat(agent.nextConfirmed().getAccepted()).isTrue();
  }

  @Test
  void kind_of_a_jar_is_listed_checks_its_fields_makes_stages_and_names_its_results()
      throws Exception {
    addJar("words.jar", "WordCount", example());
    addJar("broken.jar", "Broken", "public class Broken { }");
    addJar("blind.jar", "Blind", blind());
    Files.writeString(folder.resolve("kinds/rubbish.jar"), "no jar");
    try (TestServer server = TestServer.start(folder)) {
      List<String> names =
          server.admin().get("/api/v1/kinds").json().at("/kinds").findValuesAsText("name");
      assertThat(names).contains("word-count", "texts", "top").doesNotContain("blind");
      assertThat(expand(server, "word-count", Map.of("top", "ten", "size", "1")).text())
          .contains(
              "'texts' is missing",
              "'top' must be a whole number, not 'ten'",
              "There is no field 'size'");
      assertThat(expand(server, "word-count", Map.of("texts", "a b", "top", "0")).text())
          .contains("At least one word has to be shown.");
      assertThat(expand(server, "nothing", Map.of()).text()).contains("There is no kind 'nothing'");

      Rest.Reply expanded = expand(server, "word-count", Map.of("texts", "a b a"));
      assertThat(expanded.status()).as(expanded.text()).isEqualTo(200);
      long job = submit(server, expanded.json().get("job"));
      try (TestAgent agent = server.agent("a")) {
        finish(server, agent, "part.txt");
        finish(server, agent, "words.txt");
      }
      JsonNode views = server.admin().get("/api/v1/jobs/" + job + "/views").json();
      assertThat(views.get("kind").asText()).isEqualTo("word-count");
      assertThat(views.at("/files/0/title").asText()).isEqualTo("Most frequent words");
      assertThat(views.at("/files/0/task").asText()).isEqualTo(job + ".2");
      assertThat(views.at("/files/0/file").asText()).isEqualTo("words.txt");
    }
  }

  private static String bad(String name, String thrown) {
    return """
    import dev.imker.model.kind.TaskKind;
    import java.util.*;
    public class %s implements TaskKind {
      public String name() { return "%s"; }
      public String description() { return "Throws."; }
      public List<Field> fields() { return List.of(); }
      public Map<String, Object> job(Map<String, String> values) {
        throw %s;
      }
    }
    """
        .formatted(name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1), name, thrown);
  }

  /** One that cannot even say what its fields are. */
  private static String blind() {
    return bad("blind", "new IllegalStateException()")
        .replace("return List.of()", "throw new AssertionError()");
  }

  @Test
  void kind_that_throws_costs_its_own_call_only() throws Exception {
    addJar("bad.jar", "Bad", bad("bad", "new IllegalStateException(\"no idea\")"));
    addJar("worse.jar", "Worse", bad("worse", "new OutOfMemoryError(\"no room\")"));
    try (TestServer server = TestServer.start(folder)) {
      Rest.Reply reply = expand(server, "bad", Map.of());
      assertThat(reply.status()).isEqualTo(400);
      assertThat(reply.text())
          .contains("The kind 'bad' could not create a job from this", "no idea");
      assertThat(expand(server, "worse", Map.of()).text()).contains("no room");
      assertThat(server.admin().get("/api/v1/kinds").status()).isEqualTo(200);
    }
  }

  @Test
  void planned_job_has_a_stage_for_every_action_after_those_it_needs() {
    try (TestServer server = TestServer.start(folder)) {
      String domain =
          """
          (define (domain tea) (:predicates (hot) (cup) (tea))
            (:action boil :parameters () :precondition (and) :effect (hot))
            (:action fetch :parameters () :precondition (and) :effect (cup))
            (:action brew :parameters () :precondition (and (hot) (cup)) :effect (tea)))
          """;
      String problem = "(define (problem p) (:domain tea) (:init) (:goal (tea)))";
      Rest.Reply reply =
          expand(
              server,
              "planned",
              Map.of("domain", domain, "problem", problem, "command", "echo ${action}"));
      assertThat(reply.status()).as(reply.text()).isEqualTo(200);
      JsonNode stages = reply.json().at("/job/stages");
      assertThat(stages.findValuesAsText("command"))
          .containsExactlyInAnyOrder("echo boil", "echo fetch", "echo brew");
      assertThat(stages.get(2).get("after")).hasSize(2);
      long job = submit(server, reply.json().get("job"));
      assertThat(server.admin().job(job).get("tasks").asInt()).isEqualTo(3);
      Rest.Reply none =
          expand(
              server,
              "planned",
              Map.of("domain", domain, "problem", problem.replace("(tea)))", "(not (tea))))")));
      assertThat(none.status()).isEqualTo(400);
      assertThat(expand(server, "planned", Map.of("domain", "(", "problem", "")).text())
          .contains("domain");
    }
  }
}
