package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.message.AgentHello;
import dev.imker.core.message.JobHeader;
import dev.imker.core.message.StageHeader;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.BlobId;
import dev.imker.model.Lease;
import dev.imker.model.Platform;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.Stage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tasks with large inputs are left to agents with good lines, as long as there are such. */
class LinesTest extends SchedulerFixture {
  private static final long MB = 1 << 20;

  @Test
  void large_inputs_are_left_to_a_busy_agent_with_a_better_line() {
    join("slow", MB);
    join("fast", 0);
    submit(large(1, 30 * MB, 2));
    Lease first = leaseFor("fast");
    out.assertNothingLeft();
    finishes("fast", first, AttemptOutcome.SUCCEEDED);
    leaseFor("fast");
  }

  @Test
  void what_suits_the_line_goes_anywhere() {
    join("slow", 5 * MB);
    join("fast", 0);
    submit(large(1, 5 * MB, 2));
    dispatch();
    out.takeAssignedTo("slow");
    out.takeAssignedTo("fast");
  }

  @Test
  void without_a_better_line_any_agent_gets_the_work() {
    join("slow", MB);
    submit(large(1, 30 * MB, 1));
    leaseFor("slow");
  }

  @Test
  void the_best_of_bad_lines_gets_what_suits_none() {
    join("slower", MB);
    join("slow", 5 * MB);
    join("gone", 20 * MB);
    submit(large(1, 30 * MB, 3));
    Lease lease = leaseFor("gone");
    out.assertNothingLeft();
    finishes("gone", lease, AttemptOutcome.SUCCEEDED);
    scheduler.onDrain(now, id("gone"), true, out);
    out.takeAll();
    leaseFor("slow");
    out.assertNothingLeft();
  }

  @Test
  void an_agent_out_of_reach_is_waited_for_as_long_as_a_lease() {
    join("slow", MB);
    join("fast", 0);
    scheduler.onDisconnect(now, id("fast"), out);
    out.takeAll();
    submit(large(1, 30 * MB, 1));
    dispatch();
    out.assertNothingLeft();
    now += LEASE_MILLIS + 1;
    scheduler.onSignOfLife(now, id("slow"), List.of(), out);
    scheduler.onTick(now, out);
    out.takeAll();
    leaseFor("slow");
  }

  @Test
  void a_paused_agent_is_not_waited_for() {
    join("slow", MB);
    join("fast", 0);
    scheduler.onPause(now, id("fast"), "its owner is at work", Map.of(), out);
    out.takeAll();
    submit(large(1, 30 * MB, 1));
    leaseFor("slow");
  }

  @Test
  void an_agent_that_found_its_line_to_be_bad_leaves_work_that_waits_to_others() {
    join("fast", 0);
    submit(header(1, 1));
    leaseFor("fast");
    submit(large(2, 30 * MB, 1));
    scheduler.onHello(now, agent("slow", 1, 1, List.of()), out);
    scheduler.onPlatform(now, id("slow"), withLine(MB), out);
    out.takeAll();
    dispatch();
    out.assertNothingLeft();
  }

  @Test
  void a_task_fetches_what_is_for_it_and_its_machine() {
    Stage stage =
        Stage.of(List.of("true"), List.of())
            .withFiles(
                List.of(
                    file("all", 1, "", ""),
                    file("windows", 20, "windows", ""),
                    file("linux", 4, "linux", ""),
                    file("a", 300, "", "set"),
                    file("b", 100, "", "set")),
                List.of());
    assertThat(stage.inputBytes()).isEqualTo(321);
  }

  private static InputFile file(String path, long size, String os, String param) {
    return new InputFile(path, new BlobId("0".repeat(64)), size, false, os, param);
  }

  private void join(String name, long line) {
    AgentHello hello = agent(name, 1, 1, List.of()).withPlatform(withLine(line));
    scheduler.onHello(now, hello, out);
    out.takeAll();
  }

  private static Platform withLine(long largestDownloadBytes) {
    Platform usual = platform();
    return new Platform(
        usual.os(),
        usual.osVersion(),
        usual.arch(),
        usual.hostName(),
        usual.cores(),
        usual.gpus(),
        usual.memoryBytes(),
        usual.diskBytes(),
        usual.benchmarkMillis(),
        usual.runtimes(),
        usual.labels(),
        Map.of(),
        largestDownloadBytes,
        Map.of());
  }

  private static JobHeader large(long id, long inputBytes, int tasks) {
    StageHeader usual = header(id, 1).stages().getFirst();
    return of(
        header(id, 1),
        List.of(
            new StageHeader(
                tasks, usual.needs(), usual.rules(), List.of(), JobKind.COMMAND, "", inputBytes)));
  }
}
