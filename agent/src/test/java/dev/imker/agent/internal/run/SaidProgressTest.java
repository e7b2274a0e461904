package dev.imker.agent.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.agent.internal.run.SaidProgress.Said;
import org.junit.jupiter.api.Test;

class SaidProgressTest {
  @Test
  void the_last_line_that_says_something_counts() {
    assertThat(SaidProgress.inLine("imker:progress 0.1 a\nimker:progress 0.42 b c\nelse\n"))
        .contains(new Said(0.42, "b c"));
    assertThat(SaidProgress.inLine("imker:progress 42% reading\r\n"))
        .contains(new Said(0.42, "reading"));
    assertThat(SaidProgress.inLine("imker:progress\t1\n")).contains(new Said(1, ""));
    assertThat(SaidProgress.inLine("imker:progress .5\n")).contains(new Said(0.5, ""));
  }

  @Test
  void a_line_that_is_not_whole_is_waited_for() {
    assertThat(SaidProgress.inLine("imker:progress 0.1\nimker:progress 0.9"))
        .contains(new Said(0.1, ""));
    assertThat(SaidProgress.inLine("imker:progress 0.1")).isEmpty();
  }

  @Test
  void nonsense_is_output_like_any_other() {
    for (String line :
        new String[] {
          "imker:progress",
          "imker:progress x",
          "imker:progress -1",
          "imker:progress 1.5",
          "imker:progress 101%",
          "imker:progress 0.5x",
          "say imker:progress 0.5",
          ""
        }) {
      assertThat(SaidProgress.inLine(line + "\n")).as(line).isEmpty();
    }
  }
}
