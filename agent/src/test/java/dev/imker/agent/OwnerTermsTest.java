package dev.imker.agent;

import static dev.imker.agent.FakeServer.job;
import static dev.imker.agent.FakeServer.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.imker.agent.AgentControl.Order;
import dev.imker.agent.internal.platform.Programs;
import dev.imker.agent.start.ImkerAgent;
import dev.imker.model.ImkerException;
import dev.imker.model.job.JobSeal;
import dev.imker.model.job.TaskRules;
import dev.imker.model.job.TaskTemplate;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Checkpoint;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.Hello;
import dev.imker.wire.proto.InputFile;
import dev.imker.wire.proto.Lease;
import dev.imker.wire.proto.Outcome;
import dev.imker.wire.proto.Pause;
import dev.imker.wire.proto.SignOfLife;
import dev.imker.wire.proto.Stop;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** What the owner of a machine says counts, whatever jobs do. */
@EnabledOnOs(OS.LINUX)
@SuppressWarnings("NullAway.Init") // fields are set before each test
final class OwnerTermsTest {
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

  private Hello start(String policy) throws Exception {
    return start(policy, OwnerActive.NO);
  }

  private Hello start(String policy, OwnerActive ownerActive) throws Exception {
    Files.writeString(data.resolve("policy.yaml"), policy);
    agent =
        ImkerAgent.start(
            AgentSettings.of(server.join(), data)
                .withSlots(2)
                .withOwnerActive(ownerActive)
                .withLowestPriority(false)
                .withStopGrace(Duration.ofMillis(100)));
    Hello hello = next(server.hellos);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> agent.state() instanceof AgentState.Connected);
    return hello;
  }

  private Finished run(String line) throws Exception {
    server.describe(job(1, line));
    server.assign(1, 0);
    return next(server.finished);
  }

  @Test
  void the_server_is_told_whom_and_what_the_machine_is_lent_for() throws Exception {
    Hello hello =
        start("cores: 1\nmemory: 100 MB\nserves: [ada, '*/render']\nonly-short: 10 min\n");
    assertThat(hello.getServesList()).containsExactly("ada", "*/render");
    assertThat(hello.getLongestTaskMillis()).isEqualTo(600_000);
    assertThat(hello.getSlots()).isEqualTo(2); // a limit besides that of the cores
    assertThat(hello.getSlotsSet()).isTrue();
    assertThat(hello.getPlatformJson())
        .contains("screen-saver", "\"cores\":1", "\"memoryBytes\":104857600", "sandbox");
  }

  @Test
  void a_task_that_uses_too_much_memory_fails_and_says_so() throws Exception {
    start("task:\n  memory: 20 MB\n");
    Finished report = run("head -c 40000000 /dev/zero | tail | sleep 600");
    assertThat(report.getOutcome()).isEqualTo(Outcome.FAILED);
    assertThat(report.getError())
        .isEqualTo("Used more than 20 MB of memory (limit of the node's policy).");
  }

  @Test
  void a_task_that_fills_the_disk_fails_and_says_so() throws Exception {
    start("task:\n  disk: 5 MB\n");
    Finished report =
        run("for i in 1 2 3; do head -c 3000000 /dev/zero > f$i; done; exec sleep 600");
    assertThat(report.getOutcome()).isEqualTo(Outcome.FAILED);
    assertThat(report.getError())
        .isEqualTo("Used more than 5 MB of disk (limit of the node's policy).");
  }

  @Test
  void a_task_that_runs_for_too_long_fails_and_says_so() throws Exception {
    start("task:\n  run-time: 1 s\n");
    Finished report = run("exec sleep 600");
    assertThat(report.getOutcome()).isEqualTo(Outcome.FAILED);
    assertThat(report.getError())
        .isEqualTo("Exceeded its time limit of 1.0 s (limit of the node's policy).");
  }

  @Test
  void a_job_that_asks_for_the_network_where_it_is_not_lent_fails_at_once() throws Exception {
    start("network: no\n");
    TaskRules networked =
        new TaskRules(1, 0, 0, false, 1, "", 0, true, List.of(), 0, "", "", false, 0, 0);
    TaskTemplate template = FakeServer.ruled(job(1, "true").template(0), networked);
    server.send(FakeServer.describe(template));
    server.assign(1, 0);
    Finished report = next(server.finished);
    assertThat(report.getOutcome()).isEqualTo(Outcome.FAILED);
    assertThat(report.getError()).contains("needs the network").contains("policy of this node");
  }

  @Test
  void all_tasks_together_get_no_more_memory_than_is_lent() throws Exception {
    start("memory: 40 MB\n");
    server.describe(job(1, "touch begun; head -c 25000000 /dev/zero | tail | sleep 600"));
    Lease first = server.assign(1, 0);
    await().until(() -> Files.exists(data.resolve("agent-1/work/1/begun")));
    server.assign(1, 1);
    Finished report = next(server.finished);
    assertThat(report.getLease().getIndex()).isOne();
    assertThat(report.getOutcome()).isEqualTo(Outcome.GIVEN_BACK);
    assertThat(report.getError()).contains("more memory than the owner of the node lends");
    server.send(Stop.newBuilder().setLease(first).build());
    next(server.finished);
  }

  @Test
  void the_owner_pauses_and_resumes_by_hand() throws Exception {
    start("");
    server.describe(job(1, "while [ ! -e go ]; do echo x >> alive; sleep 0.02; done; echo end"));
    server.assign(1, 0);
    Path work = data.resolve("agent-1/work/1");
    await().until(() -> Files.exists(work.resolve("alive")));
    Map<String, String> status = AgentControl.send(data, Order.PAUSE).getFirst().status();
    assertThat(status).containsEntry("pause", "by its owner").containsEntry("running", "1");
    awaitSign(true);
    Path alive = work.resolve("alive");
    long[] size = {-1};
    await()
        .pollInterval(Duration.ofMillis(100))
        .until(() -> size[0] == (size[0] = Files.size(alive)));
    Files.createFile(work.resolve("go"));
    server.assign(1, 1); // crossed the news on its way
    Finished refused = next(server.finished);
    assertThat(refused.getOutcome()).isEqualTo(Outcome.GIVEN_BACK);
    assertThat(refused.getError()).contains("paused");
    AgentControl.send(data, Order.RESUME);
    awaitSign(false);
    assertThat(next(server.finished).getOutcome()).isEqualTo(Outcome.SUCCEEDED);
  }

  @Test
  void time_in_which_a_task_was_frozen_is_told_apart_from_its_run_time() throws Exception {
    start("");
    server.describe(job(1, "touch alive; while [ ! -e go ]; do sleep 0.02; done"));
    Lease lease = server.assign(1, 0);
    Path work = data.resolve("agent-1/work/1");
    await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(work.resolve("alive")));
    AgentControl.send(data, Order.PAUSE);
    SignOfLife sign = next(server.signs);
    while (sign.getPausedMillisOrDefault(lease.getToken(), 0) < 200) {
      sign = next(server.signs);
    }
    Files.createFile(work.resolve("go"));
    AgentControl.send(data, Order.RESUME);
    Finished report = next(server.finished);
    assertThat(report.getOutcome()).isEqualTo(Outcome.SUCCEEDED);
    assertThat(report.getPausedMillis())
        .isBetween(200L, report.getEndedMillis() - report.getStartedMillis());
  }

  private void awaitSign(boolean paused) throws Exception {
    awaitSign(paused ? "by its owner" : "");
  }

  private void awaitSign(String pause) throws Exception {
    for (SignOfLife sign = next(server.signs); ; sign = next(server.signs)) {
      if (sign.getPauseReason().equals(pause)) {
        assertThat(sign.getPaused()).isEqualTo(!pause.isEmpty());
        return;
      }
    }
  }

  @Test
  void the_pool_pauses_and_resumes_but_not_what_the_owner_paused() throws Exception {
    start("");
    server.describe(job(1, "while [ ! -e go ]; do echo x >> alive; sleep 0.02; done; echo end"));
    server.assign(1, 0);
    Path work = data.resolve("agent-1/work/1");
    Path alive = work.resolve("alive");
    await().until(() -> Files.exists(alive));
    server.send(Pause.newBuilder().setWhy("by root: repair").build());
    awaitSign("by root: repair");
    long[] size = {-1};
    await()
        .pollInterval(Duration.ofMillis(100))
        .until(() -> size[0] == (size[0] = Files.size(alive)));
    AgentControl.send(data, Order.PAUSE);
    awaitSign("by its owner");
    server.send(Pause.getDefaultInstance());
    Files.createFile(work.resolve("go"));
    assertThat(AgentControl.send(data, Order.STATUS).getFirst().status())
        .containsEntry("pause", "by its owner")
        .containsEntry("running", "1");
    AgentControl.send(data, Order.RESUME);
    awaitSign("");
    assertThat(next(server.finished).getOutcome()).isEqualTo(Outcome.SUCCEEDED);
  }

  private interface AtScreen {
    void see(String display) throws Exception;
  }

  private void withScreen(AtScreen test) throws Exception {
    for (String program : List.of("Xvfb", "xdotool")) {
      assumeTrue(
          new Programs(System.getenv("PATH")).find(program).isPresent(),
          "needs a screen to type at: apt-get install xvfb xdotool");
    }
    Process xvfb =
        new ProcessBuilder("Xvfb", "-displayfd", "1", "-noreset", "-nolisten", "tcp")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      test.see(":" + xvfb.inputReader(StandardCharsets.UTF_8).readLine());
    } finally {
      xvfb.destroy();
      xvfb.waitFor();
    }
  }

  private String status(String key) throws Exception {
    return AgentControl.send(data, Order.STATUS).getFirst().status().getOrDefault(key, "");
  }

  /** From real input on a real display to processes that stand still. */
  @Test
  void input_at_a_screen_freezes_tasks_where_nobody_has_said_otherwise() throws Exception {
    withScreen(
        display -> {
          long begun = System.nanoTime();
          start("pause: {idle: 1 s}\n", OwnerActive.SCREEN);
          // A new display counts as just used: what is assigned in that second is given back.
          await()
              .atMost(Duration.ofSeconds(60))
              .until(() -> System.nanoTime() - begun > 2_000_000_000L && status("pause").isEmpty());
          server.describe(job(1, "while [ ! -e go ]; do echo x >> alive; sleep 0.02; done"));
          server.assign(1, 0);
          Path work = data.resolve("agent-1/work/1");
          Path alive = work.resolve("alive");
          await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(alive));
          awaitStandstill(display, alive);
          awaitSign("its owner is using it");
          Files.createFile(work.resolve("go"));
          assertThat(next(server.finished).getOutcome()).isEqualTo(Outcome.SUCCEEDED);
        });
  }

  private static void awaitStandstill(String display, Path alive) {
    long[] size = {-1};
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(200))
        .until(
            () -> {
              typeAt(display);
              return size[0] == (size[0] = Files.size(alive));
            });
  }

  /** Types until one file has grown by thirty lines while another one has not grown. */
  private static void awaitOvertaking(String display, Path growing, Path still) {
    long[] seen = {-1, 0};
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              typeAt(display);
              if (Files.size(still) != seen[0]) {
                seen[0] = Files.size(still);
                seen[1] = Files.size(growing) + 60;
              }
              return Files.size(growing) >= seen[1];
            });
  }

  @Test
  void tasks_beyond_what_the_owner_leaves_them_freeze_and_the_oldest_go_on() throws Exception {
    withScreen(
        display -> {
          long begun = System.nanoTime();
          start("cores: 2\npause: {idle: 1 s, shrink-to: 1}\n", OwnerActive.SCREEN);
          await()
              .atMost(Duration.ofSeconds(60))
              .until(
                  () ->
                      System.nanoTime() - begun > 2_000_000_000L
                          && status("offers").startsWith("2 cores"));
          server.describe(job(1, "while [ ! -e go ]; do echo x >> alive; sleep 0.02; done"));
          List<Path> alive = new ArrayList<>();
          for (int i = 0; i < 2; i++) {
            server.assign(1, i);
            Path file = data.resolve("agent-1/work/%d/alive".formatted(i + 1));
            await().atMost(Duration.ofSeconds(60)).until(() -> Files.exists(file));
            alive.add(file);
          }
          awaitOvertaking(display, alive.get(0), alive.get(1));
          assertThat(status("pause")).isEmpty();
          await()
              .atMost(Duration.ofSeconds(60))
              .until(
                  () -> {
                    typeAt(display);
                    return status("offers").startsWith("1 core (its owner is using it)");
                  });
          for (Path file : alive) {
            Files.createFile(file.resolveSibling("go"));
          }
          for (int i = 0; i < 2; i++) { // the frozen one in the place of the other, if not before
            assertThat(next(server.finished).getOutcome()).isEqualTo(Outcome.SUCCEEDED);
          }
          await()
              .atMost(Duration.ofSeconds(60))
              .until(() -> status("offers").startsWith("2 cores"));
        });
  }

  private static void typeAt(String display) throws Exception {
    ProcessBuilder typing = new ProcessBuilder("xdotool", "key", "space");
    typing.environment().put("DISPLAY", display);
    assertThat(typing.start().waitFor()).isZero();
  }

  @Test
  void a_pause_outlives_the_agent() throws Exception {
    start("");
    AgentControl.send(data, Order.PAUSE);
    agent.close();
    start("");
    awaitSign(true);
  }

  @Test
  void an_agent_ends_after_as_many_tasks_as_it_was_told() throws Exception {
    agent = ImkerAgent.start(AgentSettings.of(server.join(), data).withSlots(2).withMaxTasks(2));
    next(server.hellos);
    server.describe(job(1, "true"));
    for (int i = 0; i < 3; i++) {
      server.assign(1, i);
    }
    List<Outcome> outcomes = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      outcomes.add(next(server.finished).getOutcome());
    }
    assertThat(outcomes)
        .containsExactlyInAnyOrder(Outcome.SUCCEEDED, Outcome.SUCCEEDED, Outcome.GIVEN_BACK);
    assertThat(agent.ended().get(60, TimeUnit.SECONDS)).isEqualTo(new AgentState.Stopped());
  }

  @Test
  void orders_without_an_agent_are_answered_with_words() {
    assertThatThrownBy(() -> AgentControl.send(data, Order.STATUS))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("No agent is running with the folder " + data);
  }

  @Test
  void outside_the_hours_nothing_is_run() throws Exception {
    LocalDate inThreeDays = LocalDate.now(ZoneId.systemDefault()).plusDays(3);
    start("hours: " + inThreeDays.getDayOfWeek().name().substring(0, 3) + "\n");
    for (SignOfLife sign = next(server.signs); !sign.getPaused(); ) {
      sign = next(server.signs);
    }
    assertThat(run("true").getOutcome()).isEqualTo(Outcome.GIVEN_BACK);
  }

  @Test
  void a_policy_that_makes_no_sense_keeps_the_agent_from_starting() throws IOException {
    Files.writeString(data.resolve("policy.yaml"), "cores: 1\nmemory: plenty\n");
    assertThatThrownBy(() -> ImkerAgent.start(AgentSettings.of(server.join(), data)))
        .isInstanceOf(ImkerException.class)
        .hasMessageContaining("policy.yaml, line 2");
  }

  @Test
  void a_sandboxed_task_gets_at_neither_secrets_nor_neighbours_nor_the_agent() throws Exception {
    assumeTrue(sandboxWorks(), "no sandbox on this system");
    start("sandbox: on\n");
    Files.writeString(data.resolve("join"), "top-secret");
    server.describe(job(5, "echo private > notes; exec sleep 600"));
    Lease neighbour = server.assign(5, 0);
    Path notes = data.resolve("agent-1/work/1/notes");
    await().until(() -> Files.exists(notes));
    long pid = ProcessHandle.current().pid();
    Finished report =
        run(
            "cat %s/join; cat %s; ls %s; cat /proc/%d/environ; kill -9 %d; kill -9 -1; echo done $HOME"
                .formatted(data, notes, data, pid, pid));
    assertThat(report.getOutcome()).isEqualTo(Outcome.SUCCEEDED);
    assertThat(report.getStdout().toStringUtf8()).matches("done /(imker-)?work\n");
    assertThat(report.getStderr().toStringUtf8()).doesNotContain("top-secret", "private");
    server.send(Stop.newBuilder().setLease(neighbour).build());
    assertThat(next(server.finished).getOutcome()).isEqualTo(Outcome.STOPPED);
  }

  private static boolean sandboxWorks() throws Exception {
    String answer =
        Programs.ask(List.of("bwrap", "--unshare-all", "--ro-bind", "/", "/", "echo", "works"));
    return answer.strip().equals("works");
  }

  @Test
  void a_task_saves_its_state_and_the_next_attempt_goes_on_from_there() throws Exception {
    start("");
    TaskRules rules =
        new TaskRules(1, 0, 0, false, 1, "", 0, false, List.of("state*"), 100, "", "", false, 0, 0);
    String line =
        "cat state; head -c 100000 /dev/zero > state.big; echo 41 > part; mv part state; exec sleep"
            + " 600";
    server.send(FakeServer.describe(FakeServer.ruled(job(1, line).template(0), rules)));
    Lease first = server.assign(1, 0);
    Checkpoint saved = next(server.checkpoints);
    while (saved.getFilesCount() < 2) {
      saved = next(server.checkpoints);
    }
    assertThat(saved.getLease()).isEqualTo(first);
    server.send(Stop.newBuilder().setLease(first).build());
    next(server.finished);
    TaskRules none = TaskRules.USUAL;
    String again = "cat state; echo 42 >> state.big; tail -n 1 state.big | tr -d '\\0'";
    server.send(FakeServer.describe(FakeServer.ruled(job(2, again).template(0), none)));
    Assignment.Builder assignment =
        Assignment.newBuilder().setLease(FakeServer.lease(2, 0)).setAttempt(2);
    saved
        .getFilesList()
        .forEach(
            file ->
                assignment.addInputs(
                    InputFile.newBuilder()
                        .setPath(file.getPath())
                        .setSha256(file.getSha256())
                        .setSize(file.getSize())));
    server.send(assignment.build());
    assertThat(next(server.finished).getStdout().toStringUtf8()).isEqualTo("41\n42\n");
  }

  @Test
  void only_jobs_that_somebody_trusted_has_signed_are_run() throws Exception {
    KeyPair trusted = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    KeyPair stranger = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    String key = Base64.getEncoder().encodeToString(trusted.getPublic().getEncoded());
    start("signed: yes\ntrust: [" + key + "]\n");
    assertThat(run("echo hi").getError()).contains("runs only signed jobs");

    FakeServer.Job job = job(2, "echo ${p}").params("p");
    server.describe(job.env(JobSeal.VARIABLE, sign(stranger, job)));
    server.assign(2, 0, "5");
    assertThat(next(server.finished).getError()).contains("not signed with a key that the owner");

    FakeServer.Job signed = job(3, "echo ${p}").params("p");
    server.describe(signed.env(JobSeal.VARIABLE, sign(trusted, signed)));
    server.assign(3, 0, "5");
    assertThat(next(server.finished).getStdout().toStringUtf8()).isEqualTo("5\n");
    server.assign(3, 1, "5; rm -rf x");
    assertThat(next(server.finished).getError()).contains("not a plain word");
    server.assign(3, 2, "--output=/etc/passwd");
    assertThat(next(server.finished).getError()).contains("not a plain word");
    server.assign(3, 3, "-5");
    assertThat(next(server.finished).getStdout().toStringUtf8()).isEqualTo("-5\n");

    FakeServer.Job altered = job(4, "echo other ${p}").params("p");
    server.describe(altered.env(JobSeal.VARIABLE, sign(trusted, signed)));
    server.assign(4, 0, "5");
    assertThat(next(server.finished).getError()).contains("not signed with a key");
  }

  private static String sign(KeyPair key, FakeServer.Job job) throws Exception {
    Signature signature = Signature.getInstance("Ed25519");
    signature.initSign(key.getPrivate());
    signature.update(JobSeal.text(job.template(0)).getBytes(StandardCharsets.UTF_8));
    return Base64.getEncoder().encodeToString(signature.sign());
  }

  @Test
  void a_plain_task_learns_nothing_from_its_environment() throws Exception {
    start("sandbox: off\n");
    Finished report = run("env");
    assertThat(report.getStdout().toStringUtf8()).doesNotContain(FakeServer.SECRET, "IMKER_JOIN");
  }
}
