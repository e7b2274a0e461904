package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.connection.JoinToken;
import dev.imker.server.http.Endpoint;
import dev.imker.testbase.Attack;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every route with every kind of caller. The table below is written by hand, on purpose: a route
 * that is not in it fails the test, so that whoever adds one has to say who it is for.
 */
class AuthMatrixTest {
  private enum Caller {
    NOBODY,
    WRONG,
    AGENT,
    JOINER,
    VIEWER,
    USER,
    ADMIN,
    TASK,
    METRICS
  }

  private static final Set<Caller> ALL = EnumSet.allOf(Caller.class);
  private static final Set<Caller> TOKENS =
      EnumSet.of(Caller.AGENT, Caller.VIEWER, Caller.USER, Caller.ADMIN);
  private static final Set<Caller> PEOPLE = EnumSet.of(Caller.VIEWER, Caller.USER, Caller.ADMIN);
  private static final Set<Caller> WORKERS = EnumSet.of(Caller.USER, Caller.ADMIN);
  private static final Set<Caller> STORERS = EnumSet.of(Caller.USER, Caller.ADMIN, Caller.AGENT);
  private static final Set<Caller> BOARD_LOOKERS =
      EnumSet.of(Caller.VIEWER, Caller.USER, Caller.ADMIN, Caller.TASK);
  private static final Set<Caller> BOARD_POSTERS =
      EnumSet.of(Caller.USER, Caller.ADMIN, Caller.TASK);
  private static final Set<Caller> ADMIN = EnumSet.of(Caller.ADMIN);
  private static final Set<Caller> SCRAPERS = EnumSet.of(Caller.ADMIN, Caller.METRICS);
  private static final Set<Caller> JOINER = EnumSet.of(Caller.JOINER);

