package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.TaskRules;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Json;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The document and the server say the same. */
class OpenApiTest {
  @TempDir static Path folder;
  private static TestServer server;
  private static JsonNode document;

  @BeforeAll
  static void start() {
    server = TestServer.start(folder);
    document = server.admin().get("/api/v1/openapi.json").json();
    prepareJob();
  }

  /** One job with a done, a failed and a ready task, so that views have something to show. */
  private static void prepareJob() {
    server
        .admin()
        .submit(
            """
            {"name":"shown","command":["echo ${n}"],"rules":{"maxFailures":1},
             "sweep":[{"name":"n","range":{"from":1,"to":5}}]}\
            """);
    try (TestAgent agent = server.agent("doc")) {
      agent.finish(TestAgent.success(agent.nextAssignment()));
      agent.nextConfirmed();
      agent.finish(TestAgent.failure(agent.nextAssignment(), 3));
      agent.nextConfirmed();
    }
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void every_route_is_described_in_words() {
    for (Endpoint endpoint : ((ImkerServer) server.running()).endpoints()) {
      JsonNode operation =
          document
              .get("paths")
              .get(endpoint.path().replace("*}", "}"))
              .get(endpoint.method().name().toLowerCase(Locale.ROOT));
      String route = endpoint.method() + " " + endpoint.path();
      assertThat(operation.get("summary").asText()).as(route).isNotBlank();
      assertThat(operation.get("operationId").asText()).as(route).isNotBlank();
    }
  }

  @Test
  void there_are_no_words_for_routes_that_do_not_exist() throws IOException {
    Set<String> routes = new TreeSet<>();
    for (Endpoint endpoint : ((ImkerServer) server.running()).endpoints()) {
      routes.add(endpoint.method() + " " + endpoint.path().replace("*}", "}"));
    }
    try (InputStream words = ImkerServer.class.getResourceAsStream("api.json")) {
      assertThat(routes).isEqualTo(names(Json.MAPPER.readTree(words).get("operations")));
    }
  }

  @Test
  void operations_have_names_of_their_own() {
    assertThat(document.findValuesAsText("operationId")).doesNotHaveDuplicates();
  }

  @Test
  void the_fields_of_a_job_are_those_of_its_records() {
    JsonNode schemas = document.at("/components/schemas");
    assertThat(names(schemas.at("/TaskRules/properties"))).isEqualTo(names(TaskRules.class));
    assertThat(names(schemas.at("/Stage/properties"))).isEqualTo(names(Stage.class));
    assertThat(schemas.at("/TaskRules/properties/maxFailures/default").asInt())
        .isEqualTo(TaskRules.DEFAULT_MAX_FAILURES);
    assertThat(names(schemas.at("/JobSpec/properties")))
        .containsAll(names(JobSpec.class))
        .contains("command", "rules");
  }

  private static Set<String> names(JsonNode properties) {
    Set<String> names = new TreeSet<>();
    properties.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static Set<String> names(Class<? extends Record> type) {
    Set<String> names = new TreeSet<>();
    for (RecordComponent component : type.getRecordComponents()) {
      names.add(component.getName());
    }
    return names;
  }

  @Test
  void every_reference_leads_somewhere_and_every_schema_is_used() {
    TreeSet<String> referenced = new TreeSet<>();
    document
        .findValuesAsText("$ref")
        .forEach(ref -> referenced.add(ref.replace("#/components/schemas/", "")));
    TreeSet<String> defined = new TreeSet<>();
    document.get("components").get("schemas").fieldNames().forEachRemaining(defined::add);
    assertThat(referenced).isEqualTo(defined);
  }

  @ParameterizedTest
  @CsvSource({
    "/api/v1/pool, /api/v1/pool",
    "/api/v1/jobs, /api/v1/jobs",
    "/api/v1/jobs/{id}, /api/v1/jobs/1",
    "/api/v1/jobs/{id}, /api/v1/jobs/1?spec=true",
    "/api/v1/jobs/{id}, /api/v1/jobs/77",
    "/api/v1/jobs/{id}, /api/v1/jobs/nonsense",
    "/api/v1/jobs/{id}/graph, /api/v1/jobs/1/graph",
    "/api/v1/overview, /api/v1/overview",
    "/api/v1/figures/nodes, /api/v1/figures/nodes?sort=-reliability&limit=5",
    "/api/v1/figures/nodes, /api/v1/figures/nodes?state=asleep",
    "/api/v1/figures/spread, /api/v1/figures/spread",
    "/api/v1/figures/utilisation, /api/v1/figures/utilisation",
    "/api/v1/figures/utilisation, /api/v1/figures/utilisation?hours=744",
    "/api/v1/figures/utilisation, /api/v1/figures/utilisation?hours=745",
    "/api/v1/nodes/{node}/history, /api/v1/nodes/host-doc/history",
    "/api/v1/nodes/{node}/usage, /api/v1/nodes/host-doc/usage",
    "/api/v1/tasks/{task}/usage, /api/v1/tasks/1.1/usage",
    "/api/v1/tasks/{task}/usage, /api/v1/tasks/77.1/usage",
    "/api/v1/jobs/{id}/tasks, /api/v1/jobs/1/tasks?output=true",
    "/api/v1/jobs/{id}/tasks, /api/v1/jobs/1/tasks?param=n%3D2&ran=true",
    "/api/v1/jobs/{id}/failures, /api/v1/jobs/1/failures",
    "/api/v1/jobs/{id}/timeline, /api/v1/jobs/1/timeline?parts=5",
    "/api/v1/jobs/{id}/metrics, /api/v1/jobs/1/metrics",
    "/api/v1/jobs/{id}/history, /api/v1/jobs/1/history",
    "/api/v1/tasks/{task}, /api/v1/tasks/1.1",
    "/api/v1/tasks/{task}, /api/v1/tasks/1.2?output=true",
    "/api/v1/tasks/{task}, /api/v1/tasks/1.5",
    "/api/v1/select, /api/v1/select?q=shown.2..4",
    "/api/v1/select, /api/v1/select?q=unknown",
    "/api/v1/nodes, /api/v1/nodes",
    "/api/v1/nodes/{node}, /api/v1/nodes/host-doc",
    "/api/v1/nodes/{node}, /api/v1/nodes/nowhere",
    "/api/v1/strategy, /api/v1/strategy",
    "/api/v1/projects, /api/v1/projects",
    "/api/v1/resources, /api/v1/resources",
    "/api/v1/kinds, /api/v1/kinds",
    "/api/v1/jobs/{id}/views, /api/v1/jobs/1/views",
    "/api/v1/history, /api/v1/history?days=7",
    "/api/v1/tasks/{task}/explain, /api/v1/tasks/1.1/explain",
    "/api/v1/tasks/{task}/explain, /api/v1/tasks/1.5/explain",
    "/api/v1/tasks/{task}/explain, /api/v1/tasks/77.1/explain",
    "/api/v1/nodes/{node}/explain, /api/v1/nodes/host-doc/explain",
    "/api/v1/nodes/{node}/explain, /api/v1/nodes/nowhere/explain",
    "/api/v1/openapi.json, /api/v1/openapi.json",
    "/api/v1/datasets, /api/v1/datasets",
    "/api/v1/datasets/{name}, /api/v1/datasets/nowhere",
    "/api/v1/drops, /api/v1/drops",
    "/api/v1/drops/{number}/items, /api/v1/drops/7/items",
    "/healthz, /healthz",
    "/livez, /livez",
    "/readyz, /readyz",
    "/readyz, /readyz?role=standby",
  })
  void answers_have_the_documented_form(String path, String request) {
    Rest.Reply reply = server.admin().get(request);
    JsonNode response =
        document.at(
            "/paths/%s/get/responses/%d".formatted(path.replace("/", "~1"), reply.status()));
    assertThat(response.isMissingNode()).as("status " + reply.status()).isFalse();
    JsonNode schema = response.at("/content/application~1json/schema");
    assertThat(new SchemaCheck(document).problems(schema, reply.json())).isEmpty();
  }
}
