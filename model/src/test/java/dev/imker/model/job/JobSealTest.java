package dev.imker.model.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class JobSealTest {
  private static String sealed(TaskRules rules) {
    return JobSeal.text(JobKind.COMMAND, Stage.of(List.of("x"), List.of()).withRules(rules));
  }

  @Test
  void what_a_task_reads_where_it_runs_and_whom_it_reaches_is_signed() {
    Set<String> texts =
        Set.of(
            sealed(TaskRules.USUAL),
            sealed(TaskRules.USUAL.with(draft -> draft.stdin = "rm -rf .")),
            sealed(TaskRules.USUAL.with(draft -> draft.folder = "rm -rf .")),
            sealed(TaskRules.USUAL.with(draft -> draft.network = true)));
    assertThat(texts).hasSize(4);
  }
}
