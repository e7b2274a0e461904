package dev.imker.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectorTest {
  private static final int ALL = Selector.ALL_TASKS;

  @Test
  void number_is_a_job() {
    assertThat(only("12")).isEqualTo(new Selector.Part("12", ids(12, 12), 1, ALL));
    assertThat(only("12").isWholeJob()).isTrue();
  }

  @Test
  void number_after_the_dot_is_a_task() {
    assertThat(only("12.3")).isEqualTo(new Selector.Part("12.3", ids(12, 12), 3, 3));
    assertThat(only("12.1").isWholeJob()).isFalse();
  }

  @Test
  void tasks_and_jobs_have_ranges() {
    assertThat(only("12.3..7")).isEqualTo(new Selector.Part("12.3..7", ids(12, 12), 3, 7));
    assertThat(only("12..15")).isEqualTo(new Selector.Part("12..15", ids(12, 15), 1, ALL));
  }

  @Test
  void last_is_the_newest_job() {
    assertThat(only("last").jobs()).isEqualTo(new Selector.Last());
    assertThat(only("last.3..4"))
        .isEqualTo(new Selector.Part("last.3..4", new Selector.Last(), 3, 4));
  }

  @Test
  void other_words_are_names() {
    assertThat(only("render").jobs()).isEqualTo(new Selector.Named("render"));
    assertThat(only("render.3"))
        .isEqualTo(new Selector.Part("render.3", new Selector.Named("render"), 3, 3));
    assertThat(only("v1.2b").jobs()).isEqualTo(new Selector.Named("v1.2b"));
    assertThat(only("lastly").jobs()).isEqualTo(new Selector.Named("lastly"));
  }

  @Test
  void list_has_parts_with_blanks_ignored() {
    assertThat(Selector.parse("12, last.1 ,x").parts())
        .extracting(Selector.Part::text)
        .containsExactly("12", "last.1", "x");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      textBlock =
          """
          ""                    | Name a job
          "1,,2"                | empty part in the list '1,,2'
          15..12                | '15..12' runs backwards
          12.7..3               | '12.7..3' runs backwards
          0                     | '0' in '0' is not a job number
          99999999999999999999  | is not a job number
          12.0                  | '0' in '12.0' is not a task number
          12.99999999999        | is not a task number
          12..                  | neither a job nor a range
          render.               | neither a job nor a range
          """)
  void mistakes_are_named(String text, String message) {
    assertThatThrownBy(() -> Selector.parse(text))
        .isInstanceOf(InputException.class)
        .hasMessageContaining(message);
  }

  private static Selector.Part only(String text) {
    List<Selector.Part> parts = Selector.parse(text).parts();
    assertThat(parts).hasSize(1);
    return parts.getFirst();
  }

  private static Selector.Ids ids(long first, long last) {
    return new Selector.Ids(new JobId(first), new JobId(last));
  }
}
