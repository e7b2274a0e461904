package dev.imker.agent;

import static dev.imker.agent.FakeServer.job;
import static dev.imker.agent.FakeServer.next;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import dev.imker.agent.start.ImkerAgent;
import dev.imker.model.BlobId;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.TaskRules;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.JobDescription;
import dev.imker.wire.proto.Lease;
import dev.imker.wire.proto.Outcome;
import dev.imker.wire.proto.Stop;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that cannot be set up, and results that cannot be had: each ends, and harms nobody else. */
@ExpectedLogs("The description of job 1 cannot be read")
@SuppressWarnings("NullAway.Init") // fields are set before each test
final class BadJobTest {
  @TempDir Path data;
  private FakeServer server;
  private RunningAgent agent;

  @BeforeEach
  void start() throws Exception {
    Files.writeString(
        data.resolve("policy.yaml"), "sandbox: off\nuser: same\n"); // or no task removes its folder
    server = new FakeServer();
    agent =
        ImkerAgent.start(
            AgentSettings.of(server.join(), data)
                .withLowestPriority(false)
                .withSlots(2)
                .withStopGrace(Duration.ofMillis(200)));
    next(server.hellos);
    await().until(() -> agent.state() instanceof AgentState.Connected);
  }

  @AfterEach
  void stop() throws Exception {
    agent.close();
    server.close();
  }

  private Finished run(FakeServer.Job job, String... params) throws Exception {
    server.describe(job);
    server.assign(job.id(), 0, params);
    return next(server.finished);
  }

  /** The job fails, with these words; the machine goes on with the next one. */
  private void assertFails(Finished report, String words) throws Exception {
    assertThat(report.getOutcome()).as(report.getError()).isEqualTo(Outcome.FAILED);
    assertThat(report.getError()).contains(words).doesNotContain(data.toString());
    assertThat(run(job(99, "echo", "well")).getOutcome()).isEqualTo(Outcome.SUCCEEDED);
  }

  @Test
  void a_result_pattern_that_cannot_be_read() throws Exception {
    assertFails(run(job(1, "touch x.txt").outputs("[a*.txt")), "'[a*.txt'");
  }

  @Test
  void a_folder_with_a_name_too_long() throws Exception {
    server.send(
        FakeServer.describe(
            FakeServer.ruled(
                job(1, "true").template(0),
                TaskRules.USUAL.with(rules -> rules.folder = "x".repeat(300)))));
    server.assign(1, 0);
    assertFails(next(server.finished), "name too long");
  }

  @Test
  void an_input_with_a_name_too_long() throws Exception {
    InputFile input = input("y".repeat(300));
    assertFails(run(job(1, "true").inputs(input)), "name too long");
  }

  @Test
  void two_inputs_of_which_one_is_a_folder_of_the_other() throws Exception {
    assertFails(run(job(1, "true").inputs(input("a"), input("a/b"))), "'a'");
    assertFails(run(job(2, "true").inputs(input("a/b"), input("a"))), "'a'");
  }

  private InputFile input(String path) {
    BlobId blob = server.addBlob(path.getBytes(StandardCharsets.UTF_8));
    return new InputFile(path, blob, path.length(), false);
  }

  @Test
  void a_work_folder_that_the_task_removed() throws Exception {
    assertFails(run(job(1, "rm -rf \"$PWD\"").outputs("*")), "results could not be read");
  }

  @Test
  void a_result_whose_name_is_not_text() throws Exception {
    assertFails(run(job(1, "touch \"$(printf 'caf\\351')\"").outputs("*")), "not valid UTF-8");
  }

  @Test
  void a_result_longer_than_the_disk() throws Exception {
    assertFails(run(job(1, "truncate -s 7T hollow").outputs("*")), "more than fits on the node");
  }

  @Test
  void more_results_than_a_report_has_room_for() throws Exception {
    assertFails(
        run(job(1, "seq 10001 | xargs touch").outputs("*")), "more than 10000 result files");
  }

  @Test
  void a_description_that_cannot_be_read() throws Exception {
    server.assign(1, 0);
    server.send(
        JobDescription.newBuilder().setJob(1).setSpecJson(ByteString.copyFromUtf8("{")).build());
    assertFails(next(server.finished), "description of the job");
  }

  @Test
  void a_task_whose_results_the_server_does_not_take_can_be_stopped() throws Exception {
    server.silent = true;
    server.describe(job(1, "echo 1 > r").outputs("r"));
    Lease lease = server.assign(1, 0);
    await().until(() -> server.unanswered.get() > 0);
    server.send(Stop.newBuilder().setLease(lease).setReason("cancelled").build());
    Finished report = next(server.finished);
    assertThat(report.getOutcome()).isEqualTo(Outcome.STOPPED);
    await().until(() -> agent.heldLeases() == 0);
  }

  @Test
  void a_task_whose_inputs_do_not_come_can_be_stopped() throws Exception {
    server.silent = true;
    server.describe(job(1, "true").inputs(input("a")));
    Lease lease = server.assign(1, 0);
    await().until(() -> server.unanswered.get() > 0);
    server.send(Stop.newBuilder().setLease(lease).setReason("cancelled").build());
    assertThat(next(server.finished).getOutcome()).isEqualTo(Outcome.STOPPED);
    await().until(() -> agent.heldLeases() == 0);
  }

  @Test
  void inputs_that_come_in_several_messages_are_all_laid_down() throws Exception {
    BlobId blob = server.addBlob(new byte[] {1});
    server.describe(job(1, "ls in | wc -l; ls last"));
    Assignment.Builder part =
        Assignment.newBuilder().setLease(FakeServer.lease(1, 0)).setMore(true);
    for (int i = 0; i < 300; i++) {
      part.addInputs(input("in/" + i, blob));
    }
    server.send(part.build());
    server.send(part.build()); // as after a connection that broke
    server.send(
        Assignment.newBuilder()
            .setLease(FakeServer.lease(1, 0))
            .setAttempt(1)
            .addInputs(input("last", blob))
            .build());
    Finished report = next(server.finished);
    assertThat(report.getStdout().toStringUtf8()).as(report.getError()).isEqualTo("300\nlast\n");
  }

  private static dev.imker.wire.proto.InputFile.Builder input(String path, BlobId blob) {
    return dev.imker.wire.proto.InputFile.newBuilder()
        .setPath(path)
        .setSha256(blob.sha256())
        .setSize(1);
  }
}
