package dev.imker.cli.submit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartTimeTest {
  private static final ZonedDateTime NOON =
      ZonedDateTime.parse("2026-11-16T12:00+01:00[Europe/Berlin]");

  @ParameterizedTest
  @CsvSource({
    "22:00, 2026-11-16T21:00:00Z",
    "06:30, 2026-11-17T05:30:00Z",
    "12:00, 2026-11-17T11:00:00Z",
    "2026-12-01T08:00, 2026-12-01T07:00:00Z",
    "2026-12-01 08:00, 2026-12-01T07:00:00Z",
    "2026-12-01T08:00:00Z, 2026-12-01T08:00:00Z",
    "2026-12-01T08:00-05:00, 2026-12-01T13:00:00Z",
  })
  void times_without_a_zone_are_those_of_here(String text, String instant) {
    assertThat(StartTime.parse(text, NOON)).hasToString(instant);
  }

  @Test
  void what_is_not_a_time_is_told() {
    assertThatThrownBy(() -> StartTime.parse("25:00", NOON)).hasMessageContaining("--at 25:00");
    assertThatThrownBy(() -> StartTime.parse("tonight", NOON)).hasMessageContaining("22:00");
  }
}
