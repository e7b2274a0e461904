package dev.imker.cli.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SaidBeforeTest {
  @Test
  void what_repeats_is_counted_until_the_server_is_there_again() {
    SaidBefore said = new SaidBefore();
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      said.next("connecting", false).ifPresent(lines::add);
      said.next("lost", false).ifPresent(lines::add);
    }
    said.next("connected", true).ifPresent(lines::add);
    said.next("lost", false).ifPresent(lines::add);
    assertThat(lines)
        .containsExactly(
            "connecting",
            "lost",
            "connecting (2 times by now)",
            "lost (2 times by now)",
            "connecting (4 times by now)",
            "lost (4 times by now)",
            "connecting (8 times by now)",
            "lost (8 times by now)",
            "connected",
            "lost");
  }
}
