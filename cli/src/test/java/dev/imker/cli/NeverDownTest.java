package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two servers on one database, two agents, and the leader is killed again and again while work goes
 * on. Every task writes down its runs by itself, in a file that Imker knows nothing of; in the end
 * every task has exactly one result, and that is of a run which really was.
 */
@EnabledOnOs(OS.LINUX)
class NeverDownTest {
  private static final int ROUNDS = Integer.getInteger("imker.failover.rounds", 2);
  private static final int TASKS = 60;
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir Path folder;
  private ServersFixture pool;

  @BeforeEach
  void start() {
    pool = ServersFixture.start(folder);
  }

  @AfterEach
  void stop() {
    pool.close();
  }

  /** Writes down each run with a word of its own, which is also its result. */
  private String task(String job) {
    return ": {n}; word=%s-$IMKER_TASK_NUMBER-$$-$(date +%%s%%N); sleep 0.1; echo $word >> %s; echo $word"
        .formatted(job, folder.resolve("log"));
  }

  private long submit(ApiClient api, String name) {
    Map<String, Object> spec =
        Map.of(
            "name",
            name,
            "command",
            List.of(task(name)),
            "sweep",
            List.of(Map.of("name", "n", "range", Map.of("from", 1, "to", TASKS))));
    return api.post("/api/v1/jobs", spec, Map.of("Idempotency-Key", name)).path("id").asLong();
  }

  @Test
  void nothing_is_lost_and_nothing_counts_twice_while_leaders_are_killed() throws Exception {
    pool.addAgent("a", 2);
    pool.addAgent("b", 2);
    Map<String, Long> jobs = new HashMap<>();
    ImkerProcess waiting =
        pool.asUser("run", "--wait", "--sweep", "n=1.." + TASKS, "--", task("waited"));
    try (ApiClient api = pool.api()) {
      for (int round = 0; round < ROUNDS; round++) {
        String name = "job" + round;
        jobs.put(name, submit(api, name));
        awaitProgress(5);
        killLeader();
      }
      jobs.put("final", submit(api, "final"));
      assertThat(waiting.finished().exitCode()).as(waiting.err()).isZero();
      for (Map.Entry<String, Long> job : jobs.entrySet()) {
        check(api, job.getKey(), job.getValue());
      }
    }
  }

  /** Tasks leave files: what an agent was sending to the leader goes to the next one. */
  @Test
  void commands_and_work_go_on_when_the_leader_stands_still() {
    pool.addAgent("a", 2);
    String leavingFiles = task("waited") + "; head -c 200000 /dev/urandom > noise";
    ImkerProcess waiting =
        pool.asUser("run", "--wait", "--sweep", "n=1.." + TASKS, "--", leavingFiles);
    awaitProgress(5);
    pool.leader().freeze();
    ImkerProcess.Finished next = pool.asUser("run", "--wait", "--", "echo went on").finished();
    assertThat(next.exitCode()).as(next.err()).isZero();
    assertThat(next.out()).contains("went on");
    assertThat(waiting.finished().exitCode()).as(waiting.err()).isZero();
  }

  /**
   * Adds one to a counter of its job, and another as soon as it may, by the documented function.
   */
  private String counting() throws IOException {
    Path docs = Path.of(System.getProperty("imker.root", ".."), "docs/coordination.md");
    String text = Files.readString(docs);
    int begin = text.indexOf("coord() {");
    String function = text.substring(begin, text.indexOf("\n}\n", begin) + 2);
    Path script =
        Files.writeString(
            folder.resolve("count.sh"),
            function
                + "\ncoord counter/seen '{\"action\":\"add\",\"value\":1}'\necho begun >> "
                + folder.resolve("log")
                + "\nuntil [ -e "
                + folder.resolve("gate")
                + " ]; do sleep 0.1; done\n"
                + "coord counter/seen '{\"action\":\"add\",\"value\":1}'\n");
    return "sh " + script;
  }

  @Test
  void a_running_task_reaches_the_next_leader() throws Exception {
    pool.addAgent("a", 2);
    try (ApiClient api = pool.api()) {
      long job =
          api.post("/api/v1/jobs", Map.of("name", "counting", "command", List.of(counting())))
              .path("id")
              .asLong();
      awaitProgress(1);
      pool.leader().kill();
      pool.leader();
      Files.createFile(folder.resolve("gate"));
      await()
          .atMost(PATIENCE)
          .until(() -> api.get("/api/v1/jobs/" + job).path("status").asText().equals("DONE"));
      JsonNode task = api.get("/api/v1/jobs/" + job + "/tasks?output=true").path("tasks").path(0);
      assertThat(task.path("attempts").asInt()).isOne();
      assertThat(task.path("stdoutText").asText()).contains("\"value\":1", "\"value\":2");
    }
  }

  private Set<String> log() {
    Path file = folder.resolve("log");
    try {
      return Files.exists(file) ? new HashSet<>(Files.readAllLines(file)) : Set.of();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void awaitProgress(int runs) {
    int before = log().size();
    await().atMost(PATIENCE).until(() -> log().size() >= before + runs);
  }

  private void killLeader() {
    ServersFixture.Server dead = pool.leader();
    dead.kill();
    long killed = System.nanoTime();
    ServersFixture.Server next = pool.leader();
    assertThat(next).isNotSameAs(dead);
    System.out.printf(
        "fail-over: the next server leads after %d ms%n",
        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killed));
    awaitProgress(3);
    dead.restart();
  }

  private void check(ApiClient api, String name, long job) {
    await()
        .atMost(PATIENCE)
        .until(() -> api.get("/api/v1/jobs/" + job).path("status").asText().equals("DONE"));
    JsonNode tasks = api.get("/api/v1/jobs/" + job + "/tasks?limit=1000&output=true").path("tasks");
    assertThat(tasks).hasSize(TASKS);
    Set<String> ran = log();
    for (JsonNode task : tasks) {
      assertThat(task.path("state").asText()).isEqualTo("DONE");
      String result = task.path("stdoutText").asText().strip();
      assertThat(result).startsWith(name + "-" + task.path("number").asText() + "-");
      assertThat(ran).as("the run of which this is the result").contains(result);
    }
  }
}
