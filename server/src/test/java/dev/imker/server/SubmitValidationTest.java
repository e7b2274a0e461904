package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.testbase.Attack;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class SubmitValidationTest {
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

  static Stream<Arguments> wrong_jobs() {
    String blob = "0".repeat(64);
    return Stream.of(
        wrong("{}", "command", "nothing to run"),
        wrong("[1]", "", "must be a JSON object"),
        wrong("{\"comand\":[\"x\"]}", "comand", "Did you mean command?"),
        wrong("{\"command\":\"x\"}", "command", "must be an array"),
        wrong("{\"command\":[\"x\",7]}", "command[1]", "must be a string"),
        wrong("{\"command\":[\"x\\u0000\"]}", "command[0]", "NUL"),
        wrong("{\"command\":[\"x ${y}\"]}", "command[0]", "${y}"),
        wrong("{\"command\":[\"x\"],\"env\":{\"A\":\"${b}\"}}", "env.A", "${b}"),
        wrong(
            "{\"command\":[\"x\"],\"env\":{\"A B\":\"\"}}",
            "env.A B",
            "name for an environment variable"),
        wrong("{\"command\":[\"x\"],\"priority\":10}", "priority", "from 0 to 9"),
        wrong("{\"command\":[\"x\"],\"priority\":1.5}", "priority", "whole number"),
        wrong(rules("\"maxFailures\":0"), "rules.maxFailures", "from 1 to 100"),
        wrong(rules("\"maxRuntimeMillis\":-1"), "rules.maxRuntimeMillis", "from 0"),
        wrong(rules("\"speculative\":\"yes\""), "rules.speculative", "true or false"),
        wrong("{\"command\":[\"x\"],\"kind\":\"magic\"}", "kind", "COMMAND, NOOP"),
        wrong("{\"command\":[\"x\"],\"version\":3}", "version", "from 1 to 2"),
        wrong("{\"command\":[\"x\"],\"name\":\"12\"}", "name", "starts with a letter"),
        wrong("{\"command\":[\"x\"],\"name\":\"last\"}", "name", "not \"last\""),
        wrong("{\"command\":[\"x\"],\"name\":\"a..b\"}", "name", "single dots"),
        wrong("{\"command\":[\"x\"],\"project\":\"a/b\"}", "project", "letters, digits"),
        wrong(sweep("{\"name\":\"n\"}"), "sweep[0]", "either values or a range"),
        wrong(sweep("{\"name\":\"n\",\"values\":[]}"), "sweep[0].values", "no values"),
        wrong(
            sweep("{\"name\":\"task\",\"values\":[\"1\"]}"),
            "sweep[0].name",
            "already has a meaning"),
        wrong(sweep("{\"name\":\"1\",\"values\":[\"1\"]}"), "sweep[0].name", "starting with"),
        wrong(
            sweep("{\"name\":\"n\",\"values\":[\"1\"]},{\"name\":\"n\",\"values\":[\"1\"]}"),
            "sweep[1].name",
            "appears twice"),
        wrong(
            sweep("{\"name\":\"n\",\"range\":{\"from\":1,\"to\":5,\"step\":0}}"),
            "sweep[0].range.step",
            "whole number from 1"),
        wrong(
            sweep("{\"name\":\"n\",\"range\":{\"from\":1,\"to\":10000001}}"),
            "sweep[0].range",
            "Split it into several jobs"),
        wrong(
            sweep(
                "{\"name\":\"a\",\"range\":{\"from\":1,\"to\":10000}},"
                    + "{\"name\":\"b\",\"range\":{\"from\":1,\"to\":1001}}"),
            "sweep",
            "more than 10,000,000 tasks"),
        wrong(input("/etc/passwd", blob), "inputs[0].path", "relative to the work folder"),
        wrong(input("a/../../b", blob), "inputs[0].path", ".. are not allowed"),
        wrong(input("C:\\\\x", blob), "inputs[0].path", "relative"),
        wrong(input("", blob), "inputs[0].path", "1 to 1000 characters"),
        wrong(input("a", "xyz"), "inputs[0].blob", "SHA-256"),
        wrong("{\"command\":[\"x\"],\"outputs\":[\"../x\"]}", "outputs[0]", ".. are not allowed"),
        wrong("{\"command\":[\"x\"],\"outputs\":[\"/x\"]}", "outputs[0]", "relative"),
        wrong("{\"command\":[\"x\"],\"outputs\":[\"[a\"]}", "outputs[0]", "not a valid pattern"),
        wrong(rules("\"folder\":\"../x\""), "rules.folder", ".. are not allowed"),
        wrong(rules("\"checkpoints\":[\"/x\"]"), "rules.checkpoints[0]", "relative"),
        wrong(
            rules("\"checkpoints\":[\"x\"],\"speculative\":true"),
            "rules.speculative",
            "cannot have speculative copies"),
        wrong(input("n".repeat(256), blob), "inputs[0].path", "255 bytes"),
        wrong(input("a\\u0007b", blob), "inputs[0].path", "control characters"),
        wrong(
            "{\"command\":[\"x\"],\"inputs\":[{\"path\":\"a/b\",\"blob\":\"%1$s\",\"size\":1},{\"path\":\"a\",\"blob\":\"%1$s\",\"size\":1}]}"
                .formatted(blob),
            "inputs[0].path",
            "inside 'a', which is a file"),
        wrong(
            "{\"command\":[\"x\"],\"dataInputs\":[{\"from\":{\"tasks\":\"1\"},\"into\":\"../up\"}]}",
            "dataInputs[0].into",
            ".. are not allowed"),
        wrong(
            "{\"command\":[\"x\"],\"dataInputs\":[{\"from\":{\"tasks\":\"1\"},\"glob\":\"[a\"}]}",
            "dataInputs[0].glob",
            "not a valid pattern"),
        wrong(
            "{\"command\":[\"x\"],\"rules\":{\"folder\":\"${p}\"},\"sweep\":[{\"name\":\"p\",\"values\":[\"a\",\"../b\"]}]}",
            "rules.folder",
            "not a folder inside the work folder"),
        wrong("{\"command\":[\"x\"],\"needs\":{\"os\":1}}", "needs.os", "Unknown field needs.os"));
  }

  private static Arguments wrong(String json, String field, String message) {
    return Arguments.of(json, field, message);
  }

  private static String rules(String rules) {
    return "{\"command\":[\"x\"],\"rules\":{" + rules + "}}";
  }

  private static String sweep(String axes) {
    return "{\"command\":[\"x\"],\"sweep\":[" + axes + "]}";
  }

  private static String input(String path, String blob) {
    return "{\"command\":[\"x\"],\"inputs\":[{\"path\":\"%s\",\"blob\":\"%s\",\"size\":1}]}"
        .formatted(path, blob);
  }

  @ParameterizedTest
  @MethodSource("wrong_jobs")
  void a_wrong_job_is_refused_naming_field_and_cure(String json, String field, String message) {
    Rest.Reply reply = server.admin().post("/api/v1/jobs", json);
    assertThat(reply.status()).as(reply.text()).isEqualTo(400);
    assertThat(reply.errorField()).isEqualTo(field);
    assertThat(reply.errorMessage()).contains(message);
  }

  @Test
  void text_that_is_no_json_is_refused_with_its_place() {
    Rest.Reply reply = server.admin().post("/api/v1/jobs", "{\n  oops");
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.errorCode()).isEqualTo("not_json");
    assertThat(reply.errorMessage()).contains("line 2");
  }

  @Test
  void another_content_type_is_refused() {
    Rest admin = server.admin();
    Rest.Reply reply =
        admin.send(
            admin
                .request("/api/v1/jobs")
                .header("Content-Type", "text/yaml")
                .POST(java.net.http.HttpRequest.BodyPublishers.ofString("command: x")));
    assertThat(reply.status()).isEqualTo(415);
  }

  @Test
  @Attack("send a body beyond the limit")
  void a_body_beyond_the_limit_is_refused() {
    String huge = "{\"from\": 1}" + " ".repeat(20_000);
    long job = server.admin().submit("{\"command\":[\"x\"]}");
    Rest.Reply reply = server.admin().post("/api/v1/jobs/" + job + "/cancel", huge);
    assertThat(reply.status()).isEqualTo(413);
  }

  @Test
  void missing_blobs_are_listed() {
    String missing = Rest.sha256("not uploaded".getBytes(StandardCharsets.UTF_8));
    Rest.Reply reply = server.admin().post("/api/v1/jobs", input("a", missing));
    assertThat(reply.status()).isEqualTo(409);
    assertThat(reply.errorCode()).isEqualTo("missing_blobs");
    assertThat(reply.errorMessage()).contains(missing);
  }

  @Test
  void an_input_of_the_wrong_size_is_refused() {
    String blob = server.admin().upload("five!".getBytes(StandardCharsets.UTF_8));
    Rest.Reply reply = server.admin().post("/api/v1/jobs", input("a", blob));
    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.errorMessage()).contains("size of input a");
  }

  @Test
  void defaults_are_filled_in() {
    long id = server.admin().submit("{\"command\":[\"/usr/bin/sort -n data\"]}");
    var job = server.admin().get("/api/v1/jobs/" + id + "?spec=true").json();
    assertThat(job.get("name").asText()).isEqualTo("sort");
    assertThat(job.get("project").asText()).isEqualTo("default");
    assertThat(job.get("user").asText()).isEqualTo("admin");
    assertThat(job.get("priority").asInt()).isEqualTo(4);
    assertThat(job.get("status").asText()).isEqualTo("QUEUED");
    assertThat(job.at("/spec/stages/0/rules/maxFailures").asInt()).isEqualTo(5);
  }

  @Test
  void the_answer_to_a_submission_shows_the_job() {
    Rest.Reply reply =
        server
            .admin()
            .post("/api/v1/jobs", sweep("{\"name\":\"n\",\"range\":{\"from\":1,\"to\":7}}"));
    assertThat(reply.status()).isEqualTo(201);
    assertThat(reply.json().at("/counts/ready").asInt()).isEqualTo(7);
    assertThat(reply.json().get("status").asText()).isEqualTo("QUEUED");
    assertThat(reply.headers().firstValue("Location"))
        .contains("/api/v1/jobs/" + reply.json().get("id"));
  }

  @Test
  void the_spec_that_is_shown_can_be_submitted_again() {
    String blob = server.admin().upload("content".getBytes(StandardCharsets.UTF_8));
    long id =
        server
            .admin()
            .submit(
                """
                {"command":["cat f ${n}"],"outputs":["*.txt"],"env":{"A":"b"},
                 "inputs":[{"path":"f","blob":"%s","size":7}],
                 "sweep":[{"name":"n","range":{"from":1,"to":3}},{"name":"m","values":["x"]}],
                 "needs":{"alternatives":[{"os":["linux"],"cores":2}]}}\
                """
                    .formatted(blob));
    var spec = server.admin().get("/api/v1/jobs/" + id + "?spec=true").json().get("spec");
    long again = server.admin().submit(spec.toString());
    assertThat(server.admin().get("/api/v1/jobs/" + again + "?spec=true").json().get("spec"))
        .isEqualTo(spec);
  }
}
