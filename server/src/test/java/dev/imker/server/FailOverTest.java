package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.imker.coord.LeaseTimes;
import dev.imker.model.ImkerException;
import dev.imker.model.JobId;
import dev.imker.model.TaskState;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.server.members.BlobPlace;
import dev.imker.server.members.SharedPool;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.testdb.CuttingProxy;
import dev.imker.testdb.TestPostgres;
import dev.imker.wire.proto.Welcome;
import java.io.UncheckedIOException;
import java.net.CookieManager;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Several servers on one database are one pool. */
@ExpectedLogs({"^WARN ", "The scheduler failed; stopping this server"})
class FailOverTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String NOOPS =
      "{\"name\":\"%s\",\"kind\":\"NOOP\",\"sweep\":[{\"name\":\"n\",\"range\":{\"from\":1,\"to\":5}}]}";

  /** A test on a busy machine may stand still for long, and must not lose leadership by that. */
  private static final LeaseTimes PATIENT = new LeaseTimes(12_000, 120_000);

  @TempDir Path folder;
  private final String database = TestPostgres.freshDatabase();
  private final List<TestServer> running = new ArrayList<>();

  @AfterEach
  void stop() {
    running.forEach(TestServer::close);
  }

  private TestServer start(String name, SharedPool shared) {
    TestServer server =
        TestServer.start(TestServer.settings(folder.resolve(name)).withShared(shared));
    running.add(server);
    return server;
  }

  private TestServer start(String name) {
    return start(name, SharedPool.of(database).withLease(PATIENT));
  }

  private void stop(TestServer server) {
    running.remove(server);
    server.close();
  }

  /** Only a leader answers this itself. */
  private static boolean leads(TestServer server) {
    return server.admin().get("/api/v1/pool").status() == 200;
  }

  private static void awaitLeader(TestServer server) {
    await().atMost(PATIENCE).until(() -> leads(server));
  }

  private static long submit(TestServer server, String name) {
    Rest.Reply reply = server.admin().post("/api/v1/jobs", NOOPS.formatted(name));
    assertThat(reply.status()).as(reply.toString()).isEqualTo(201);
    return reply.json().get("id").asLong();
  }

  private static void awaitDone(TestServer server, long job) {
    await()
        .atMost(PATIENCE)
        .until(
            () -> {
              Rest.Reply reply = server.admin().get("/api/v1/jobs/" + job);
              return reply.status() == 200 && reply.json().get("status").asText().equals("DONE");
            });
  }

  /** Of the only node there is. */
  private static int successes(TestServer server) {
    return server.admin().get("/api/v1/nodes").json().findValue("successes").asInt();
  }

  @Test
  void second_server_takes_over_with_all_work_and_the_agent_follows() throws Exception {
    TestServer first = start("first");
    awaitLeader(first);
    TestServer second = start("second");
    assertThat(second.running().adminToken()).isEqualTo(first.running().adminToken());
    try (TestAgent agent = first.agent("moving")) {
      agent.finishAll(TestAgent::success);
      long job = submit(first, "before");
      awaitDone(first, job);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(first.admin().get("/api/v1/pool").json().get("urls")).hasSize(2));
      await().atMost(PATIENCE).until(() -> successes(first) == 5);
      stop(first);
      awaitLeader(second);
      awaitDone(second, job);
      assertThat(successes(second)).as("what is known of the node").isEqualTo(5);
    }
    try (TestAgent agent = second.agent("new")) {
      agent.finishAll(TestAgent::success);
      awaitDone(second, submit(second, "after"));
    }
  }

  @Test
  void standby_answers_questions_and_sends_changes_to_the_leader() throws Exception {
    TestServer first = start("first");
    awaitLeader(first);
    TestServer second = start("second");
    long job = submit(first, "asked");
    await().atMost(PATIENCE).until(() -> second.admin().get("/api/v1/jobs/" + job).status() == 200);
    assertThat(second.admin().get("/api/v1/jobs").json().get("jobs")).hasSize(1);
    assertThat(second.admin().get("/healthz").status()).isEqualTo(200);
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              Rest.Reply away = second.admin().post("/api/v1/jobs/" + job + "/cancel", "{}");
              assertThat(away.status()).isEqualTo(307);
              assertThat(away.headers().firstValue("Location"))
                  .contains(first.running().address() + "/api/v1/jobs/" + job + "/cancel");
            });
    assertThat(second.withToken("wrong").get("/api/v1/jobs").status()).isEqualTo(401);
    try (TestAgent _ = second.succeedingAgent("sent-on")) {
      awaitDone(first, job);
    }
  }

  @Test
  void page_works_at_a_standby() throws Exception {
    TestServer first = start("first");
    awaitLeader(first);
    TestServer second = start("second");
    try (HttpClient browser = HttpClient.newBuilder().cookieHandler(new CookieManager()).build()) {
      URI standby = second.running().address();
      await().atMost(PATIENCE).until(() -> second.admin().get("/api/v1/pool").status() == 307);
      HttpResponse<String> page = browse(browser, HttpRequest.newBuilder(standby).GET());
      assertThat(page.statusCode()).isEqualTo(200);
      assertThat(page.headers().firstValue("Content-Type").orElse("")).contains("text/html");
      for (String path : List.of("/login", "/logout")) {
        HttpResponse<String> foreign =
            browse(
                browser,
                HttpRequest.newBuilder(standby.resolve(path))
                    .header("Origin", "http://127.0.0.1:9")
                    .POST(BodyPublishers.ofString("token=" + second.running().adminToken())));
        assertThat(foreign.statusCode()).as(path).isEqualTo(403);
      }
      HttpResponse<String> login =
          browse(
              browser,
              HttpRequest.newBuilder(standby.resolve("/login"))
                  .POST(BodyPublishers.ofString("token=" + second.running().adminToken())));
      assertThat(login.statusCode()).isEqualTo(303);
      HttpResponse<String> pool =
          browse(browser, HttpRequest.newBuilder(standby.resolve("/api/v1/pool")).GET());
      assertThat(pool.statusCode()).as(pool.body()).isEqualTo(200);
      HttpResponse<String> job =
          browse(
              browser,
              HttpRequest.newBuilder(standby.resolve("/api/v1/jobs"))
                  .header("Content-Type", "application/json")
                  .header("Origin", standby.toString())
                  .POST(BodyPublishers.ofString(NOOPS.formatted("from-the-page"))));
      assertThat(job.statusCode()).as(job.body()).isEqualTo(201);
      assertThat(first.admin().get("/api/v1/jobs").json().get("jobs")).hasSize(1);
    }
  }

  private static HttpResponse<String> browse(HttpClient browser, HttpRequest.Builder request)
      throws Exception {
    return browser.send(request.build(), BodyHandlers.ofString());
  }

  @Test
  void streams_of_a_leader_that_steps_down_come_to_an_end() throws Exception {
    SharedPool shared = SharedPool.of(database).withLease(new LeaseTimes(200, 120_000));
    TestServer first = start("first", shared);
    awaitLeader(first);
    TestServer second = start("second", shared);
    await()
        .atMost(PATIENCE)
        .until(() -> first.admin().get("/api/v1/pool").json().get("urls").size() == 2);
    long job = submit(first, "waited-for");
    List<String> paths =
        List.of(
            "/api/v1/events?job=" + job,
            "/api/v1/outcomes?job=" + job,
            "/api/v1/outcomes?session=12345678");
    List<CompletableFuture<Boolean>> streams = new ArrayList<>();
    for (String path : paths) {
      streams.add(readToTheEnd(first, path));
    }
    TestPostgres.execute(
        database,
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted");
    awaitLeader(second);
    for (CompletableFuture<Boolean> stream : streams) {
      await().atMost(PATIENCE).until(stream::isDone);
    }
    try (Stream<String> lines = lines(second, "/api/v1/events?job=" + job)) {
      assertThat(lines.limit(4))
          .containsExactly("event: alive", "data: {\"epoch\":2}", "", "event: job");
    }
  }

  private static Stream<String> lines(TestServer server, String path) throws Exception {
    return Rest.CLIENT.send(server.admin().request(path).build(), BodyHandlers.ofLines()).body();
  }

  /** Ends when the stream does, well or not; on return it has begun. */
  private static CompletableFuture<Boolean> readToTheEnd(TestServer server, String path)
      throws Exception {
    Iterator<String> lines = lines(server, path).iterator();
    assertThat(lines.next()).startsWith("event: ");
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            lines.forEachRemaining(_ -> {});
          } catch (UncheckedIOException e) {
            return false;
          }
          return true;
        },
        Thread::startVirtualThread);
  }

  @Test
  void server_with_another_way_to_decide_leadership_is_refused() throws Exception {
    TestServer first = start("first");
    awaitLeader(first);
    SharedPool other = SharedPool.of(database).withZooKeeper("127.0.0.1:1");
    assertThatThrownBy(() -> start("second", other))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining(first.running().address().toString())
        .hasMessageContaining("--zookeeper");
    assertThat(leads(first)).isTrue();
  }

  @Test
  void schema_is_not_upgraded_under_a_running_server_without_being_asked_to() throws Exception {
    TestServer first = start("first");
    awaitLeader(first);
    TestPostgres.execute(
        database,
        "UPDATE schema_history SET success = FALSE WHERE installed_rank = (SELECT"
            + " MAX(installed_rank) FROM schema_history)");
    assertThatThrownBy(() -> start("second"))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("schema version")
        .hasMessageContaining(first.running().address().toString())
        .hasMessageContaining("--upgrade");
  }

  @Test
  void schema_that_moves_rows_is_never_changed_under_a_running_server() throws Exception {
    TestServer first = start("first");
    awaitLeader(first);
    TestPostgres.execute(
        database, "UPDATE schema_history SET success = FALSE WHERE CAST(version AS INTEGER) >= 11");
    assertThatThrownBy(() -> start("second", SharedPool.of(database).withUpgrade(true)))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("Stop all other servers first");
  }

  @Test
  void leader_by_zookeeper_without_its_database_leaves_leading_to_others() throws Exception {
    int port = URI.create(database.substring("jdbc:".length())).getPort();
    try (TestingServer zookeeper =
            new TestingServer(new InstanceSpec(null, -1, -1, -1, true, -1, 1000, -1), true);
        CuttingProxy network = CuttingProxy.to(port)) {
      LeaseTimes lease = new LeaseTimes(1_000, 4_000);
      SharedPool cut =
          SharedPool.of(database.replace(":" + port + "/", ":" + network.port() + "/"))
              .withLease(lease)
              .withZooKeeper(zookeeper.getConnectString());
      TestServer first = start("first", cut);
      awaitLeader(first);
      TestServer second =
          start(
              "second",
              SharedPool.of(database).withLease(lease).withZooKeeper(zookeeper.getConnectString()));
      network.refuse(true);
      awaitLeader(second);
      network.refuse(false);
      stop(second);
      awaitLeader(first);
      stop(first);
    }
  }

  @Test
  void drained_leader_leaves_leading_to_the_other_server() {
    TestServer first = start("first");
    awaitLeader(first);
    String url = first.running().address().toString();
    String order = "{\"url\":\"" + url + "\"}";
    assertThat(first.admin().post("/api/v1/servers/drain", order).status()).isEqualTo(409);
    TestServer second = start("second");
    assertThat(first.admin().get("/api/v1/servers").json().get("servers")).hasSize(2);
    assertThat(first.admin().post("/api/v1/servers/drain", order).status()).isEqualTo(200);
    awaitLeader(second);
    assertThat(second.admin().get("/api/v1/servers").json().findValuesAsText("drained"))
        .containsExactlyInAnyOrder("true", "false");
  }

  @Test
  void whoever_leads_no_more_says_nothing_of_the_queue() {
    TestServer first = start("first");
    awaitLeader(first);
    TestServer second = start("second");
    Rest.Reply set =
        first
            .admin()
            .putJson(
                "/api/v1/settings",
                "{\"queue.most-ready\":\"2\",\"queue.patience-seconds\":\"0\"}");
    assertThat(set.status()).as(set.toString()).isEqualTo(200);
    submit(first, "waits");
    awaitMetric(first, "imker_queue_long 1.0");
    String order = "{\"url\":\"" + first.running().address() + "\"}";
    await()
        .atMost(PATIENCE)
        .until(() -> first.admin().post("/api/v1/servers/drain", order).status() == 200);
    awaitMetric(second, "imker_queue_long 1.0");
    awaitMetric(first, "imker_queue_long 0.0");
  }

  private static void awaitMetric(TestServer server, String line) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(server.admin().get("/metrics").text()).contains(line + "\n"));
  }

  @Test
  void agents_are_told_of_servers_that_come_later() {
    TestServer first = start("first");
    awaitLeader(first);
    try (TestAgent agent = first.agent("early")) {
      Welcome welcome = agent.nextWelcome();
      assertThat(welcome.getServersList()).containsExactly(first.running().address().toString());
      assertThat(welcome.getPingMillis()).isPositive();
      TestServer second = start("second");
      assertThat(agent.nextServers().getServersList())
          .containsExactly(
              first.running().address().toString(), second.running().address().toString());
    }
  }

  @Test
  void zookeeper_decides_where_it_is_asked_to() throws Exception {
    try (TestingServer zookeeper =
        new TestingServer(new InstanceSpec(null, -1, -1, -1, true, -1, 1000, -1), true)) {
      SharedPool shared =
          SharedPool.of(database)
              .withLease(PATIENT)
              .withZooKeeper(zookeeper.getConnectString())
              .withBlobs(new BlobPlace.InFolder(folder.resolve("files")));
      TestServer first = start("first", shared);
      awaitLeader(first);
      TestServer second = start("second", shared);
      long job = submit(first, "held");
      stop(first);
      awaitLeader(second);
      try (TestAgent _ = second.succeedingAgent("worker")) {
        awaitDone(second, job);
      }
      running.forEach(TestServer::close);
      running.clear();
    }
  }

  private static SchedulerLoop loop(TestServer server) {
    return ((ImkerServer) server.running()).loop();
  }

  @Test
  void a_leader_whose_scheduler_failed_leads_no_more_although_its_process_lives() {
    TestServer first = start("first");
    awaitLeader(first);
    long job = submit(first, "before");
    TestServer second = start("second");
    loop(first).tell(new HealthTest.Poison());
    assertThat(first.running().failure().join()).hasMessage("poison");
    awaitLeader(second);
    assertThat(second.admin().get("/api/v1/jobs/" + job).status()).isEqualTo(200);
    assertThat(second.withToken("").get("/readyz?role=leader").status()).isEqualTo(200);
  }

  @Test
  void a_leader_whose_scheduler_is_stuck_leads_no_more() {
    SharedPool shared = SharedPool.of(database).withLease(new LeaseTimes(1_000, 6_000));
    TestServer first = start("first", shared);
    awaitLeader(first);
    TestServer second = start("second", SharedPool.of(database).withLease(PATIENT));
    CountDownLatch end = new CountDownLatch(1);
    var _ =
        loop(first)
            .ask(
                pool -> {
                  try {
                    return end.await(2, TimeUnit.MINUTES);
                  } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                });
    awaitLeader(second);
    end.countDown();
    await().atMost(PATIENCE).until(() -> !loop(first).isLeading());
  }

  @Test
  void standby_starts_during_an_import_and_removes_what_a_dead_leader_left_of_it() {
    TestServer first = start("first");
    awaitLeader(first);
    JobSpec spec = JobSpec.of("imported", "default", JobKind.NOOP, Stage.of(List.of(), List.of()));
    int[] counts = new int[TaskState.values().length];
    counts[TaskState.DONE.ordinal()] = 1;
    JobId job = new JobCommands(loop(first)).addSettled("admin", spec, 1, 2, 5, counts).join();
    TestServer second = start("second");
    assertThat(first.admin().get("/api/v1/jobs/" + job).status()).isEqualTo(200);
    stop(first);
    awaitLeader(second);
    await().atMost(PATIENCE).until(() -> second.admin().get("/api/v1/jobs/" + job).status() == 404);
  }

  @Test
  void deposed_leader_finds_out_and_follows() {
    TestServer first = start("first");
    awaitLeader(first);
    TestServer second = start("second");
    // As if another server had begun to lead without the first one's knowledge.
    TestPostgres.execute(database, "UPDATE pool SET epoch = epoch + 1");
    Rest.Reply refused = first.admin().post("/api/v1/jobs", NOOPS.formatted("late"));
    assertThat(refused.status()).isIn(307, 503);
    await().atMost(PATIENCE).until(() -> leads(second) && !leads(first));
    assertThat(second.admin().get("/api/v1/jobs").json().get("jobs")).isEmpty();
    submit(second, "in-time");
  }
}