  private static final Map<String, Set<Caller>> WHO =
      Map.ofEntries(
          Map.entry("GET /", ALL),
          Map.entry("GET /api/v1/servers", ADMIN),
          Map.entry("GET /api/v1/servers/check", ADMIN),
          Map.entry("POST /api/v1/servers/drain", ADMIN),
          Map.entry("GET /api/v1/certificate", ADMIN),
          Map.entry("POST /api/v1/certificate/renew", ADMIN),
          Map.entry("GET /api/v1/log-level", ADMIN),
          Map.entry("PUT /api/v1/log-level", ADMIN),
          Map.entry("GET /api/v1/metrics-token", ADMIN),
          Map.entry("GET /page/{version}/{file}", ALL),
          Map.entry("POST /logout", ALL),
          Map.entry("GET /icon.svg", ALL),
          Map.entry("GET /docs", ALL),
          Map.entry("GET /docs/search", ALL),
          Map.entry("GET /docs/{file}", ALL),
          Map.entry("GET /login", ALL),
          Map.entry("POST /login", ALL),
          Map.entry("POST /api/v1/login", ALL),
          Map.entry("POST /api/v1/login/link", PEOPLE),
          Map.entry("GET /api/v1/login/oidc", ALL),
          Map.entry("POST /api/v1/login/oidc/device", ALL),
          Map.entry("POST /api/v1/login/oidc/poll", ALL),
          Map.entry("GET /login/oidc", ALL),
          Map.entry("GET /login/oidc/callback", ALL),
          Map.entry("GET /api/v1/me", PEOPLE),
          Map.entry("PUT /api/v1/me/password", PEOPLE),
          Map.entry("GET /api/v1/users", ADMIN),
          Map.entry("POST /api/v1/users", ADMIN),
          Map.entry("GET /api/v1/users/{user}", ADMIN),
          Map.entry("PUT /api/v1/users/{user}", ADMIN),
          Map.entry("DELETE /api/v1/users/{user}", ADMIN),
          Map.entry("GET /api/v1/tokens", PEOPLE),
          Map.entry("POST /api/v1/tokens", PEOPLE),
          Map.entry("DELETE /api/v1/tokens/{title}", PEOPLE),
          Map.entry("GET /api/v1/secrets", WORKERS),
          Map.entry("PUT /api/v1/secrets/{name}", WORKERS),
          Map.entry("DELETE /api/v1/secrets/{name}", WORKERS),
          Map.entry("GET /api/v1/audit", PEOPLE),
          Map.entry("GET /api/v1/usage", PEOPLE),
          Map.entry("POST /api/v1/coord/{kind}/{name}", BOARD_POSTERS),
          Map.entry("GET /api/v1/board", BOARD_LOOKERS),
          Map.entry("PUT /api/v1/board/{name}", BOARD_POSTERS),
          Map.entry("GET /api/v1/board/{name}", BOARD_LOOKERS),
          Map.entry("DELETE /api/v1/board/{name}", BOARD_POSTERS),
          Map.entry("GET /api/v1/libraries", PEOPLE),
          Map.entry("PUT /api/v1/libraries/{name}", WORKERS),
          Map.entry("DELETE /api/v1/libraries/{name}/{version}", WORKERS),
          Map.entry("GET /api/v1/datasets", PEOPLE),
          Map.entry("GET /api/v1/datasets/{name}", PEOPLE),
          Map.entry("PUT /api/v1/datasets/{name}", WORKERS),
          Map.entry("DELETE /api/v1/datasets/{name}", WORKERS),
          Map.entry("GET /api/v1/datasets/{name}/files/{path}", PEOPLE),
          Map.entry("GET /api/v1/drops", ADMIN),
          Map.entry("POST /api/v1/drops", ADMIN),
          Map.entry("DELETE /api/v1/drops/{number}", ADMIN),
          Map.entry("GET /api/v1/drops/{number}/items", ADMIN),
          Map.entry("GET /api/v1/settings", ADMIN),
          Map.entry("PUT /api/v1/settings", ADMIN),
          Map.entry("GET /api/v1/kinds", PEOPLE),
          Map.entry("POST /api/v1/kinds/{name}", WORKERS),
          Map.entry("GET /api/v1/jobs/{id}/views", PEOPLE),
          Map.entry("GET /api/v1/resources", PEOPLE),
          Map.entry("PUT /api/v1/resources/{name}", ADMIN),
          Map.entry("DELETE /api/v1/resources/{name}", ADMIN),
          Map.entry("GET /api/v1/jobs/{id}/notices", PEOPLE),
          Map.entry("GET /api/v1/notices/secret", PEOPLE),
          Map.entry("GET /api/v1/retention", PEOPLE),
          Map.entry("PUT /api/v1/retention", ADMIN),
          Map.entry("POST /api/v1/retention/run", ADMIN),
          Map.entry("GET /api/v1/export", PEOPLE),
          Map.entry("POST /api/v1/import", WORKERS),
          Map.entry("DELETE /api/v1/jobs/{id}", WORKERS),
          Map.entry("PATCH /api/v1/jobs/{id}", WORKERS),
          Map.entry("GET /api/v1/pool", PEOPLE),
          Map.entry("GET /api/v1/overview", PEOPLE),
          Map.entry("POST /api/v1/plans", WORKERS),
          Map.entry("POST /api/v1/plans/jobs", WORKERS),
          Map.entry("GET /api/v1/jobs/{id}/plan", PEOPLE),
          Map.entry("GET /api/v1/plans/times", PEOPLE),
          Map.entry("POST /api/v1/simulations", WORKERS),
          Map.entry("GET /api/v1/figures/nodes", PEOPLE),
          Map.entry("GET /api/v1/figures/utilisation", PEOPLE),
          Map.entry("GET /api/v1/figures/spread", PEOPLE),
          Map.entry("GET /api/v1/nodes/{node}/history", PEOPLE),
          Map.entry("GET /api/v1/nodes/{node}/usage", PEOPLE),
          Map.entry("GET /api/v1/tasks/{task}/usage", PEOPLE),
          Map.entry("POST /api/v1/nodes/{node}/terms", ADMIN),
          Map.entry("GET /api/v1/jobs/{id}/graph", PEOPLE),
          Map.entry("GET /api/v1/jobs/{id}/failures", PEOPLE),
          Map.entry("GET /api/v1/jobs/{id}/timeline", PEOPLE),
          Map.entry("GET /api/v1/jobs/{id}/metrics", PEOPLE),
          Map.entry("GET /api/v1/jobs/{id}/history", PEOPLE),
          Map.entry("GET /api/v1/jobs/{id}/jobfile", PEOPLE),
          Map.entry("GET /api/v1/jobs/{id}/results.zip", PEOPLE),
          Map.entry("POST /api/v1/jobs", WORKERS),
          Map.entry("GET /api/v1/jobs", PEOPLE),
          Map.entry("GET /api/v1/jobs/{id}", PEOPLE),
          Map.entry("GET /api/v1/jobs/{id}/tasks", PEOPLE),
          Map.entry("POST /api/v1/jobs/{id}/cancel", WORKERS),
          Map.entry("POST /api/v1/jobs/{id}/block", WORKERS),
          Map.entry("POST /api/v1/jobs/{id}/release", WORKERS),
          Map.entry("POST /api/v1/jobs/{id}/priority", WORKERS),
          Map.entry("GET /api/v1/tasks/{task}", PEOPLE),
          Map.entry("GET /api/v1/tasks/{task}/explain", PEOPLE),
          Map.entry("GET /api/v1/tasks/{task}/stdout", PEOPLE),
          Map.entry("GET /api/v1/tasks/{task}/stderr", PEOPLE),
          Map.entry("GET /api/v1/tasks/{task}/results/{path}", PEOPLE),
          Map.entry("GET /api/v1/outcomes", PEOPLE),
          Map.entry("GET /api/v1/jobs/{id}/outcomes", PEOPLE),
          Map.entry("GET /api/v1/jobs/{id}/attestations", PEOPLE),
          Map.entry("GET /api/v1/schemas/job.json", TOKENS),
          Map.entry("POST /api/v1/jobfiles", WORKERS),
          Map.entry("POST /api/v1/jobs/batch", WORKERS),
          Map.entry("POST /api/v1/jobfiles/check", WORKERS),
          Map.entry("POST /api/v1/bulk", WORKERS),
          Map.entry("GET /api/v1/history", PEOPLE),
          Map.entry("GET /api/v1/select", PEOPLE),
          Map.entry("GET /api/v1/nodes", PEOPLE),
          Map.entry("GET /api/v1/nodes/{node}", PEOPLE),
          Map.entry("GET /api/v1/nodes/{node}/explain", ADMIN),
          Map.entry("PUT /api/v1/nodes/{node}/trust", ADMIN),
          Map.entry("DELETE /api/v1/nodes/{node}", ADMIN),
          Map.entry("GET /api/v1/agents", ADMIN),
          Map.entry("POST /api/v1/agents/{agent}/revoke", ADMIN),
          Map.entry("POST /api/v1/agents/{agent}/readmit", ADMIN),
          Map.entry("GET /api/v1/joins", ADMIN),
          Map.entry("POST /api/v1/joins", ADMIN),
          Map.entry("POST /api/v1/joins/code", ADMIN),
          Map.entry("POST /api/v1/pairing", ALL),
          Map.entry("POST /api/v1/pairing/{id}", ALL),
          Map.entry("DELETE /api/v1/joins/{title}", ADMIN),
          Map.entry("GET /api/v1/projects", PEOPLE),
          Map.entry("GET /api/v1/strategy", PEOPLE),
          Map.entry("PUT /api/v1/strategy", ADMIN),
          Map.entry("POST /api/v1/blobs/missing", WORKERS),
          Map.entry("PUT /api/v1/blobs/{sha256}", STORERS),
          Map.entry("HEAD /api/v1/blobs/{sha256}", TOKENS),
          Map.entry("GET /api/v1/blobs/{sha256}", TOKENS),
          Map.entry("GET /api/v1/events", PEOPLE),
          Map.entry("GET /api/v1/openapi.json", TOKENS),
          Map.entry("GET /api/v1/agent", JOINER),
          Map.entry("GET /join", ALL),
          Map.entry("GET /join.ps1", ALL),
          Map.entry("GET /join/{archive}", JOINER),
          Map.entry("GET /livez", ALL),
          Map.entry("GET /readyz", ALL),
          Map.entry("GET /metrics", SCRAPERS),
          Map.entry("GET /healthz", TOKENS));

