package dev.imker.client.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.internal.shipping.Shipping;
import dev.imker.model.job.Requirements;
import dev.imker.model.job.Requirements.Need;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JavaJobTest {
  private static Requirements needs(ExecutorOptions options) {
    JavaJob job = new JavaJob(options, new Shipping.Library(Map.of()), "", List.of());
    return job.stage(job.payload(), List.of(), List.of(), 1).needs();
  }

  @Test
  void tasks_ask_for_what_the_options_say() {
    assertThat(needs(ExecutorOptions.USUAL)).isEqualTo(Requirements.ANY);
    Need need =
        needs(
                ExecutorOptions.USUAL
                    .withCores(2.5)
                    .withMemory(8L << 30)
                    .withGpus(1)
                    .withResource("fpga", 1)
                    .withResource("camera", 2)
                    .withName("renamed"))
            .alternatives()
            .getFirst();
    assertThat(need.cores()).isEqualTo(2.5);
    assertThat(need.memoryBytes()).isEqualTo(8L << 30);
    assertThat(need.gpus()).isEqualTo(1);
    assertThat(need.resources()).isEqualTo(Map.of("fpga", 1.0, "camera", 2.0));
  }
}
