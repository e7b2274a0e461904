package dev.imker.agent.start;

import static dev.imker.agent.FakeServer.job;
import static dev.imker.agent.FakeServer.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.imker.agent.AgentSettings;
import dev.imker.agent.AgentState;
import dev.imker.agent.FakeServer;
import dev.imker.agent.RunningAgent;
import dev.imker.model.job.InputFile;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.wire.proto.Drain;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.FollowLog;
import dev.imker.wire.proto.Hello;
import dev.imker.wire.proto.Lease;
import dev.imker.wire.proto.LogChunk;
import dev.imker.wire.proto.Outcome;
import dev.imker.wire.proto.ResultFile;
import dev.imker.wire.proto.SignOfLifeReply;
import dev.imker.wire.proto.Stop;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@ExpectedLogs("The server refused this agent: (The server rejects the join token|too old)")
@SuppressWarnings("NullAway.Init") // fields are set before each test
final class ImkerAgentTest {

  @TempDir Path data;
  private FakeServer server;
  private final List<RunningAgent> agents = new ArrayList<>();

  @BeforeEach
  void startServer() throws Exception {
    server = new FakeServer();
  }

  @AfterEach
  void stopAll() throws Exception {
    agents.forEach(RunningAgent::close);
    server.close();
  }

  private AgentSettings settings() throws IOException {
    // Tasks tell by files outside what they do, which a sandbox would hide from them.
    Files.writeString(data.resolve("policy.yaml"), "sandbox: off\nuser: same\n");
    return AgentSettings.of(server.join(), data)
        .withName("bee")
        .withSlots(2)
        .withStopGrace(Duration.ofMillis(200));
  }

  private RunningAgent start() throws Exception {
    return start(settings());
  }

  private RunningAgent start(AgentSettings settings) throws Exception {
    RunningAgent agent = ImkerAgent.start(settings);
    agents.add(agent);
    next(server.hellos);
    await().until(() -> agent.state() instanceof AgentState.Connected);
    return agent;
  }

  private Finished run(FakeServer.Job job, String... params) throws Exception {
    server.describe(job);
    server.assign(job.id(), 0, params);
    return next(server.finished);
  }

  @Test
  void introduces_itself() throws Exception {
    RunningAgent agent = ImkerAgent.start(settings().withLabels(Set.of("quick")));
    agents.add(agent);
    Hello hello = next(server.hellos);
    assertThat(hello.getAgentName()).isEqualTo("bee");
    assertThat(hello.getSlots()).isEqualTo(2);
    assertThat(hello.getAgentId()).isEqualTo(agent.id().value()).isNotEmpty();
    assertThat(hello.getNodeId()).isEqualTo(agent.node().value()).isNotEmpty();
    assertThat(hello.getHeldList()).isEmpty();
    assertThat(hello.getPlatformJson()).contains("\"os\":\"linux\"").contains("quick");
    await().until(() -> agent.state().equals(new AgentState.Connected("test pool", "1")));
  }

  @Test
  void runs_a_program_with_arguments() throws Exception {
    start();
    Finished report = run(job(1, "printf", "%s|", "${p}", "a b").params("p"), "it's");
    assertThat(report.getOutcome()).isEqualTo(Outcome.SUCCEEDED);
    assertThat(report.getStdout().toStringUtf8()).isEqualTo("it's|a b|");
    assertThat(report.getStdoutSize()).isEqualTo(9);
    assertThat(report.getStartedMillis()).isPositive();
    assertThat(report.getEndedMillis()).isGreaterThanOrEqualTo(report.getStartedMillis());
  }

  @Test
  void a_single_word_is_a_line_for_the_shell_in_a_clean_environment() throws Exception {
    start();
    Finished report =
        run(
            job(7, "echo $IMKER_TASK $IMKER_JOB $IMKER_PARAM_n $X; pwd; echo $HOME; env | wc -l")
                .params("n")
                .env("X", "x${n}"),
            "5");
    List<String> lines = report.getStdout().toStringUtf8().lines().toList();
    assertThat(lines.get(0)).isEqualTo("7.1 7 5 x5");
    assertThat(lines.get(1)).isEqualTo(lines.get(2));
    assertThat(Integer.parseInt(lines.get(3).strip())).isLessThan(20);
  }