  @TempDir static Path folder;
  private static TestServer server;
  private static People people;
  private static long foreignJob;
  private static String foreignBlob = "";
  private static String taskToken = "";
  private static String metricsToken = "";
  private static String agentToken = "";

  @BeforeAll
  static void start() {
    server = TestServer.start(folder);
    people = new People(server);
    taskToken = people.taskToken("999-0-1-0");
    metricsToken = server.admin().get("/api/v1/metrics-token").json().get("token").asText();
    try (TestAgent agent = server.agent("table")) {
      agentToken = agent.nextWelcome().getBlobToken();
    }
    people.add("vera", "VIEWER");
    people.add("ulla", "USER");
    Rest otto = people.add("otto", "USER");
    foreignBlob = otto.upload("of otto".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    foreignJob = otto.submit("{\"name\":\"foreign\",\"command\":[\"x\"]}");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Rest as(Caller caller) {
    return switch (caller) {
      case NOBODY -> server.withToken("");
      case WRONG -> server.withToken("imker-u-wrong");
      case AGENT -> server.withToken(agentToken);
      case JOINER -> server.withToken(JoinToken.parse(server.running().joinToken()).secret());
      case VIEWER -> people.as("vera");
      case USER -> people.as("ulla");
      case ADMIN -> server.admin();
      case TASK -> server.withToken(taskToken);
      case METRICS -> server.withToken(metricsToken);
    };
  }

  private static String key(Endpoint endpoint) {
    return endpoint.method().name() + " " + endpoint.path().replace("*}", "}");
  }

  private static List<Endpoint> endpoints() {
    return ((ImkerServer) server.running()).endpoints();
  }

  @Test
  void every_route_is_in_the_table_and_nothing_else() {
    assertThat(endpoints().stream().map(AuthMatrixTest::key))
        .containsExactlyInAnyOrderElementsOf(WHO.keySet());
  }

  @TestFactory
  @Attack(
      value = "call a route anonymously, with a wrong token, or in a role without the right",
      cases = 100)
  List<DynamicTest> every_route_is_open_only_to_those_it_is_for() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Endpoint endpoint : endpoints()) {
      Set<Caller> allowed = WHO.getOrDefault(key(endpoint), Set.of());
      tests.add(
          DynamicTest.dynamicTest(
              key(endpoint) + " is for " + allowed, () -> check(endpoint, allowed)));
    }
    return tests;
  }

