package dev.imker.server.internal.rest.request;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class KeptAnswersTest {
  private final KeptAnswers answers = new KeptAnswers();
  private final AtomicInteger searches = new AtomicInteger();

  /** Takes long enough to be kept. */
  private int search() {
    long until = System.nanoTime() + 200_000_000L;
    while (System.nanoTime() - until < 0) {
      LockSupport.parkNanos(until - System.nanoTime());
    }
    return searches.incrementAndGet();
  }

  @Test
  void many_who_ask_the_same_at_once_cost_two_searches_at_most() throws Exception {
    CountDownLatch together = new CountDownLatch(20);
    try (ExecutorService people = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Integer>> all =
          IntStream.range(0, 20)
              .mapToObj(
                  _ ->
                      people.submit(
                          () -> {
                            together.countDown();
                            together.await();
                            return answers.answer("same", Integer.class, this::search);
                          }))
              .toList();
      for (Future<Integer> one : all) {
        assertThat(one.get()).isBetween(1, 2);
      }
    }
    assertThat(searches).hasValueLessThanOrEqualTo(2);
  }

  @Test
  void another_question_has_another_answer() throws Exception {
    assertThat(answers.answer("one", Integer.class, this::search)).isEqualTo(1);
    assertThat(answers.answer("other", Integer.class, this::search)).isEqualTo(2);
    assertThat(answers.answer("one", Integer.class, this::search)).isEqualTo(1);
  }

  @Test
  void what_is_found_quickly_is_found_anew() throws Exception {
    for (int i = 1; i < 4; i++) {
      assertThat(answers.answer("quick", Integer.class, searches::incrementAndGet)).isEqualTo(i);
    }
  }
}
