package dev.imker.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.matching.UnmetNeeds;
import dev.imker.model.Platform;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the scheduler tells of tasks that wait. */
class ExplainTest {
  private static final Platform LINUX =
      new Platform(
          "linux", "6", "x86_64", "h", 4, 0, 8L << 30, 1L << 40, 0, Map.of("r", "4.1"), Set.of());

  private static Requirements needs(Need... needs) {
    return new Requirements(List.of(needs));
  }

  @Test
  void every_need_that_is_not_met_is_named_with_what_there_is() {
    Need need =
        new Need(
            Set.of("windows"),
            Set.of("aarch64"),
            8,
            1,
            16L << 30,
            2L << 40,
            Set.of("licence"),
            Map.of("r", ">=4.2"));
    assertThat(UnmetNeeds.of(needs(need), LINUX))
        .containsExactly(
            "needs os windows, has linux, needs architecture aarch64, has x86_64, needs 8 cores,"
                + " has 4, needs 1 GPUs, has 0, needs 16.0 GB of memory, has 8.0 GB, needs 2048.0"
                + " GB of disk, has 1024.0 GB, needs the label licence, needs r >=4.2, has 4.1");
  }

  @Test
  void a_node_that_fits_lacks_nothing() {
    Need linux = new Need(Set.of("Linux"), Set.of(), 4, 0, 0, 0, Set.of(), Map.of("r", ""));
    Need windows = new Need(Set.of("windows"), Set.of(), 0, 0, 0, 0, Set.of(), Map.of());
    assertThat(UnmetNeeds.of(Requirements.ANY, LINUX)).isEmpty();
    assertThat(UnmetNeeds.of(needs(windows, linux), LINUX)).isEmpty();
    assertThat(UnmetNeeds.of(needs(windows, windows), LINUX)).hasSize(2);
  }
}