  /** Parameters that lead to an answer at once, right or wrong. */
  private static String concrete(String path) {
    return path.replace("{sha256}", "0".repeat(64))
        .replace("{task}", "999.1")
        .replaceAll("\\{[a-z0-9]+\\*?}", "999")
        .replace("/events", "/events?job=999");
  }

  private static void check(Endpoint endpoint, Set<Caller> allowed) {
    for (Caller caller : Caller.values()) {
      Rest.Reply reply = as(caller).method(endpoint.method().name(), concrete(endpoint.path()));
      boolean known = caller != Caller.NOBODY && caller != Caller.WRONG;
      if (allowed.contains(caller)) {
        // An agent may ask, but gets files only of tasks that it holds.
        boolean withoutLease =
            caller == Caller.AGENT
                && endpoint.path().contains("{sha256}")
                && (endpoint.method().name().equals("HEAD")
                    || reply.errorCode().equals("no_lease"));
        assertThat(reply.status() != 403 || withoutLease).as(caller + " 403").isTrue();
        // The task of the table is over, which is told otherwise than an unknown caller.
        boolean over =
            caller == Caller.TASK
                && !allowed.equals(ALL)
                && reply.status() == 401
                && reply.errorMessage().contains("has ended");
        assertThat(reply.status() != 401 || allowed.equals(ALL) || over)
            .as(caller + " 401")
            .isTrue();
      } else {
        assertThat(reply.status()).as(caller.name()).isEqualTo(known ? 403 : 401);
      }
    }
  }

  @TestFactory
  @Attack(value = "look at or change somebody else's job by its number", cases = 10)
  List<DynamicTest> a_foreign_job_is_answered_like_one_that_is_not_there() {
    List<DynamicTest> tests = new ArrayList<>();
    for (Endpoint endpoint : endpoints()) {
      boolean named =
          endpoint.path().startsWith("/api/v1/jobs/{id}")
              || endpoint.path().startsWith("/api/v1/tasks/{task}");
      if (named && WHO.getOrDefault(key(endpoint), Set.of()).contains(Caller.USER)) {
        tests.add(DynamicTest.dynamicTest(key(endpoint), () -> checkForeign(endpoint)));
      }
    }
    assertThat(tests).hasSizeGreaterThan(10);
    return tests;
  }

  private static void checkForeign(Endpoint endpoint) {
    Rest.Reply foreign = call(people.as("ulla"), endpoint, foreignJob);
    Rest.Reply absent = call(people.as("ulla"), endpoint, 4711);
    assertThat(foreign.status()).isEqualTo(404);
    assertThat(absent.status()).isEqualTo(404);
    assertThat(foreign.text().replace("job " + foreignJob, "job N"))
        .isEqualTo(absent.text().replace("job 4711", "job N"));
    assertThat(call(people.as("otto"), endpoint, foreignJob).text())
        .doesNotContain("There is no job");
  }

