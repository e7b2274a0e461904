package dev.imker.agent.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class TaskEnvironmentTest {
  @Test
  void plain_utf8_is_said_in_the_way_that_costs_programs_least() {
    assertThat(TaskEnvironment.language(Map.of("LANG", "C.UTF-8"), Map.of()))
        .isEqualTo(Map.of("LC_CTYPE", "C.UTF-8"));
    assertThat(TaskEnvironment.language(Map.of(), Map.of()))
        .isEqualTo(Map.of("LC_CTYPE", "C.UTF-8"));
  }

  @Test
  void language_of_the_machine_is_kept() {
    assertThat(TaskEnvironment.language(Map.of("LANG", "de_DE.UTF-8"), Map.of()))
        .isEqualTo(Map.of("LANG", "de_DE.UTF-8"));
  }

  @Test
  void language_of_a_job_is_not_hidden_by_that_of_the_machine() {
    Map<String, String> job = Map.of("LANG", "de_DE.ISO-8859-1");
    assertThat(TaskEnvironment.language(Map.of("LANG", "C.UTF-8"), job)).isEmpty();
  }
}
