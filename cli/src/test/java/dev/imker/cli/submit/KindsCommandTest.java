package dev.imker.cli.submit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.cli.ImkerProcess;
import dev.imker.cli.PoolFixture;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code imker kinds} as a user calls it. */
class KindsCommandTest {
  private static final Path EXAMPLES =
      Path.of(Objects.requireNonNull(System.getProperty("imker.root")), "examples/planner");

  @TempDir Path folder;

  @Test
  void results_are_asked_for_as_of_all_jobs_by_number_name_and_last() {
    try (PoolFixture pool = PoolFixture.start(folder)) {
      ImkerProcess.Finished run =
          pool.imker(
              "kinds",
              "run",
              "planned",
              "domain=@" + EXAMPLES.resolve("cargo-domain.pddl"),
              "problem=@" + EXAMPLES.resolve("cargo-two-freights.pddl"),
              "command=true");
      assertThat(run.exitCode()).as(run.err()).isZero();
      String name = pool.api().get("/api/v1/jobs/1").path("name").asText();
      for (String job : new String[] {"1", "last", name}) {
        ImkerProcess.Finished results = pool.imker("kinds", "results", job);
        assertThat(results.exitCode()).as(results.err()).isZero();
        assertThat(results.out()).contains("imker results 1");
      }
      assertThat(pool.imker("kinds", "results", "nobody").exitCode()).isEqualTo(4);
    }
  }
}
