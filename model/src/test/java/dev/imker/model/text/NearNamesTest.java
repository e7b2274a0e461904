package dev.imker.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class NearNamesTest {
  private static final List<String> KNOWN =
      List.of("max-failures", "command", "needs", "balanced", "sma", "ema", "sharpe", "seed");

  @ParameterizedTest
  @CsvSource({
    "comand, command",
    "maxFailures, max-failures",
    "max_failure, max-failures",
    "sharep, sharpe",
    "SEED, seed",
    "bal, balanced",
    "smaa, sma",
  })
  void slip_of_the_keyboard_finds_what_was_meant(String wrong, String meant) {
    assertThat(NearNames.nearest(wrong, KNOWN)).contains(meant);
  }

  @ParameterizedTest
  @CsvSource({"xyz", "ab", "completely-different", "''"})
  void nothing_is_suggested_for_what_is_near_to_nothing(String wrong) {
    assertThat(NearNames.nearest(wrong, KNOWN)).isEmpty();
  }

  @Test
  void names_with_the_wrong_one_in_them_follow_those_that_begin_with_it() {
    assertThat(NearNames.nearest("night", List.of("fortnight", "night-shift", "nigth"), 3))
        .containsExactly("nigth", "night-shift", "fortnight");
  }

  @Test
  void name_of_a_megabyte_is_near_to_nothing() {
    assertThat(NearNames.nearest("x".repeat(1 << 20), KNOWN)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"'', '', 0", "abc, '', 3", "fast, fats, 1", "kitten, sitting, 3", "ab, ba, 1"})
  void swapped_neighbours_are_one_step(String a, String b, int steps) {
    assertThat(NearNames.distance(a, b)).isEqualTo(steps);
    assertThat(NearNames.distance(b, a)).isEqualTo(steps);
  }
}
