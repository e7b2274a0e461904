package dev.imker.client.internal.plan;

import dev.imker.client.executor.JobHandle;
import dev.imker.client.internal.local.LocalContext;
import dev.imker.client.internal.local.LocalExecutor;
import dev.imker.client.internal.pool.LocalJob;
import dev.imker.client.plan.JobFailedException;
import dev.imker.client.plan.Wanted;
import dev.imker.model.ImkerException;
import dev.imker.model.job.OnFailure;
import dev.imker.tasks.CurrentTask;
import dev.imker.tasks.Task;
import dev.imker.tasks.TaskValues;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Planned jobs on threads of this program, with the same strategies as in a pool.
 *
 * @param executor for the sub-tasks of tasks, on the same threads
 */
public record LocalPlanRun(ExecutorService threads, LocalExecutor executor) implements PlanRun {
  private static final int MIN_UNDO_ATTEMPTS = 3;

  @Override
  public CompletableFuture<Wanted> run(PlannedStages stages) {
    Cancelling cancelling = new Cancelling();
    CompletableFuture<Wanted> result = supply(stages, cancelling);
    var _ =
        result.whenComplete(
            (_, _) -> {
              if (result.isCancelled()) {
                cancelling.cancel();
              }
            });
    executor.keep(result);
    return result;
  }

  @Override
  public JobHandle<Wanted> run(PlannedStages stages, String key) {
    CompletableFuture<Wanted> result = run(stages);
    return new LocalJob<>(key, result, List.of(result));
  }

  private CompletableFuture<Wanted> supply(PlannedStages stages, Cancelling cancelling) {
    return CompletableFuture.supplyAsync(
        () -> {
          for (int restart = 0; ; restart++) {
            Course course = new Course(stages, cancelling);
            try {
              return new Wanted(course.run(threads));
            } catch (CompletionException e) {
              Throwable cause = e.getCause() == null ? e : e.getCause();
              if (stages.strategy().way() == OnFailure.Way.RESTART
                  && !cancelling.isCancelled()
                  && restart < stages.strategy().restarts()) {
                continue;
              }
              String undone =
                  stages.strategy().way() == OnFailure.Way.ROLLBACK ? course.undo() : "";
              throw new JobFailedException(cause.getMessage() + undone, cause);
            }
          }
        },
        Executors.newVirtualThreadPerTaskExecutor());
  }

  @Override
  public Path library(String name) {
    throw new ImkerException("Without a pool there are no task libraries; use the jar itself.");
  }

  /** Nobody wants the job any more: what runs is interrupted, nothing begins. */
  private static final class Cancelling {
    private final Set<Thread> running = new HashSet<>();
    private final CompletableFuture<?> over = new CompletableFuture<>();
    private boolean cancelled;

    synchronized boolean isCancelled() {
      return cancelled;
    }

    /** Waits for all, as long as somebody wants it. */
    void join(List<CompletableFuture<?>> futures) {
      var all = CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new));
      var _ = CompletableFuture.anyOf(all, over).join();
    }

    synchronized boolean begin() {
      return !cancelled && running.add(Thread.currentThread());
    }

    synchronized void end() {
      running.remove(Thread.currentThread());
      var _ = Thread.interrupted();
    }

    synchronized void cancel() {
      cancelled = true;
      over.cancel(false);
      running.forEach(Thread::interrupt);
    }
  }

  /** One way through all tasks. */
  private final class Course {
    private final PlannedStages stages;
    private final Map<String, Object> state = new LinkedHashMap<>();
    private final Map<String, Object> made = new LinkedHashMap<>();
    private final List<Integer> done = new ArrayList<>();
    private final Cancelling cancelling;
    private volatile boolean failed;

    Course(PlannedStages stages, Cancelling cancelling) {
      this.stages = stages;
      this.cancelling = cancelling;
      state.putAll(stages.given());
    }

    Map<String, Object> run(Executor on) {
      List<CompletableFuture<?>> futures = new ArrayList<>();
      for (int task = 0; task < stages.size(); task++) {
        int number = task;
        CompletableFuture<?>[] before =
            stages.predecessors(task).stream()
                .map(futures::get)
                .toArray(CompletableFuture<?>[]::new);
        futures.add(CompletableFuture.allOf(before).thenRunAsync(() -> attempts(number), on));
      }
      cancelling.join(futures);
      Map<String, Object> all = new LinkedHashMap<>(stages.given());
      all.putAll(made);
      return all;
    }

    private void attempts(int number) {
      String error = "";
      AtomicReference<@Nullable Object> checkpoint = new AtomicReference<>();
      int most = stages.strategy().reruns() + 1;
      for (int attempt = 1; attempt <= most && !failed && cancelling.begin(); attempt++) {
        try {
          attempt(number, attempt, error, checkpoint);
          return;
        } catch (Exception e) { // whatever a task throws
          error = e.toString();
          if (attempt < most) {
            pause(attempt);
          }
        } finally {
          cancelling.end();
        }
      }
      failed = true;
      throw new JobFailedException(
          "task " + (number + 1) + " (" + stages.className(number) + "): " + error);
    }

    private void pause(int attempt) {
      try {
        Thread.sleep(stages.strategy().backoff().multipliedBy(1L << Math.min(attempt - 1, 20)));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void attempt(
        int number, int attempt, String error, AtomicReference<@Nullable Object> checkpoint)
        throws Exception {
      TaskValues values = values(number);
      Task task = task(number);
      LocalContext context =
          new LocalContext("local.p" + (number + 1), attempt, executor, checkpoint);
      task.begin(values, context);
      CurrentTask.set(context);
      try {
        task.attempt(error);
      } finally {
        CurrentTask.clear();
        context.close();
      }
      synchronized (this) {
        state.putAll(values.made());
        made.putAll(values.made());
        done.add(number);
      }
    }

    private synchronized TaskValues values(int number) {
      return new TaskValues(state, stages.arguments(number));
    }

    private Task task(int number) throws Exception {
      Constructor<?> constructor =
          Class.forName(stages.className(number), true, stages.actions().loader())
              .getDeclaredConstructor();
      constructor.setAccessible(true);
      return (Task) constructor.newInstance();
    }

    /**
     * Undoes what is done, the latest first, until something cannot be undone: what came before it
     * may rest on it. Says what came of it, as a pool does.
     */
    String undo() {
      int most = Math.max(MIN_UNDO_ATTEMPTS, stages.strategy().reruns() + 1);
      for (int number : List.copyOf(done).reversed()) {
        String error = "";
        for (int attempt = 1; attempt <= most; attempt++) {
          try {
            Task task = task(number);
            task.begin(
                values(number),
                new LocalContext(
                    "local.p" + (number + 1), attempt, executor, new AtomicReference<>()));
            task.undo();
            error = "";
            break;
          } catch (Exception e) { // whatever a task throws
            error = e.toString();
          }
        }
        if (!error.isEmpty()) {
          return "; task %d (%s): %s; not everything that was done could be undone"
              .formatted(number + 1, stages.className(number), error);
        }
      }
      return "; everything that was done has been undone";
    }
  }
}
