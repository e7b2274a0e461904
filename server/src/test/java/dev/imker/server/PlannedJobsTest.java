package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.wire.proto.Assignment;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plans that are carried out, and others that take their place. */
class PlannedJobsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DOMAIN =
      """
      (define (domain roads)
        (:predicates (at ?x) (road ?x ?y))
        (:action drive :parameters (?from ?to)
          :precondition (and (at ?from) (road ?from ?to))
          :effect (and (at ?to) (not (at ?from)))))
      """;
  private static final String PROBLEM =
      """
      (define (problem p) (:domain roads) (:objects a b c d)
        (:init (at a) (road a b) (road b d) (road b c) (road c d)) (:goal (at d)))
      """;

  private static final String PUZZLE =
      """
      (define (domain puzzle)
        (:predicates (at ?t ?c) (free ?c) (near ?c ?d))
        (:action push :parameters (?t ?from ?to)
          :precondition (and (at ?t ?from) (free ?to) (near ?from ?to))
          :effect (and (at ?t ?to) (free ?from) (not (at ?t ?from)) (not (free ?to)))))
      """;

  @TempDir Path folder;
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.start(folder);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static ObjectNode order(boolean replan) {
    ObjectNode order = JSON.createObjectNode();
    order.put("domain", DOMAIN).put("problem", PROBLEM).put("replan", replan);
    ObjectNode job = order.putObject("job").put("name", "trip");
    ObjectNode drive = stage(job, "drive");
    drive.putObject("rules").put("maxFailures", 1);
    stage(job, "undo-drive");
    order.putArray("actions").addObject().put("action", "drive").put("undo", "undo-drive");
    return order;
  }

  private static ObjectNode stage(ObjectNode job, String name) {
    ObjectNode stage = job.withArray("stages").addObject().put("name", name);
    stage.putArray("command").add(name + " ${from} ${to}");
    for (String parameter : List.of("from", "to")) {
      stage.withArray("sweep").addObject().put("name", parameter).putArray("values").add("x");
    }
    return stage;
  }

  private JsonNode plan(long job) {
    Rest.Reply reply = server.admin().get("/api/v1/jobs/" + job + "/plan");
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    return reply.json();
  }

  private String stageOf(Assignment task) {
    long job = task.getLease().getJob();
    return server
        .admin()
        .get("/api/v1/jobs/" + job + "?spec=true")
        .json()
        .at("/spec/stages/" + task.getStage() + "/name")
        .asText();
  }

  @Test
  void the_text_of_an_action_file_binds_actions_to_commands() {
    ObjectNode bound = JSON.createObjectNode().put("domain", DOMAIN).put("problem", PROBLEM);
    bound.put(
        "bindings", "imker: 1\nname: trip\nactions: {drive: {command: go}, fly: {command: x}}\n");
    Rest.Reply wrong = server.admin().post("/api/v1/plans/jobs", bound.toString());
    assertThat(wrong.status()).isEqualTo(400);
    assertThat(wrong.text()).contains("actions.yaml:3:").contains("The domain has no action 'fly'");
    bound.put(
        "bindings", "imker: 1\nname: trip\nactions: {drive: {command: 'go ${from} ${to}'}}\n");
    Rest.Reply reply = server.admin().post("/api/v1/plans/jobs", bound.toString());
    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    long job = reply.json().path("job").asLong();
    assertThat(plan(job).path("actions")).hasToString("[\"(drive a b)\",\"(drive b d)\"]");
    assertThat(server.admin().post("/api/v1/jobs/" + job + "/cancel", "{}").status())
        .isEqualTo(200);
  }

  @Test
  void another_way_is_taken_when_an_action_fails_for_good_across_a_restart() {
    Rest.Reply reply = server.admin().post("/api/v1/plans/jobs", order(true).toString());
    assertThat(reply.status()).as(reply.text()).isEqualTo(201);
    long first = reply.json().path("job").asLong();
    assertThat(plan(first).path("actions")).hasToString("[\"(drive a b)\",\"(drive b d)\"]");
    List<String> stages = new ArrayList<>();
    try (TestAgent agent = server.agent("a")) {
      for (int i = 0; i < 5; i++) {
        if (i == 1) {
          server.restart();
        }
        Assignment next = agent.nextAssignment();
        stages.add(stageOf(next));
        agent.finish(
            stages.getLast().equals("drive-b-d")
                ? TestAgent.failure(next, 3)
                : TestAgent.success(next));
      }
    }
    assertThat(stages)
        .containsExactly("drive-a-b", "drive-b-d", "undo-drive-b-d", "drive-b-c", "drive-c-d");
    long second = plan(first).path("next").asLong();
    await()
        .atMost(60, TimeUnit.SECONDS)
        .until(() -> plan(second).path("state").asText().equals("DONE"));
    assertThat(plan(first).path("state").asText()).isEqualTo("REPLANNED");
    assertThat(plan(second).path("without")).hasToString("[\"(drive b d)\"]");
    JsonNode times = server.admin().get("/api/v1/plans/times?domain=roads").json().path("times");
    assertThat(times.properties())
        .extracting(Map.Entry::getKey)
        .containsExactlyInAnyOrder("(drive a b)", "(drive b c)", "(drive c d)", "drive");
    assertThat(server.admin().job(second).path("name").asText()).isEqualTo("trip-replan-1");
  }

  @Test
  void a_plan_that_was_found_is_kept_for_everybody_also_over_a_restart() {
    ObjectNode question = JSON.createObjectNode().put("domain", DOMAIN).put("problem", PROBLEM);
    JsonNode fresh = ask(server.admin(), question);
    assertThat(fresh.path("method").asText()).doesNotContain("kept");
    server.restart();
    Rest bob = new People(server).add("bob", "user");
    JsonNode kept = ask(bob, question.put("seconds", 3));
    assertThat(kept.path("method").asText()).isEqualTo("kept from before");
    assertThat(kept.path("steps")).isEqualTo(fresh.path("steps")).isNotEmpty();
    assertThat(kept.path("edges")).isEqualTo(fresh.path("edges"));
    question.put("problem", PROBLEM.replace("(road b d)", ""));
    assertThat(ask(server.admin(), question).path("steps").size()).isEqualTo(3);
  }

  @Test
  void a_plan_of_actions_with_capital_letters_is_kept_as_it_is() {
    ObjectNode question = JSON.createObjectNode();
    ObjectNode load = question.putArray("actions").addObject().put("name", "Load");
    load.putArray("parameters").add("Freight(f)").add("Airport(a)");
    load.putArray("needs").add("At(f,a)");
    load.putArray("makes").add("Loaded(f)");
    question.putArray("has").add("Freight(F1)").add("Airport(A1)").add("At(F1,A1)");
    question.putArray("wants").add("Loaded(F1)");
    JsonNode fresh = ask(server.admin(), question);
    JsonNode kept = ask(server.admin(), question);
    assertThat(kept.path("method").asText()).isEqualTo("kept from before");
    assertThat(kept.path("steps"))
        .hasToString("[[\"(Load F1 A1)\"]]")
        .isEqualTo(fresh.path("steps"));
  }

  @Test
  void the_hard_problem_of_one_user_keeps_no_other_from_planning() {
    People people = new People(server);
    Rest ada = people.add("ada", "user");
    Rest bob = people.add("bob", "user");
    ObjectNode hard = JSON.createObjectNode().put("domain", PUZZLE).put("problem", unsolvable(4));
    CompletableFuture<Rest.Reply> answer =
        CompletableFuture.supplyAsync(
            () -> ada.post("/api/v1/plans", hard.put("seconds", 2).toString()));
    ObjectNode easy = JSON.createObjectNode().put("domain", DOMAIN).put("problem", PROBLEM);
    do {
      assertThat(ask(bob, easy).path("status").asText()).isEqualTo("solved");
    } while (!answer.isDone());
    assertThat(answer.join().json().path("status").asText()).isEqualTo("timeout");
  }

  /** Tiles in a square, two of them in each other's place. */
  private static String unsolvable(int side) {
    StringBuilder text = new StringBuilder("(define (problem p) (:domain puzzle) (:objects");
    int cells = side * side;
    IntStream.range(0, cells).forEach(i -> text.append(" c%d t%d".formatted(i, i)));
    text.append(") (:init (free c0)");
    for (int i = 0; i < cells; i++) {
      int now = i;
      IntStream.of(i % side == side - 1 ? -1 : i + 1, i + side)
          .filter(other -> other > 0 && other < cells)
          .forEach(
              other -> text.append(" (near c%1$d c%2$d) (near c%2$d c%1$d)".formatted(now, other)));
      if (i > 0) {
        text.append(" (at t%d c%d)".formatted(i, i < 3 ? 3 - i : i));
      }
    }
    text.append(") (:goal (and");
    IntStream.range(1, cells).forEach(i -> text.append(" (at t%1$d c%1$d)".formatted(i)));
    return text.append(")))").toString();
  }

  private static JsonNode ask(Rest caller, ObjectNode question) {
    Rest.Reply reply = caller.post("/api/v1/plans", question.toString());
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    return reply.json();
  }

  @Test
  void an_order_that_is_sent_twice_with_one_key_is_one_job() {
    Rest.Reply first =
        server
            .admin()
            .post("/api/v1/plans/jobs", order(true).toString(), "Idempotency-Key", "trip/1");
    assertThat(first.status()).as(first.text()).isEqualTo(201);
    Rest.Reply again =
        server
            .admin()
            .post("/api/v1/plans/jobs", order(true).toString(), "Idempotency-Key", "trip/1");
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.json().path("job")).isEqualTo(first.json().path("job"));
    Rest.Reply other =
        server
            .admin()
            .post("/api/v1/plans/jobs", order(false).toString(), "Idempotency-Key", "trip/1");
    assertThat(other.status()).isEqualTo(409);
    assertThat(other.text()).contains("key_reused");
    Rest bob = new People(server).add("bob", "user");
    assertThat(
            bob.post("/api/v1/plans/jobs", order(true).toString(), "Idempotency-Key", "trip/1")
                .status())
        .isEqualTo(201);
    assertThat(server.admin().get("/api/v1/jobs?name=trip").json().path("jobs")).hasSize(2);
  }

  @Test
  void a_plan_that_nobody_waits_for_any_more_is_looked_for_no_longer_and_makes_no_job()
      throws Exception {
    ObjectNode hard = order(false).put("domain", PUZZLE).put("problem", unsolvable(4));
    String body = hard.toString();
    URI address = server.running().address();
    try (Socket caller = new Socket(address.getHost(), address.getPort())) {
      caller
          .getOutputStream()
          .write(
              ("POST /api/v1/plans/jobs HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
                      + "Authorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s"
                          .formatted(server.running().adminToken(), body.length(), body))
                  .getBytes(StandardCharsets.US_ASCII));
      await().until(() -> isPlanning());
    }
    await().atMost(40, TimeUnit.SECONDS).until(() -> !isPlanning());
    assertThat(server.admin().get("/api/v1/jobs").json().path("jobs")).isEmpty();
  }

  private static boolean isPlanning() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals("imker-planning"));
  }

  @Test
  void a_plan_is_given_up_when_there_is_no_other_way() {
    ObjectNode order = order(true);
    order.put("problem", PROBLEM.replace("(road b c)", ""));
    long job =
        server.admin().post("/api/v1/plans/jobs", order.toString()).json().path("job").asLong();
    try (TestAgent agent = server.agent("a")) {
      agent.finish(TestAgent.success(agent.nextAssignment()));
      agent.finish(TestAgent.failure(agent.nextAssignment(), 3));
      await()
          .atMost(60, TimeUnit.SECONDS)
          .until(() -> plan(job).path("state").asText().equals("GIVEN_UP"));
    }
    assertThat(plan(job).path("why").asText()).contains("There is no plan: (at d)");
    assertThat(plan(job).path("next").asLong()).isZero();
  }

  @Test
  void what_cannot_be_planned_is_refused_with_its_cause() {
    ObjectNode order = order(false);
    order.put("problem", PROBLEM.replace("(road a b)", ""));
    Rest.Reply none = server.admin().post("/api/v1/plans/jobs", order.toString());
    assertThat(none.status()).isEqualTo(409);
    assertThat(none.text()).contains("(at d) cannot be reached");
    order.put("problem", PROBLEM.replace("(at a)", "(at d)"));
    assertThat(server.admin().post("/api/v1/plans/jobs", order.toString()).text())
        .contains("The goal already holds");
    order.put("problem", PROBLEM).putArray("plan").add("(drive a d)");
    assertThat(server.admin().post("/api/v1/plans/jobs", order.toString()).text())
        .contains("requires (road a d)");
    order.put("domain", "(define (domain x) (:oops))");
    assertThat(server.admin().post("/api/v1/plans/jobs", order.toString()).text())
        .contains("The domain, line 1, column 21");
    long other = server.admin().submit("{\"command\":[\"x\"]}");
    assertThat(server.admin().get("/api/v1/jobs/" + other + "/plan").status()).isEqualTo(404);
  }
}
