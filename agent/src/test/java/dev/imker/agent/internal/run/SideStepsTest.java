package dev.imker.agent.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.agent.internal.lease.HeldLease;
import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.model.ImkerException;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Lease;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is thrown wherever, a run goes on to its end. */
final class SideStepsTest {
  private final CompletableFuture<String> ended = new CompletableFuture<>();
  private final SideSteps steps = new SideSteps(this::guarded, _ -> ended.complete("late"));

  /** As the runner does it. */
  private void guarded(TaskRun run, Runnable note) {
    try {
      note.run();
    } catch (RuntimeException | Error e) {
      ended.complete("given up: " + e.getClass().getSimpleName());
    }
  }

  static Stream<Throwable> unchecked() {
    return Stream.of(
        new ImkerException("payload"),
        new IllegalStateException(),
        new ExceptionInInitializerError("native"),
        new OutOfMemoryError("heap"),
        new StackOverflowError());
  }

  static Stream<Throwable> all() {
    return Stream.concat(
        unchecked(), Stream.of(new IOException("disk"), new InterruptedException()));
  }

  private static void raise(Throwable failure) {
    switch (failure) {
      case Error e -> throw e;
      case RuntimeException e -> throw e;
      default -> throw new AssertionError(failure);
    }
  }

  private String end(Callable<String> step, Consumer<String> then, Consumer<Throwable> failed)
      throws Exception {
    HeldLease held =
        new HeldLease(Assignment.newBuilder().setLease(Lease.newBuilder().setJob(1)).build());
    steps.begin(held.begin(RunWatchTest.template()), "test", step, then, failed);
    return ended.get(60, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @MethodSource("all")
  void a_step_that_throws_ends_its_run(Throwable failure) throws Exception {
    String end =
        end(
            () -> {
              if (failure instanceof Exception e) {
                throw e;
              }
              throw (Error) failure;
            },
            ended::complete,
            seen -> ended.complete("failed: " + seen.getClass().getSimpleName()));
    assertThat(end).isEqualTo("failed: " + failure.getClass().getSimpleName());
  }

  @ParameterizedTest
  @MethodSource("unchecked")
  void what_is_thrown_after_a_step_ends_its_run(Throwable failure) throws Exception {
    String end =
        end(() -> "done", _ -> raise(failure), _ -> ended.complete("the step did not fail"));
    assertThat(end).isEqualTo("given up: " + failure.getClass().getSimpleName());
  }

  @ParameterizedTest
  @MethodSource("unchecked")
  void what_is_thrown_by_the_report_of_a_failure_ends_its_run(Throwable failure) throws Exception {
    String end =
        end(
            () -> {
              throw new IOException("disk");
            },
            ended::complete,
            _ -> raise(failure));
    assertThat(end).isEqualTo("given up: " + failure.getClass().getSimpleName());
  }
}
