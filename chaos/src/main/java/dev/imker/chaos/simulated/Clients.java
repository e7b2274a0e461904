package dev.imker.chaos.simulated;

import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.JobId;
import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.TaskImported;
import dev.imker.model.job.JobSpec;
import dev.imker.server.commands.JobCommands;
import dev.imker.store.JobRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** What clients of a simulated pool ask for, and what they hold it to. */
final class Clients {
  private static final Set<TaskState> TO_RETRY =
      Set.of(TaskState.FAILED, TaskState.AUTO_BLOCKED, TaskState.CANCELLED);

  private final World world;
  private final Promises promises;
  private final Simulation simulation;
  private final List<JobId> known = new ArrayList<>();
  private int calls;

  /** Orders so far that let jobs go on; what was cancelled before one of them is not looked at. */
  private int releases;

  /** The servers that have not answered such an order yet, once for each. */
  private final List<ServerProcess> releasing = new ArrayList<>();

  Clients(World world, Promises promises, Simulation simulation) {
    this.world = world;
    this.promises = promises;
    this.simulation = simulation;
  }

  /** How many calls nobody has answered yet. */
  int waiting() {
    return calls;
  }

  /** Clients want something now. */
  void order(Plan.Order order, String key) {
    switch (order.want()) {
      case CANCEL, RETRY, HOLD, PRIORITY, LIMIT, REMOVE -> {
        if (!known.isEmpty()) {
          order(order.want(), known.get(order.target() % known.size()));
        }
      }
      case IMPORT -> bringIn(order.size());
      case RETENTION -> clean();
      default -> submit(JobShapes.of(order.want(), order.size()), key);
    }
  }

  private void submit(JobSpec spec, String key) {
    call(
        server -> submit(server, spec, key),
        made -> {
          promises.acknowledged(key, made);
          if (!known.contains(made)) {
            known.add(made);
          }
        },
        false);
  }

  /** As REST does: the key is looked for on disk first. */
  private static CompletableFuture<JobId> submit(ServerProcess server, JobSpec spec, String key) {
    Optional<JobRecord> earlier = server.store().reads().byRequestKey(key);
    return earlier.isPresent()
        ? CompletableFuture.completedFuture(earlier.get().id())
        : server.jobs().submit("user", spec, key).thenApply(JobCommands.Submitted::job);
  }

  private void order(Plan.Want want, JobId job) {
    switch (want) {
      case CANCEL -> cancel(job);
      case RETRY -> {
        promises.goesOn(job);
        call(
            server -> {
              beginRelease(server, job);
              return server
                  .bulk()
                  .act(JobCommands.Action.RELEASE, job, TO_RETRY)
                  .whenComplete((_, _) -> releasing.remove(server));
            },
            _ -> {},
            true);
      }
      case HOLD ->
          call(
              server -> {
                // Whenever it comes: a client that waited for long may have asked twice. Once more
                // after the answer: of orders that nobody has answered, the later may come first.
                world.in(world.between(10, 3_000), () -> release(job));
                return server
                    .jobs()
                    .act(JobCommands.Action.BLOCK, job, 0, Integer.MAX_VALUE)
                    .whenComplete((_, _) -> world.in(10, () -> release(job)));
              },
              _ -> {},
              true);
      case PRIORITY -> call(server -> server.jobs().prioritise(job, 9), _ -> {}, true);
      case LIMIT ->
          call(
              server -> server.jobs().limit(job, rules -> rules.withLimits(3, 20_000)),
              _ -> {},
              true);
      default -> {
        promises.mayBeGone(job);
        call(server -> server.jobs().remove(job), _ -> {}, true);
      }
    }
  }

  private void cancel(JobId job) {
    int[] asked = {0};
    call(
        server -> {
          // One that a live server still works on may be heeded after the cancel.
          asked[0] = releasing.stream().noneMatch(ServerProcess::isAlive) ? releases : -1;
          return server.jobs().act(JobCommands.Action.CANCEL, job, 0, Integer.MAX_VALUE);
        },
        _ -> {
          if (asked[0] == releases) {
            promises.cancelled(job);
          }
        },
        true);
  }

  private void beginRelease(ServerProcess server, JobId job) {
    releases++;
    releasing.add(server);
    promises.goesOn(job);
  }

  private void release(JobId job) {
    call(
        server -> {
          beginRelease(server, job);
          return server
              .jobs()
              .act(JobCommands.Action.RELEASE, job, 0, Integer.MAX_VALUE)
              .whenComplete((_, _) -> releasing.remove(server));
        },
        _ -> {},
        true);
  }

  private void bringIn(int tasks) {
    int[] counts = new int[TaskState.values().length];
    counts[TaskState.DONE.ordinal()] = 2 * tasks;
    JobSpec spec = JobShapes.of(Plan.Want.SWEEP, tasks);
    call(
        server -> {
          List<JobId> made = new ArrayList<>();
          return server
              .jobs()
              .addSettled("user", spec, world.millis() - 10, world.millis() - 5, 4, counts)
              .thenCompose(
                  id -> {
                    made.add(id);
                    promises.mayBeGone(id); // until it is complete
                    return server.loop().record(imported(id, 2 * tasks));
                  })
              .thenCompose(_ -> server.jobs().imported(made))
              .thenApply(_ -> made.getFirst());
        },
        job -> known.add(job),
        true);
  }

  private List<TaskImported> imported(JobId job, int tasks) {
    List<TaskImported> all = new ArrayList<>();
    for (int i = 0; i < tasks; i++) {
      AttemptReport report =
          AttemptReport.withoutRun(AttemptOutcome.SUCCEEDED, world.millis() - 5, "");
      TaskImported.Attempt attempt =
          new TaskImported.Attempt(
              new LeaseToken(1 + i),
              1,
              new AgentId("elsewhere"),
              new NodeId("elsewhere"),
              world.millis() - 10,
              report);
      all.add(
          new TaskImported(
              new TaskId(job, i), TaskState.DONE, 0, 0, world.millis() - 5, List.of(attempt), 0));
    }
    return all;
  }

  private void clean() {
    call(
        server -> {
          CompletableFuture<?>[] removals =
              server.store().reads().settledBefore(world.millis() - 1_000, null, 10).stream()
                  .map(
                      job -> {
                        promises.mayBeGone(job.id());
                        return server.jobs().remove(job.id());
                      })
                  .toArray(CompletableFuture[]::new);
          return CompletableFuture.allOf(removals).thenApply(_ -> true);
        },
        _ -> {},
        true);
  }

  private <T> void call(
      Function<ServerProcess, CompletableFuture<T>> question,
      Consumer<T> answered,
      boolean mayBeRefused) {
    calls++;
    new Call<>(world, simulation, () -> calls--, question, answered, mayBeRefused).ask();
  }
}
