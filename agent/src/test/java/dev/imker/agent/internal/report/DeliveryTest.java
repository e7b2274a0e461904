package dev.imker.agent.internal.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.agent.internal.lease.HeldLease;
import dev.imker.agent.internal.lease.Holdings;
import dev.imker.agent.internal.lease.Reporting;
import dev.imker.testbase.Attack;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.wire.WireLeases;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.Lease;
import dev.imker.wire.proto.Outcome;
import dev.imker.wire.proto.ResultFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@ExpectedLogs("A report on disk cannot be read and is dropped")
final class DeliveryTest {
  @TempDir Path folder;
  private final Holdings holdings = new Holdings();
  private final List<Object> sent = new ArrayList<>();

  private static Lease lease(long token) {
    return Lease.newBuilder().setJob(1).setIndex(0).setToken(token).build();
  }

  private HeldLease hold() {
    HeldLease held = new HeldLease(Assignment.newBuilder().setLease(lease(7)).build());
    assertThat(holdings.add(held)).isTrue();
    return held;
  }

  private static Finished report(HeldLease held) {
    return Reporting.withoutRun(held, Outcome.SUCCEEDED, 0, "");
  }

  @Test
  void a_report_that_nobody_confirms_is_sent_again_by_itself() throws Exception {
    Delivery delivery =
        new Delivery(holdings, new UnconfirmedReports(folder), sent::add, Attestor.NONE, -1);
    delivery.deliver(hold(), report(holdings.all().iterator().next()));
    delivery.sendUnsent();
    assertThat(sent).hasSize(2);
    delivery.confirmed(WireLeases.of(lease(7)));
    delivery.sendUnsent();
    assertThat(sent).hasSize(2);
  }

  /** A restored server begins the numbers of its leases again. */
  @Test
  void leases_of_one_number_and_two_incarnations_are_two() throws Exception {
    UnconfirmedReports journal = new UnconfirmedReports(folder);
    Delivery delivery = new Delivery(holdings, journal, message -> false, Attestor.NONE, -1);
    HeldLease before = hold();
    Lease.Builder restored = lease(7).toBuilder().setIncarnation(-5);
    HeldLease after = new HeldLease(Assignment.newBuilder().setLease(restored).build());
    assertThat(holdings.add(after)).isTrue();
    delivery.deliver(before, report(before));
    delivery.deliver(after, report(after));
    assertThat(journal.load()).extracting(held -> held.wire()).hasSize(2).doesNotHaveDuplicates();
    delivery.confirmed(before.lease());
    assertThat(holdings.all()).containsExactly(after);
    assertThat(journal.load()).extracting(held -> held.lease()).containsExactly(after.lease());
  }

  @Test
  void a_report_that_is_on_its_way_is_not_sent_again_at_once() throws Exception {
    Delivery delivery =
        new Delivery(holdings, new UnconfirmedReports(folder), sent::add, Attestor.NONE);
    delivery.deliver(hold(), report(holdings.all().iterator().next()));
    delivery.sendUnsent();
    assertThat(sent).hasSize(1);
  }

  @Test
  void a_report_that_fits_no_frame_tells_a_failure() throws Exception {
    Delivery delivery =
        new Delivery(holdings, new UnconfirmedReports(folder), sent::add, Attestor.NONE);
    HeldLease held = hold();
    Finished.Builder report = report(held).toBuilder();
    for (int i = 0; i < 20_000; i++) {
      report.addResults(ResultFile.newBuilder().setPath("r" + i).setSha256("0".repeat(64)));
    }
    delivery.deliver(held, report.build());
    assertThat(sent).hasSize(1);
    Finished told = (Finished) sent.getFirst();
    assertThat(told.getOutcome()).isEqualTo(Outcome.FAILED);
    assertThat(told.getError()).contains("20000 result files");
  }

  @Test
  void only_reports_that_were_written_to_their_end_are_read_again() throws Exception {
    UnconfirmedReports journal = new UnconfirmedReports(folder);
    HeldLease held = hold();
    held.finish(report(held));
    journal.keep(held);
    byte[] whole = Files.readAllBytes(folder.resolve("7-0"));
    Files.write(folder.resolve("8.new"), whole);
    Files.write(folder.resolve("9"), new byte[0]);
    Files.write(folder.resolve("a"), new byte[] {10, 100, 1});
    assertThat(journal.load()).extracting(HeldLease::token).containsExactly(7L);
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.map(file -> file.getFileName().toString())).containsExactly("7-0");
    }
  }

  @Test
  @Attack("reveal a secret through the error message of a task")
  void an_error_that_names_a_secret_of_its_task_is_covered_wherever_it_goes() throws Exception {
    UnconfirmedReports journal = new UnconfirmedReports(folder);
    HeldLease held =
        new HeldLease(
            Assignment.newBuilder().setLease(lease(7)).putSecrets("KEY", "hunter2").build());
    assertThat(holdings.add(held)).isTrue();
    new Delivery(holdings, journal, message -> !sent.add(message), Attestor.NONE, -1)
        .deliver(held, Reporting.withoutRun(held, Outcome.FAILED, 1, "401 for hunter2 at x"));
    assertThat(((Finished) sent.getFirst()).getError()).isEqualTo("401 for ******* at x");
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        assertThat(Files.readString(file, StandardCharsets.ISO_8859_1)).doesNotContain("hunter2");
      }
    }
  }
}
