package dev.imker.agent;

import static dev.imker.agent.FakeServer.job;
import static dev.imker.agent.FakeServer.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.agent.start.ImkerAgent;
import dev.imker.model.Platform.Resource;
import dev.imker.testbase.Attack;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.Hello;
import dev.imker.wire.proto.Outcome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a machine offers, and what tasks get of it. */
@EnabledOnOs(OS.LINUX)
@SuppressWarnings("NullAway.Init") // fields are set before each test
final class GrantedAmountsTest {
  private static final String OPEN = "sandbox: off\nuser: same\n";
  private static final String OWN_CORES = "sed -n s/^Cpus_allowed_list:.//p /proc/self/status";

  @TempDir Path data;
  private FakeServer server;
  private RunningAgent agent;

  @BeforeEach
  void startServer() throws Exception {
    server = new FakeServer();
  }

  @AfterEach
  void stopAll() throws Exception {
    if (agent != null) {
      agent.close();
    }
    server.close();
  }

  private AgentSettings settings(String policy) throws Exception {
    Files.writeString(data.resolve("policy.yaml"), policy);
    return AgentSettings.of(server.join(), data)
        .withLowestPriority(false)
        .withStopGrace(Duration.ofMillis(100));
  }

  private Hello start(AgentSettings settings) throws Exception {
    agent = ImkerAgent.start(settings);
    Hello hello = next(server.hellos);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> agent.state() instanceof AgentState.Connected);
    return hello;
  }

  private static JsonNode json(String text) throws Exception {
    return JsonMapper.builder().build().readTree(text);
  }

  @Test
  void the_server_learns_what_is_offered_and_hears_of_changes() throws Exception {
    Offer options =
        Offer.ALL.withCores(64).withGpus(2).with("camera", Resource.of(List.of("left", "right")));
    Hello hello = start(settings("memory: 100 MB\nresources: {fpga: 2.5}\n").withOffer(options));
    assertThat(hello.getSlotsSet()).isFalse();
    assertThat(hello.getSlots()).isEqualTo(64);
    JsonNode platform = json(hello.getPlatformJson());
    assertThat(platform.path("cores").asInt()).isEqualTo(64);
    assertThat(platform.path("gpus").asInt()).isEqualTo(2);
    assertThat(platform.path("memoryBytes").asLong()).isEqualTo(100L << 20);
    assertThat(platform.at("/resources/fpga/amount").asDouble()).isEqualTo(2.5);
    assertThat(platform.at("/resources/camera/items/1").asText()).isEqualTo("right");
    assertThat(agent.warnings()).anyMatch(text -> text.contains("offers 64"));

    Files.writeString(data.resolve("policy.yaml"), "cores: none\n"); // is not followed
    Files.writeString(data.resolve("policy.yaml"), "cores: 3\nresources: {fpga: [one]}\n");
    JsonNode changed = json(next(server.platforms).getPlatformJson());
    assertThat(changed.path("cores").asInt()).isEqualTo(3);
    assertThat(changed.at("/resources/fpga/items/0").asText()).isEqualTo("one");
    assertThat(changed.path("memoryBytes").asLong()).isGreaterThan(100L << 20);
  }

  @Test
  void a_machine_that_is_cut_off_stops_only_what_holds_amounts_of_the_pool() throws Exception {
    server.leaseMillis = 3_000;
    server.answering = true;
    start(settings(OPEN + "cores: 3\nresources: {fpga: 2}\n"));
    server.describe(job(1, "sleep 600"));
    server.assignGranted(1, 0, "0 cores=100 licence=100");
    server.assignGranted(1, 1, "0 cores=100 fpga=100");
    server.assign(1, 2);
    await().atMost(Duration.ofSeconds(60)).until(() -> agent.runningTasks() == 3);
    server.signs.clear();
    for (int sign = 0; sign < 40; sign++) {
      next(server.signs); // one every 100 ms at most: longer than a lease
    }
    assertThat(server.finished).isEmpty();

    server.answering = false;
    Finished stopped = next(server.finished);
    assertThat(stopped.getLease()).isEqualTo(FakeServer.lease(1, 0));
    assertThat(stopped.getOutcome()).isEqualTo(Outcome.GIVEN_BACK);
    assertThat(stopped.getError()).contains("has lost its server");
    server.signs.clear();
    for (int sign = 0; sign < 40; sign++) {
      next(server.signs);
    }
    assertThat(agent.runningTasks()).isEqualTo(2);
    assertThat(server.finished).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {OPEN, "sandbox: auto\n"})
  void a_task_is_told_what_it_got(String policy) throws Exception {
    start(settings(policy + "cores: 2\ngpus: 2\n"));
    server.describe(job(1, "env; " + OWN_CORES));
    server.assignGranted(
        1, 0, "1 cores=200 cam-1=200@left,right fpga=150 gpus=50@1 memory=" + (2L << 30));
    Map<String, String> env = environment(next(server.finished));
    assertThat(env)
        .containsEntry("IMKER_VARIANT", "1")
        .containsEntry("IMKER_CORES", "2")
        .containsEntry("OMP_NUM_THREADS", "2")
        .containsEntry("IMKER_MEMORY_MB", "2048")
        .containsEntry("IMKER_GPUS", "0.5")
        .containsEntry("CUDA_VISIBLE_DEVICES", "1")
        .containsEntry("ROCR_VISIBLE_DEVICES", "1")
        .containsEntry("IMKER_RESOURCE_FPGA", "1.5")
        .containsEntry("IMKER_RESOURCE_CAM_1", "left,right");
    server.assign(1, 1);
    assertThat(environment(next(server.finished)))
        .containsEntry("IMKER_VARIANT", "0")
        .containsEntry("IMKER_CORES", "1")
        .containsEntry("OMP_NUM_THREADS", "1")
        .containsEntry("CUDA_VISIBLE_DEVICES", "-1") // those there are belong to others
        .doesNotContainKeys("IMKER_MEMORY_MB", "IMKER_RESOURCE_FPGA");
    server.describe(job(2, "env").env("OMP_NUM_THREADS", "7"));
    server.assign(2, 0);
    assertThat(environment(next(server.finished))).containsEntry("OMP_NUM_THREADS", "7");
  }

  private static Map<String, String> environment(Finished report) {
    assertThat(report.getOutcome()).as(report.getError()).isEqualTo(Outcome.SUCCEEDED);
    Map<String, String> env = new TreeMap<>();
    for (String line : report.getStdout().toStringUtf8().lines().toList()) {
      int equals = line.indexOf('=');
      env.put(line.substring(0, Math.max(0, equals)), line.substring(equals + 1));
    }
    return env;
  }

  @ParameterizedTest
  @ValueSource(strings = {OPEN, "sandbox: auto\n"})
  void tasks_at_the_same_time_sit_on_different_cores(String policy) throws Exception {
    start(settings(policy));
    int cores = Runtime.getRuntime().availableProcessors();
    server.describe(job(1, OWN_CORES + " > cores; exec sleep 600"));
    for (int i = 0; i < cores; i++) {
      server.assign(1, i);
    }
    List<String> told = new ArrayList<>();
    for (int i = 1; i <= cores; i++) {
      Path file = data.resolve("agent-1/work/" + i + "/cores");
      await().until(() -> Files.exists(file) && Files.size(file) > 0);
      told.add(Files.readString(file).strip());
    }
    assertThat(told).allMatch(list -> list.matches("\\d+")).doesNotHaveDuplicates();
  }

  @Test
  void what_was_granted_starts_at_once_and_plain_tasks_have_the_rest() throws Exception {
    start(settings(OPEN + "cores: 2\n"));
    Path go = data.resolve("go");
    server.describe(job(1, "while [ ! -e " + go + " ]; do sleep 0.02; done"));
    server.assign(1, 0);
    server.assign(1, 1);
    server.assign(1, 2);
    await().until(() -> agent.heldLeases() == 3 && agent.runningTasks() == 2);
    for (int i = 3; i < 7; i++) {
      server.assignGranted(1, i, "0 cores=25");
    }
    await().until(() -> agent.runningTasks() == 6);
    Files.createFile(go);
    for (int i = 0; i < 7; i++) {
      assertThat(next(server.finished).getOutcome()).isEqualTo(Outcome.SUCCEEDED);
    }
    Files.delete(go);
    server.assignGranted(1, 10, "0 cores=200");
    server.assign(1, 11);
    await().until(() -> agent.heldLeases() == 2 && agent.runningTasks() == 1);
    Files.createFile(go);
    assertThat(next(server.finished).getLease().getIndex()).isEqualTo(10);
    assertThat(next(server.finished).getLease().getIndex()).isEqualTo(11);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        OPEN + "| head -c 8000000 /dev/zero > big; exec sleep 600",
        OPEN + "| exec 3> big; rm big; head -c 8000000 /dev/zero >&3; exec sleep 600",
        "sandbox: auto\n"
            + "| exec 3> /dev/shm/x; rm /dev/shm/x; head -c 8000000 /dev/zero >&3; sleep 600"
      })
  @Attack("write more than requested into deleted files that are still open")
  void a_task_that_writes_more_than_it_asked_for_ends(String policyAndLine) throws Exception {
    String[] parts = policyAndLine.split("\\| ", 2);
    start(settings(parts[0] + "task:\n  disk: 1 GB\n"));
    server.describe(job(1, parts[1]));
    server.assignGranted(1, 0, "0 cores=100 disk=" + (5L << 20));
    Finished report = next(server.finished);
    assertThat(report.getOutcome()).isEqualTo(Outcome.FAILED);
    assertThat(report.getError())
        .isEqualTo("Used more than the 5 MB of disk it asked for (needs: disk).");
  }

  @ParameterizedTest
  @ValueSource(strings = {OPEN, "sandbox: auto\n"})
  void a_task_that_takes_more_memory_than_it_asked_for_ends(String policy) throws Exception {
    start(settings(policy));
    server.describe(job(1, "head -c 60000000 /dev/zero | tail | sleep 600"));
    server.assignGranted(1, 0, "0 cores=100 memory=" + (30L << 20));
    Finished report = next(server.finished);
    assertThat(report.getOutcome()).isEqualTo(Outcome.FAILED);
    assertThat(report.getOutOfMemory()).isTrue();
    assertThat(report.getError())
        .isEqualTo("Used more than the 30 MB of memory it asked for (needs: memory).");
  }
}
