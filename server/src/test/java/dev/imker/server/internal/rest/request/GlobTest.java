package dev.imker.server.internal.rest.request;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GlobTest {
  @ParameterizedTest
  @CsvSource({
    "*, '', true",
    "'', '', true",
    "'', a, false",
    "a*, abc, true",
    "*c, abc, true",
    "*c, abcd, false",
    "a?c, abc, true",
    "a?c, ac, false",
    "a*b*c, axxbyybzc, true",
    "a*b*c, axxbyybz, false",
    "a.c, abc, false",
    "**, x, true",
    "?, '', false",
  })
  void stars_stand_for_anything_and_question_marks_for_one_character(
      String pattern, String text, boolean fits) {
    assertThat(new Glob(pattern).test(text)).isEqualTo(fits);
  }

  @Test
  void many_stars_cost_no_more_than_the_lengths_multiplied() {
    // By trying every way, this would take longer than the world is old.
    assertThat(new Glob("*a".repeat(500) + "b").test("a".repeat(10_000))).isFalse();
  }
}
