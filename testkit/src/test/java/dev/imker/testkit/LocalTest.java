package dev.imker.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.client.Imker;
import dev.imker.client.executor.Applied;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.executor.ImkerExecutor;
import dev.imker.tasks.TaskContext;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The same calls without a pool. */
class LocalTest {
  // Calls are copied, but find the fields of their program.
  private static CountDownLatch begun = new CountDownLatch(1);
  private static CountDownLatch interrupted = new CountDownLatch(1);

  private static final long PATIENCE_SECONDS = 60;

  @Test
  void calls_run_on_threads_of_the_program() throws Exception {
    try (Imker imker = Imker.local(2);
        ImkerExecutor executor = imker.executor()) {
      assertThat(executor.submit(Calls.processId()).get(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .isEqualTo(ProcessHandle.current().pid());
      assertThat(executor.map(List.of(1, 2, 3), (Integer n) -> 2 * n)).containsExactly(2, 4, 6);
    }
  }

  @Test
  void a_call_that_throws_is_tried_again_if_wanted() throws Exception {
    try (Imker imker = Imker.local(1);
        ImkerExecutor executor = imker.executor(ExecutorOptions.USUAL.withRetries(1))) {
      assertThat(executor.submit(Calls.secondTime()).get(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .isEqualTo(2);
    }
  }

  @Test
  void an_error_is_tried_again_too_and_a_call_has_its_limit() throws Exception {
    ExecutorOptions options =
        ExecutorOptions.USUAL.withRetries(1).withMaxRuntime(Duration.ofMillis(100));
    try (Imker imker = Imker.local(1);
        ImkerExecutor executor = imker.executor(options)) {
      CompletableFuture<Integer> second =
          executor.submit(
              () -> {
                int attempt = TaskContext.current().attempt();
                if (attempt == 1) {
                  throw new AssertionError("the first time");
                }
                return attempt;
              });
      assertThat(second.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(2);
      CompletableFuture<?> endless = executor.submit(Calls.waiting());
      assertThatThrownBy(() -> endless.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .hasCauseInstanceOf(TimeoutException.class)
          .hasMessageContaining("limit of 0.1 s");
      assertThat(executor.submit(() -> 1).get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(1);
    }
  }

  @Test
  void what_could_not_travel_is_refused_here_too() throws Exception {
    List<Integer> mine = new ArrayList<>();
    Object lock = new Object();
    try (Imker imker = Imker.local(1);
        ImkerExecutor executor = imker.executor()) {
      assertThatThrownBy(() -> executor.submit(() -> lock.hashCode()))
          .isInstanceOf(RejectedExecutionException.class)
          .hasMessageContaining("captured[0]");
      assertThatThrownBy(() -> executor.submit(() -> new Object()).get())
          .hasMessageContaining("The result");
      boolean added = executor.submit(() -> mine.add(1)).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      assertThat(added).isTrue();
      assertThat(mine).isEmpty(); // it has added to a copy
    }
  }

  @Test
  void a_cancelled_call_is_interrupted() throws Exception {
    begun = new CountDownLatch(1);
    interrupted = new CountDownLatch(1);
    try (Imker imker = Imker.local(1);
        ImkerExecutor executor = imker.executor()) {
      CompletableFuture<?> call =
          executor.submit(
              () -> {
                begun.countDown();
                try {
                  new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                  interrupted.countDown();
                }
              });
      begun.await();
      assertThat(call.cancel(true)).isTrue();
      assertThat(interrupted.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
      assertThat(executor.submit(Calls.product(2, 3)).get(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .isEqualTo(6);
    }
  }

  @Test
  void what_waits_when_the_executor_is_shut_down_at_once_is_cancelled() throws Exception {
    begun = new CountDownLatch(1);
    try (Imker imker = Imker.local(1);
        ImkerExecutor executor = imker.executor()) {
      var _ =
          executor.submit(
              () -> {
                begun.countDown();
                new CountDownLatch(1).await();
                return 0;
              });
      begun.await();
      CompletableFuture<Integer> waiting = executor.submit(Calls.product(2, 3));
      assertThat(executor.shutdownNow()).hasSize(1);
      assertThatThrownBy(() -> waiting.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .isInstanceOf(CancellationException.class);
    }
  }

  @Test
  void results_do_not_wait_for_more_elements_of_a_slow_source() {
    try (Imker imker = Imker.local(1);
        ImkerExecutor executor = imker.executor()) {
      SlowSource source = new SlowSource(executor);
      Iterator<Integer> results = executor.map(source.elements(), (Integer n) -> 2 * n).iterator();
      assertThat(results.next()).isEqualTo(2);
      assertThat(source.taken.get()).isLessThanOrEqualTo(SlowSource.QUICK + 1);
    }
  }

  @Test
  void results_are_published_before_more_elements_of_a_slow_source_are_taken() throws Exception {
    try (Imker imker = Imker.local(1);
        ImkerExecutor executor = imker.executor()) {
      SlowSource source = new SlowSource(executor);
      CompletableFuture<Integer> takenAtFirst = new CompletableFuture<>();
      executor
          .publish(() -> source, (Integer n) -> 2 * n)
          .subscribe(
              new Flow.Subscriber<Applied<Integer, Integer>>() {
                private Flow.@Nullable Subscription subscription;

                @Override
                public void onSubscribe(Flow.Subscription given) {
                  subscription = given;
                  given.request(Long.MAX_VALUE);
                }

                @Override
                public void onNext(Applied<Integer, Integer> element) {
                  takenAtFirst.complete(source.taken.get());
                  Objects.requireNonNull(subscription).cancel();
                }

                @Override
                public void onError(Throwable cause) {
                  takenAtFirst.completeExceptionally(cause);
                }

                @Override
                public void onComplete() {}
              });
      assertThat(takenAtFirst.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .isLessThanOrEqualTo(SlowSource.QUICK + 1);
    }
  }

  /** Numbers without an end; after the first few it waits until all calls so far are made. */
  private static final class SlowSource implements Iterator<Integer> {
    static final int QUICK = 2;

    private final ImkerExecutor executor;
    private final AtomicInteger taken = new AtomicInteger();

    SlowSource(ImkerExecutor executor) {
      this.executor = executor;
    }

    Stream<Integer> elements() {
      Iterable<Integer> all = () -> this;
      return StreamSupport.stream(all.spliterator(), false);
    }

    @Override
    public boolean hasNext() {
      return true;
    }

    @Override
    public Integer next() {
      if (taken.get() >= QUICK) {
        executor.submit(Calls.product(1, 1)).join(); // one thread makes calls in their order
      }
      return taken.incrementAndGet();
    }
  }
}