  private static Rest.Reply call(Rest who, Endpoint endpoint, long job) {
    String path =
        endpoint
            .path()
            .replace("{id}", Long.toString(job))
            .replace("{task}", job + ".1")
            .replaceAll("\\{[a-z0-9]+\\*?}", "x");
    boolean steps = endpoint.method().name().equals("GET");
    return steps
        ? who.get(path)
        : who.send(
            who.request(path)
                .header("Content-Type", "application/json")
                .method(endpoint.method().name(), BodyPublishers.ofString("{}")));
  }

  @Test
  @Attack("see somebody else's work in lists, selections and events")
  void lists_selectors_and_events_show_own_work_only() {
    Rest ulla = people.as("ulla");
    long own = ulla.submit("{\"name\":\"own\",\"command\":[\"x\"]}");
    long later = people.as("otto").submit("{\"name\":\"own\",\"command\":[\"x\"]}");
    JsonNode jobs = ulla.get("/api/v1/jobs?user=otto").json().get("jobs");
    assertThat(jobs.findValuesAsText("user")).containsOnly("ulla");
    assertThat(ulla.get("/api/v1/select?q=last").json().at("/parts/0/job").asLong()).isEqualTo(own);
    assertThat(ulla.get("/api/v1/select?q=own").json().at("/parts/0/job").asLong()).isEqualTo(own);
    assertThat(ulla.get("/api/v1/select?q=foreign").status()).isEqualTo(404);
    assertThat(ulla.get("/api/v1/select?q=foregin").errorMessage()).doesNotContain("foreign");
    assertThat(ulla.get("/api/v1/select?q=" + foreignJob).status()).isEqualTo(404);
    assertThat(ulla.get("/api/v1/select?q=1.." + later).json().findValuesAsText("job"))
        .contains(Long.toString(own))
        .doesNotContain(Long.toString(foreignJob), Long.toString(later));
    assertThat(ulla.get("/api/v1/events?job=" + later).status()).isEqualTo(404);
    assertThat(ulla.get("/api/v1/outcomes?job=" + later).status()).isEqualTo(404);
    assertThat(ulla.get("/api/v1/projects").json().findValuesAsText("user"))
        .doesNotContain("otto", "admin");
    assertThat(server.admin().get("/api/v1/jobs?user=otto").json().findValuesAsText("user"))
        .containsOnly("otto");
  }

  @Test
  @Attack("fetch or use somebody else's file by its hash")
  void a_file_of_somebody_else_is_not_there_until_one_has_it_oneself() {
    Rest ulla = people.as("ulla");
    String path = "/api/v1/blobs/" + foreignBlob;
    assertThat(people.as("otto").get(path).text()).isEqualTo("of otto");
    assertThat(ulla.get(path).status()).isEqualTo(404);
    assertThat(
            ulla.post("/api/v1/blobs/missing", "{\"blobs\":[\"%s\"]}".formatted(foreignBlob))
                .text())
        .contains(foreignBlob);
    String input =
        "{\"command\":[\"x\"],\"inputs\":[{\"path\":\"a\",\"blob\":\"%s\",\"size\":7}]}"
            .formatted(foreignBlob);
    assertThat(ulla.post("/api/v1/jobs", input).errorCode()).isEqualTo("missing_blobs");
    assertThat(ulla.put(path, "guessed".getBytes(java.nio.charset.StandardCharsets.UTF_8)).status())
        .isEqualTo(422);
    assertThat(ulla.get(path).status()).isEqualTo(404);
    ulla.upload("of otto".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    assertThat(ulla.get(path).status()).isEqualTo(200);
    assertThat(ulla.post("/api/v1/jobs", input).status()).isEqualTo(201);
  }

  @Test
  void documented_access_fits_the_table() {
    JsonNode paths = server.admin().get("/api/v1/openapi.json").json().get("paths");
    WHO.forEach(
        (route, who) -> {
          String[] parts = route.split(" ", 2);
          String access =
              paths
                  .get(parts[1])
                  .get(parts[0].toLowerCase(Locale.ROOT))
                  .get("x-imker-access")
                  .asText();
          assertThat(access.equals("open")).as(route).isEqualTo(who.equals(ALL));
          assertThat(access.equals("admin")).as(route).isEqualTo(who.equals(ADMIN));
        });
  }
}
