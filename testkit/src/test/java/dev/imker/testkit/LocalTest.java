package dev.imker.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.client.Imker;
import dev.imker.client.ImkerExecutor;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The same calls without a pool. */
class LocalTest {
  @Test
  void calls_run_on_threads_of_the_program() throws Exception {
    try (Imker imker = Imker.local(2);
        ImkerExecutor executor = imker.executor()) {
      assertThat(executor.submit(Calls.processId()).get(10, TimeUnit.SECONDS))
          .isEqualTo(ProcessHandle.current().pid());
      assertThat(executor.map(List.of(1, 2, 3), (Integer n) -> 2 * n)).containsExactly(2, 4, 6);
    }
  }
}
