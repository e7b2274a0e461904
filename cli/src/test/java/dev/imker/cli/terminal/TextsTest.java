package dev.imker.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class TextsTest {
  @Test
  void skipped_tasks_are_told_apart_from_failed_ones() throws Exception {
    String counts = "{\"done\": 18, \"failed\": 3, \"autoBlocked\": 6, \"skipped\": 2}";
    assertThat(Texts.counts(new ObjectMapper().readTree(counts)))
        .isEqualTo("18 done, 1 failed, 6 failed too often, 2 skipped");
  }
}
