package dev.imker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.client.Imker;
import dev.imker.client.executor.ImkerExecutor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What tasks can do through their context, wherever they run. */
abstract class SpawnContract {
  private static final long PATIENCE_SECONDS = 120;

  abstract Imker imker();

  static <T> T get(Future<T> future) throws Exception {
    return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** Far more tasks wait for others than there are slots. */
  @Test
  void tasks_that_wait_for_their_sub_tasks_do_not_keep_them_from_running() throws Exception {
    try (ImkerExecutor executor = imker().executor()) {
      assertThat(get(executor.submit(SubCalls.fibonacciOf(8)))).isEqualTo(21);
    }
  }

  @Test
  void many_sub_tasks_bring_their_results_home() throws Exception {
    try (ImkerExecutor executor = imker().executor()) {
      assertThat(get(executor.submit(SubCalls.sumOfSquaresTo(500)))).isEqualTo(41_791_750L);
    }
  }

  @Test
  void a_sub_task_that_fails_tells_the_one_that_waits_for_it() {
    try (ImkerExecutor executor = imker().executor()) {
      Future<String> future = executor.submit(SubCalls.failing("no wax"));
      assertThatThrownBy(() -> get(future)).rootCause().hasMessageContaining("no wax");
    }
  }

  @Test
  void a_large_result_of_a_sub_task_arrives() throws Exception {
    try (ImkerExecutor executor = imker().executor()) {
      assertThat(get(executor.submit(SubCalls.large(200_000)))).isEqualTo(200_000);
    }
  }

  @Test
  void tasks_share_a_blackboard() throws Exception {
    try (ImkerExecutor executor = imker().executor()) {
      get(executor.submit(SubCalls.posting("queen", "Maja")));
      assertThat(get(executor.submit(SubCalls.reading("queen")))).isEqualTo("Maja");
      assertThat(get(executor.submit(SubCalls.reading("drone")))).isEqualTo("nothing");
    }
  }
}
