package dev.imker.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.client.Imker;
import dev.imker.client.plan.Wanted;
import dev.imker.tasks.Action;
import dev.imker.tasks.Effects;
import dev.imker.tasks.Preconditions;
import dev.imker.tasks.Task;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** Planned jobs on threads of the program. */
class LocalPlannedTest extends PlannedContract {
  private static final Imker IMKER = Imker.local(4);
  private static volatile CountDownLatch begun = new CountDownLatch(1);

  @AfterAll
  static void stop() {
    IMKER.close();
  }

  @Override
  Imker imker() {
    return IMKER;
  }

  /** Waits until somebody ends it. */
  private static void waitForEver() {
    begun.countDown();
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Action
  @Preconditions({Kinds.Egg.class})
  @Effects({Kinds.Bee.class})
  static final class One extends Task {
    @Override
    protected void task() {
      waitForEver();
    }
  }

  @Action
  @Preconditions({Kinds.Egg.class})
  @Effects({Kinds.Seen.class})
  static final class Other extends Task {
    @Override
    protected void task() {
      waitForEver();
    }
  }

  @Test
  void no_job_is_left_waiting_when_the_program_closes() throws Exception {
    begun = new CountDownLatch(1);
    CompletableFuture<Wanted> job;
    try (Imker local = Imker.local(1)) {
      job =
          local
              .planned("both")
              .with(One.class, Other.class)
              .has(new Kinds.Egg("ida"))
              .wants(Kinds.Bee.class)
              .wants(Kinds.Seen.class)
              .submit();
      assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();
    }
    assertThat(job.handle((_, _) -> "over")).succeedsWithin(Duration.ofMinutes(1));
  }
}
