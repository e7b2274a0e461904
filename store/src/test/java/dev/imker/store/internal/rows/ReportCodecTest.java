package dev.imker.store.internal.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.AttemptOutcome;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.store.Samples;
import dev.imker.store.StoreException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ReportCodecTest {
  private static final AttemptReport COLUMNS =
      AttemptReport.withoutRun(AttemptOutcome.SUCCEEDED, 1, "");

  @Test
  void time_in_which_it_was_frozen_and_the_attestation_are_kept() {
    AttemptReport plain = Samples.richReport();
    AttemptReport kept = roundTrip(plain, 987_654_321, false);
    assertThat(kept.pausedMillis()).isEqualTo(987_654_321);
    assertThat(kept.attestation()).containsExactly(1, 2, 3);
    assertThat(kept.outOfMemory()).isFalse();
    assertThat(roundTrip(plain, 0, false).pausedMillis()).isZero();
  }

  @Test
  void lack_of_memory_is_kept() {
    assertThat(roundTrip(Samples.richReport(), 0, true).outOfMemory()).isTrue();
    AttemptReport both = roundTrip(Samples.richReport(), 1234, true);
    assertThat(both.outOfMemory()).isTrue();
    assertThat(both.pausedMillis()).isEqualTo(1234);
    assertThat(both.attestation()).containsExactly(1, 2, 3);
  }

  private static AttemptReport roundTrip(AttemptReport plain, long paused, boolean outOfMemory) {
    AttemptReport changed =
        new AttemptReport(
            plain.outcome(),
            plain.exitCode(),
            plain.startedMillis(),
            plain.endedMillis(),
            plain.cpuMillis(),
            plain.peakMemoryBytes(),
            plain.stdout(),
            plain.stderr(),
            plain.results(),
            plain.error(),
            paused,
            outOfMemory,
            new byte[] {1, 2, 3});
    AttemptReport columns =
        AttemptReport.withoutRun(plain.outcome(), plain.endedMillis(), plain.error());
    return ReportCodec.decode(columns, ReportCodec.report(changed), null);
  }

  @Test
  void report_with_nothing_to_tell_takes_no_bytes() {
    assertThat(ReportCodec.report(COLUMNS)).isNull();
    assertThat(ReportCodec.output(COLUMNS)).isNull();
    assertThat(ReportCodec.decode(COLUMNS, null, null)).isEqualTo(COLUMNS);
  }

  @Test
  void numbers_of_any_size_come_back() {
    for (long number : List.of(1L, 127L, 128L, 16_384L, 1L << 40, Long.MAX_VALUE, -1L)) {
      AttemptReport report =
          new AttemptReport(
              AttemptOutcome.SUCCEEDED,
              0,
              0,
              1,
              number,
              number,
              CapturedOutput.NONE,
              CapturedOutput.NONE,
              List.of(),
              "");
      assertThat(decode(encode(report))).usingRecursiveComparison().isEqualTo(report);
    }
  }

  @Test
  void bytes_that_are_cut_off_are_noticed_wherever_the_cut_is() {
    byte[] all = encode(Samples.richReport());
    for (int length = 1; length < all.length; length++) {
      byte[] cut = Arrays.copyOf(all, length);
      assertThatThrownBy(() -> decode(cut)).isInstanceOf(StoreException.class);
    }
  }

  @Test
  void unknown_format_is_refused() {
    assertThatThrownBy(() -> decode(new byte[] {2, 0, 0}))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("format 2");
  }

  private static byte[] encode(AttemptReport report) {
    return Objects.requireNonNull(ReportCodec.report(report));
  }

  private static AttemptReport decode(byte[] bytes) {
    return ReportCodec.decode(COLUMNS, bytes, null);
  }
}
