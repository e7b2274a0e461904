package dev.imker.server.internal.rest.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.JobId;
import dev.imker.server.http.ApiException;
import dev.imker.testbase.Generator;
import dev.imker.testbase.Trials;
import java.util.TreeSet;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobSpansTest {
  @Trials(100)
  void has_the_numbers_that_its_text_names_in_whatever_order(Generator random) {
    TreeSet<Long> wanted = new TreeSet<>();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 6; i++) {
      long first = random.between(1, 40);
      long last = first + random.between(0, 14);
      text.append(i == 0 ? "" : ",").append(first).append('-').append(last);
      for (long number = first; number <= last; number++) {
        wanted.add(number);
      }
    }
    JobSpans spans = JobSpans.parse("among", text.toString());
    for (long number = 1; number <= 60; number++) {
      assertThat(spans.has(new JobId(number)))
          .as("%d in %s", number, text)
          .isEqualTo(wanted.contains(number));
    }
    JobSpans added = new JobSpans();
    wanted.descendingSet().forEach(number -> added.add(new JobId(number)));
    assertThat(added).hasToString(spans.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "3-", "-3", "20-3", "0", "1,,2", "x", "1234567890123456789"})
  void anything_else_is_refused(String text) {
    assertThatThrownBy(() -> JobSpans.parse("among", text))
        .isInstanceOf(ApiException.class)
        .hasMessageContaining("is not a job number");
  }
}