  @Test
  void what_waits_for_a_slot_goes_back_when_it_is_wanted_elsewhere() throws Exception {
    RunningAgent agent = start(settings().withSlots(1));
    server.describe(job(1, "sleep", "600"));
    Lease begun = server.assign(1, 0);
    server.assign(1, 1);
    Lease last = server.assign(1, 2);
    await().until(() -> agent.runningTasks() == 1 && agent.heldLeases() == 3);
    for (Lease lease : List.of(begun, last)) {
      server.send(
          Stop.newBuilder().setLease(lease).setReason("wanted").setUnlessBegun(true).build());
    }
    Finished report = next(server.finished);
    assertThat(report.getLease()).isEqualTo(last);
    assertThat(report.getOutcome()).isEqualTo(Outcome.GIVEN_BACK);
    assertThat(report.getStartedMillis()).isZero();
    server.send(Stop.newBuilder().setLease(begun).setReason("cancelled").build());
    assertThat(next(server.finished).getLease()).isEqualTo(begun);
  }

  @Test
  void many_short_tasks_are_all_reported() throws Exception {
    start();
    server.describe(job(1, "true"));
    Set<Lease> assigned = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      assigned.add(server.assign(1, i));
    }
    Set<Lease> reported = new HashSet<>();
    for (int i = 0; i < 100; i++) {
      reported.add(next(server.finished).getLease());
    }
    assertThat(reported).isEqualTo(assigned);
  }

  @Test
  void failures_come_with_code_and_words() throws Exception {
    start();
    Finished report = run(job(1, "echo no >&2; exit 3"));
    assertThat(report.getOutcome()).isEqualTo(Outcome.FAILED);
    assertThat(report.getExitCode()).isEqualTo(3);
    assertThat(report.getStderr().toStringUtf8()).isEqualTo("no\n");
    Finished missing = run(job(2, "no-such-program", "x"));
    assertThat(missing.getOutcome()).isEqualTo(Outcome.FAILED);
    assertThat(missing.getExitCode()).isEqualTo(127);
    assertThat(missing.getError()).contains("no-such-program");
  }

  @Test
  void inputs_travel_in_and_results_travel_out() throws Exception {
    start();
    byte[] script =
        "#!/bin/sh\ncat data/in.txt > out.txt; cp tool copy\n".getBytes(StandardCharsets.UTF_8);
    byte[] text = "some data".getBytes(StandardCharsets.UTF_8);
    Finished report =
        run(
            job(1, "./tool", "x")
                .inputs(
                    new InputFile("tool", server.addBlob(script), script.length, true),
                    new InputFile("data/in.txt", server.addBlob(text), text.length, false))
                .outputs("*"));
    assertThat(report.getError()).isEmpty();
    assertThat(report.getResultsList())
        .extracting(ResultFile::getPath, ResultFile::getSize, ResultFile::getExecutable)
        .containsExactly(tuple("copy", (long) script.length, true), tuple("out.txt", 9L, false));
    assertThat(server.blobs.get(report.getResults(1).getSha256())).isEqualTo(text);
    await().until(() -> isEmpty(data.resolve("agent-1/work")));
  }

  private static boolean isEmpty(Path folder) throws IOException {
    try (var entries = Files.list(folder)) {
      return entries.findAny().isEmpty();
    }
  }

  @Test
  void long_output_becomes_a_blob() throws Exception {
    start();
    Finished report = run(job(1, "head -c 100000 /dev/zero; echo small >&2"));
    assertThat(report.getOutcome()).isEqualTo(Outcome.SUCCEEDED);
    assertThat(report.getStdoutSize()).isEqualTo(100_000);
    assertThat(report.getStdout().isEmpty()).isTrue();
    assertThat(server.blobs.get(report.getStdoutSha256())).hasSize(100_000);
    assertThat(report.getStderr().toStringUtf8()).isEqualTo("small\n");
  }

  @Test
  void an_input_that_the_server_lost_fails_the_task() throws Exception {
    start();
    byte[] content = {1, 2, 3};
    var blob = server.addBlob(content);
    server.blobs.clear();
    Finished report = run(job(1, "true", "x").inputs(new InputFile("in", blob, 3, false)));
    assertThat(report.getOutcome()).isEqualTo(Outcome.FAILED);
    assertThat(report.getError()).contains(blob.sha256());
  }

  @Test
  void a_missing_result_fails_the_task() throws Exception {
    start();
    Finished report = run(job(1, "true", "x").outputs("out.txt"));
    assertThat(report.getOutcome()).isEqualTo(Outcome.FAILED);
    assertThat(report.getError()).contains("out.txt");
  }

  @Test
  void never_runs_more_than_its_slots() throws Exception {
    RunningAgent agent = start();
    Path go = data.resolve("go");
    server.describe(job(1, "while [ ! -e " + go + " ]; do sleep 0.02; done"));
    for (int i = 0; i < 5; i++) {
      server.assign(1, i);
    }
    await().until(() -> agent.heldLeases() == 5 && agent.runningTasks() == 2);
    Files.createFile(go);
    for (int i = 0; i < 5; i++) {
      assertThat(next(server.finished).getOutcome()).isEqualTo(Outcome.SUCCEEDED);
    }
    await().until(() -> agent.heldLeases() == 0);
  }

  @Test
  void no_ops_are_answered_in_bulk() throws Exception {
    RunningAgent agent = start();
    server.describe(job(1, "unused").noop());
    for (int i = 0; i < 50_000; i++) {
      server.assign(1, i);
    }
    Set<Integer> done = new HashSet<>();
    for (int i = 0; i < 50_000; i++) {
      Finished report = next(server.finished);
      assertThat(report.getOutcome()).isEqualTo(Outcome.SUCCEEDED);
      done.add(report.getLease().getIndex());
    }
    assertThat(done).hasSize(50_000);
    await().until(() -> agent.heldLeases() == 0);
  }

  @Test
  void stops_running_and_queued_tasks_on_order() throws Exception {
    RunningAgent agent = start(settings().withSlots(1));
    server.describe(job(1, "sleep", "600"));
    Lease running = server.assign(1, 0);
    Lease queued = server.assign(1, 1);
    await().until(() -> agent.runningTasks() == 1 && agent.heldLeases() == 2);
    server.send(Stop.newBuilder().setLease(queued).setReason("cancelled").build());
    Finished first = next(server.finished);
    assertThat(first.getLease()).isEqualTo(queued);
    assertThat(first.getOutcome()).isEqualTo(Outcome.STOPPED);
    assertThat(first.getError()).isEqualTo("cancelled");
    server.send(Stop.newBuilder().setLease(running).setReason("cancelled").build());
    Finished second = next(server.finished);
    assertThat(second.getLease()).isEqualTo(running);
    assertThat(second.getOutcome()).isEqualTo(Outcome.STOPPED);
    await().until(() -> agent.runningTasks() == 0);
  }

  @Test
  void a_lease_that_the_server_does_not_know_is_dropped_without_a_word() throws Exception {
    RunningAgent agent = start();
    server.describe(job(1, "sleep", "600"));
    Lease lease = server.assign(1, 0);
    await().until(() -> agent.runningTasks() == 1);
    server.send(SignOfLifeReply.newBuilder().addUnknown(lease).build());
    await().until(() -> agent.runningTasks() == 0 && agent.heldLeases() == 0);
    assertThat(server.finished).isEmpty();
  }

  @Test
  void what_a_task_took_that_the_server_stopped_is_told_even_if_it_forgets_the_lease()
      throws Exception {
    RunningAgent agent = start();
    server.describe(job(1, "sleep", "600"));
    Lease lease = server.assign(1, 0);
    await().until(() -> agent.runningTasks() == 1);
    server.send(Stop.newBuilder().setLease(lease).setReason("cancelled").build());
    server.send(SignOfLifeReply.newBuilder().addUnknown(lease).build());
    Finished report = next(server.finished);
    assertThat(report.getOutcome()).isEqualTo(Outcome.STOPPED);
    assertThat(report.getStartedMillis()).isPositive();
  }

  @Test
  void signs_of_life_name_what_is_held() throws Exception {
    RunningAgent agent = start();
    server.describe(job(1, "sleep", "600"));
    Lease lease = server.assign(1, 0);
    await().until(() -> agent.runningTasks() == 1);
    await().until(() -> next(server.signs).getHeldList().equals(List.of(lease)));
  }

  @Test
  void a_job_that_was_not_described_is_asked_for() throws Exception {
    start();
    server.onDemand = FakeServer.describe(job(3, "echo", "here").template(0));
    server.assign(3, 0);
    assertThat(next(server.finished).getStdout().toStringUtf8()).isEqualTo("here\n");
  }

  @Test
  void output_can_be_followed_while_the_task_runs() throws Exception {
    RunningAgent agent = start();
    Path go = data.resolve("go");
    server.describe(
        job(1, "echo one; echo err >&2; while [ ! -e " + go + " ]; do sleep 0.02; done; echo two"));
    Lease lease = server.assign(1, 0);
    await().until(() -> agent.runningTasks() == 1);
    server.send(FollowLog.newBuilder().setLease(lease).setOn(true).setStdoutOffset(1).build());
    StringBuilder stdout = new StringBuilder();
    StringBuilder stderr = new StringBuilder();
    await()
        .until(
            () -> {
              LogChunk chunk = next(server.chunks);
              boolean out = chunk.getStream() == LogChunk.Stream.STDOUT;
              (out ? stdout : stderr).append(chunk.getData().toStringUtf8());
              return stdout.toString().equals("ne\n") && stderr.toString().equals("err\n");
            });
    Files.createFile(go);
    boolean last = false;
    while (!last) {
      LogChunk chunk = next(server.chunks);
      if (chunk.getStream() == LogChunk.Stream.STDOUT) {
        stdout.append(chunk.getData().toStringUtf8());
        last = chunk.getLast();
      }
    }
    assertThat(stdout.toString()).isEqualTo("ne\ntwo\n");
  }

  @Test
  void running_tasks_survive_a_restart_of_the_server() throws Exception {
    RunningAgent agent = start();
    Path go = data.resolve("go");
    server.describe(job(1, "while [ ! -e " + go + " ]; do sleep 0.02; done; echo survived"));
    Lease lease = server.assign(1, 0);
    await().until(() -> agent.runningTasks() == 1);
    server = server.restart();
    Hello again = next(server.hellos);
    assertThat(again.getHeldList()).containsExactly(lease);
    Files.createFile(go);
    assertThat(next(server.finished).getStdout().toStringUtf8()).isEqualTo("survived\n");
  }

  @Test
  void a_report_is_sent_again_until_it_is_confirmed() throws Exception {
    RunningAgent agent = start();
    server.confirming = false;
    Finished first = run(job(1, "echo", "once"));
    server = server.restart();
    assertThat(next(server.hellos).getHeldList()).containsExactly(first.getLease());
    assertThat(next(server.finished)).isEqualTo(first);
    await().until(() -> agent.heldLeases() == 0);
  }

  @Test
  void work_that_ends_while_the_server_is_away_is_reported_later() throws Exception {
    RunningAgent agent = start();
    Path go = data.resolve("go");
    server.describe(
        job(1, "while [ ! -e " + go + " ]; do sleep 0.02; done; echo x > out").outputs("out"));
    server.assign(1, 0);
    await().until(() -> agent.runningTasks() == 1);
    server.close();
    await().until(() -> agent.state() instanceof AgentState.Disconnected);
    Files.createFile(go);
    await().until(() -> agent.runningTasks() == 0);
    server = server.restart();
    Finished report = next(server.finished);
    assertThat(report.getOutcome()).isEqualTo(Outcome.SUCCEEDED);
    assertThat(server.blobs).containsKey(report.getResults(0).getSha256());
  }

  @Test
  void a_report_outlives_the_agent_that_made_it() throws Exception {
    RunningAgent agent = start();
    server.confirming = false;
    Finished report = run(job(1, "echo", "kept"));
    agent.close();
    server.confirming = true;
    RunningAgent next = ImkerAgent.start(settings());
    agents.add(next);
    assertThat(next(server.hellos).getHeldList()).containsExactly(report.getLease());
    assertThat(next(server.finished)).isEqualTo(report);
    await().until(() -> next.heldLeases() == 0 && isEmpty(data.resolve("agent-1/unconfirmed")));
    assertThat(next.id()).isEqualTo(agent.id());
  }

  @Test
  void closing_kills_tasks_and_gives_them_back() throws Exception {
    RunningAgent agent = start(settings().withSlots(1));
    server.describe(job(1, "sleep", "600"));
    server.assign(1, 0);
    server.assign(1, 1);
    await().until(() -> agent.runningTasks() == 1 && agent.heldLeases() == 2);
    agent.close();
    assertThat(next(server.finished).getOutcome()).isEqualTo(Outcome.GIVEN_BACK);
    assertThat(next(server.finished).getOutcome()).isEqualTo(Outcome.GIVEN_BACK);
    assertThat(agent.ended().get(60, TimeUnit.SECONDS)).isEqualTo(new AgentState.Stopped());
    assertThat(agent.runningTasks()).isZero();
  }

  @Test
  void draining_is_told() throws Exception {
    RunningAgent agent = start();
    agent.drain(true);
    assertThat(next(server.drains)).isEqualTo(Drain.newBuilder().setOn(true).build());
  }

  @Test
  void a_task_over_its_limit_is_ended_even_without_the_server() throws Exception {
    start();
    server.send(FakeServer.describe(job(1, "sleep", "600").template(1)));
    server.assign(1, 0);
    Finished report = next(server.finished);
    assertThat(report.getOutcome()).isEqualTo(Outcome.FAILED);
    assertThat(report.getError()).contains("limit");
  }

  @Test
  void stops_for_good_when_refused() throws Exception {
    server.refusal = "too old";
    RunningAgent agent = ImkerAgent.start(settings());
    agents.add(agent);
    assertThat(agent.ended().get(60, TimeUnit.SECONDS))
        .isEqualTo(new AgentState.Refused("too old"));
  }

  @Test
  void stops_for_good_when_the_token_is_wrong() throws Exception {
    RunningAgent agent = ImkerAgent.start(AgentSettings.of(server.join("wrong"), data));
    agents.add(agent);
    assertThat(agent.ended().get(60, TimeUnit.SECONDS)).isInstanceOf(AgentState.Refused.class);
  }

  @Test
  void agents_of_one_machine_share_its_identity_but_not_their_folders() throws Exception {
    RunningAgent first = start();
    RunningAgent second = start();
    assertThat(second.node()).isEqualTo(first.node());
    assertThat(second.id()).isNotEqualTo(first.id());
  }

  @Test
  void the_portable_executor_does_as_well() throws Exception {
    start(settings().withPortableProcesses(true));
    assertThat(run(job(1, "echo", "portable")).getStdout().toStringUtf8()).isEqualTo("portable\n");
  }

  @Test
  void what_an_earlier_life_left_running_is_killed() throws Exception {
    RunningAgent agent = start();
    agent.close();
    ProcessBuilder left = new ProcessBuilder("setsid", "sleep", "600");
    left.environment().put("IMKER_LEASE", agent.id() + ":1");
    Process process = left.start();
    await().until(() -> process.info().command().orElse("").endsWith("sleep"));
    start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
  }
}
