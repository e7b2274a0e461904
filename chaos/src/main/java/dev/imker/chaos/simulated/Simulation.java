package dev.imker.chaos.simulated;

import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.ImkerException;
import dev.imker.model.JobId;
import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.TaskImported;
import dev.imker.model.job.JobSpec;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.loop.NotLeadingException;
import dev.imker.server.loop.PoolUnavailableException;
import dev.imker.server.loop.StrategySetting;
import dev.imker.store.JobRecord;
import dev.imker.store.StoreException;
import dev.imker.store.simulated.SimDisk;
import dev.imker.store.simulated.SimStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One pool from its start to its rest, as a plan says. */
final class Simulation {
  /** Makes the store of a server; tests make ones that are wrong. */
  @FunctionalInterface
  interface Stores {
    Stores RIGHT = SimStore::new;

    SimStore open(SimDisk disk, boolean shared, SimStore.Faults faults);
  }

  /** How much has happened, and a number that differs if anything of it does. */
  record Outcome(int events, long fingerprint) {}

  private static final double BEAT_MILLIS = 400;
  private static final double LEADER_AWAY_MILLIS = 1_500;
  private static final double ANSWER_MILLIS = 3_000;

  private static final double LOOK_MILLIS = 250;

  /** Everything is to be over so long after the last fault. */
  private static final double REST_MILLIS = 180_000;

  private static final Set<TaskState> TO_RETRY =
      Set.of(TaskState.FAILED, TaskState.AUTO_BLOCKED, TaskState.CANCELLED);

  private final Plan plan;
  private final World world;
  private final SimDisk disk;
  private final Stores stores;
  private final Promises promises;
  private final Network network = new Network();
  private final @Nullable ServerProcess[] servers;
  private final boolean[] starting;
  private final List<SimAgent> agents = new ArrayList<>();
  private final List<JobId> known = new ArrayList<>();
  private int chosen;
  private long chosenSeenNanos;
  private int calls;
  private int ordersLeft;
  private boolean calm;

  private Simulation(Plan plan, Stores stores, LogWatch log) {
    this.plan = plan;
    this.stores = stores;
    world = new World(plan.seed() ^ 0x5DEECE66DL);
    disk = new SimDisk(plan.seed());
    new SimStore(disk, false, SimStore.Faults.NONE)
        .putSetting(StrategySetting.KEY, plan.strategy());
    log.forget();
    promises = new Promises(disk, log);
    servers = new ServerProcess[plan.servers()];
    starting = new boolean[plan.servers()];
  }

  /**
   * Runs a plan to its end.
   *
   * @return what became of it
   * @throws BrokenPromise if the pool did not keep its promises
   */
  static Outcome run(Plan plan, Stores stores, LogWatch log) {
    return new Simulation(plan, stores, log).run();
  }

  private Outcome run() {
    for (int i = 0; i < servers.length; i++) {
      start(i);
    }
    for (int i = 0; i < plan.agents(); i++) {
      agents.add(new SimAgent(i, world, promises, this));
    }
    beat();
    ordersLeft = plan.orders().size();
    for (int i = 0; i < plan.orders().size(); i++) {
      Plan.Order order = plan.orders().get(i);
      String key = "order-" + i;
      world.in(
          order.atMillis(),
          () -> {
            ordersLeft--;
            order(order, key);
          });
    }
    plan.faults().forEach(fault -> world.in(fault.atMillis(), () -> strike(fault)));
    for (double gone = 0; gone < plan.calmMillis() && !isAtRest(); gone += LOOK_MILLIS) {
      world.pass(LOOK_MILLIS);
    }
    endFaults();
    rest();
    hasCrashed(true);
    return new Outcome(world.events(), world.fingerprint());
  }

  private void rest() {
    for (double gone = 0; gone < REST_MILLIS; gone += LOOK_MILLIS) {
      if (isAtRest()) {
        return;
      }
      world.pass(LOOK_MILLIS);
    }
    throw new BrokenPromise(
        "the pool does not come to rest: %d calls unanswered%n%s%n%s%n%s"
            .formatted(calls, promises.unfinished(), agents, servers()));
  }

  private String servers() {
    StringBuilder text = new StringBuilder();
    for (ServerProcess server : servers) {
      text.append(
          server == null
              ? "none "
              : "[%s alive=%s leads=%s %s] "
                  .formatted(
                      server.number(),
                      server.isAlive(),
                      server.loop().isLeading(),
                      server.loop().health()));
    }
    return text + "chosen " + chosen;
  }

  private boolean isAtRest() {
    return calls == 0
        && ordersLeft == 0
        && agents.stream().allMatch(SimAgent::isIdle)
        && promises.isFinished();
  }

  // ---------------------------------------------------------------- servers

  SimStore open(SimStore.Faults faults) {
    return stores.open(disk, plan.shared(), faults);
  }

  Network network() {
    return network;
  }

  private void start(int number) {
    ServerProcess present = servers[number];
    if (starting[number] || (present != null && present.isAlive())) {
      return;
    }
    starting[number] = true;
    try {
      servers[number] = new ServerProcess(number, world, promises, this, !plan.shared());
    } catch (Crash | StoreException e) {
      world.in(world.between(200, 1_000), () -> start(number));
    } finally {
      starting[number] = false;
    }
  }

  /** What members of a pool do for each other: who leads, and who has to be started again. */
  private void beat() {
    world.in(BEAT_MILLIS, this::beat);
    for (int i = 0; i < servers.length; i++) {
      ServerProcess server = servers[i];
      if (server != null && !server.isAlive() && !starting[i]) {
        int number = i;
        servers[i] = null;
        world.in(world.between(50, calm ? 500 : 4_000), () -> start(number));
      }
    }
    if (plan.shared()) {
      elect();
    }
  }

  private static boolean isUp(@Nullable ServerProcess server) {
    return server != null && server.isAlive() && !server.isStill();
  }

  private void elect() {
    ServerProcess leader = servers[chosen];
    if (isUp(leader)) {
      chosenSeenNanos = world.nanos();
    } else if ((world.nanos() - chosenSeenNanos) / 1e6 > LEADER_AWAY_MILLIS) {
      chooseOther();
    }
    for (int i = 0; i < servers.length; i++) {
      ServerProcess server = servers[i];
      if (server == null || !isUp(server)) {
        continue;
      }
      if (i == chosen && !server.loop().isLeading()) {
        server.loop().lead();
      } else if (i != chosen && server.loop().isLeading() && world.oneIn(4)) {
        server.loop().follow(); // whoever was replaced hears of it sooner or later
      }
      server.wake(0.5);
    }
  }

  private void chooseOther() {
    int next = (chosen + 1 + world.random.nextInt(servers.length)) % servers.length;
    if (isUp(servers[next])) {
      chosen = next;
      chosenSeenNanos = world.nanos();
    }
  }

  /** Somebody that may lead: mostly it does. */
  @Nullable ServerProcess anyServer() {
    ServerProcess leader = servers[chosen];
    if (leader != null && leader.isAlive() && !world.oneIn(4)) {
      return leader;
    }
    ServerProcess other = servers[world.random.nextInt(servers.length)];
    return other != null && other.isAlive() ? other : null;
  }

  // ---------------------------------------------------------------- faults

  private void strike(Plan.Fault fault) {
    ServerProcess server = servers[fault.whom() % servers.length];
    SimAgent agent = agents.get(fault.whom() % agents.size());
    switch (fault.kind()) {
      case SERVER_CRASH -> {
        if (server != null && server.isAlive()) {
          server.crash();
          hasCrashed(false);
        }
      }
      case POWER_LOSS -> {
        for (ServerProcess each : servers) {
          if (each != null && each.isAlive()) {
            each.crash();
          }
        }
        hasCrashed(true);
      }
      case SERVER_STANDS_STILL -> {
        if (server != null) {
          server.standStill(fault.forMillis());
        }
      }
      case AGENT_CRASH -> agent.crash(fault.forMillis());
      case AGENT_STANDS_STILL -> agent.standStill(fault.forMillis());
      case CONNECTION_BREAKS -> agent.breakConnection(fault.how() % 10);
      case PARTITION -> {
        long until = world.nanos() + (long) (fault.forMillis() * 1_000_000);
        int to = fault.how() % (servers.length + 1);
        for (int i = 0; i < servers.length; i++) {
          if (to == servers.length || to == i) {
            network.part(agent.number, i, until);
          }
        }
      }
      case CLOCK_JUMPS -> {
        if (server != null) {
          server.jump((fault.how() % 2 == 0 ? 1 : -1) * 60 * fault.forMillis());
        }
      }
      case DEPOSED -> chooseOther();
      case STORE_FAILS, STORE_UNSURE, STORE_CRASH, STORE_SLOW -> {
        if (server != null) {
          server.arm(fault);
        }
      }
    }
  }

  /**
   * @param powerLost whether what was not synced may be gone
   */
  void hasCrashed(boolean powerLost) {
    disk.dropUnwritten();
    if (powerLost) {
      disk.dropUnsynced();
    }
    promises.reload();
  }

  private void endFaults() {
    calm = true;
    agents.forEach(SimAgent::calm);
    for (ServerProcess server : servers) {
      if (server != null) {
        server.disarm();
      }
    }
  }

  // ---------------------------------------------------------------- clients

  private void order(Plan.Order order, String key) {
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
              releases++;
              promises.goesOn(job);
              return server.bulk().act(JobCommands.Action.RELEASE, job, TO_RETRY);
            },
            _ -> {},
            true);
      }
      case HOLD ->
          call(
              server -> {
                // Whenever it comes: a client that waited for long may have asked twice.
                world.in(world.between(10, 3_000), () -> release(job));
                return server.jobs().act(JobCommands.Action.BLOCK, job, 0, Integer.MAX_VALUE);
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
          asked[0] = releases;
          return server.jobs().act(JobCommands.Action.CANCEL, job, 0, Integer.MAX_VALUE);
        },
        _ -> {
          if (asked[0] == releases) {
            promises.cancelled(job);
          }
        },
        true);
  }

  /** Orders so far that let jobs go on; what was cancelled before one of them is not looked at. */
  private int releases;

  private void release(JobId job) {
    call(
        server -> {
          releases++;
          promises.goesOn(job);
          return server.jobs().act(JobCommands.Action.RELEASE, job, 0, Integer.MAX_VALUE);
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

  /** Asks servers until one answers. */
  private <T> void call(
      Function<ServerProcess, CompletableFuture<T>> question,
      Consumer<T> answered,
      boolean mayBeRefused) {
    calls++;
    new Call<>(question, answered, mayBeRefused).ask();
  }

  private final class Call<T> {
    private final Function<ServerProcess, CompletableFuture<T>> question;
    private final Consumer<T> answered;
    private final boolean mayBeRefused;
    private int tries;

    Call(
        Function<ServerProcess, CompletableFuture<T>> question,
        Consumer<T> answered,
        boolean mayBeRefused) {
      this.question = question;
      this.answered = answered;
      this.mayBeRefused = mayBeRefused;
    }

    void ask() {
      int now = ++tries;
      ServerProcess server = anyServer();
      if (server != null) {
        world.in(world.between(0.2, 20), () -> arrive(server, now));
      }
      world.in(ANSWER_MILLIS, () -> again(now));
    }

    private void again(int number) {
      if (number == tries) {
        ask();
      }
    }

    private void arrive(ServerProcess server, int number) {
      if (!server.isAlive()) {
        return;
      }
      if (server.isStill()) {
        world.in(server.stillForMillis(), () -> arrive(server, number));
        return;
      }
      server.guard(
          () -> {
            CompletableFuture<T> future;
            try {
              future =
                  server.loop().isLeading()
                      ? question.apply(server)
                      : CompletableFuture.failedFuture(new NotLeadingException());
            } catch (StoreException e) {
              future = CompletableFuture.failedFuture(e);
            }
            var _ =
                future.whenComplete(
                    (answer, failure) -> {
                      if (server.isAlive() && !(!calm && world.oneIn(15))) {
                        world.in(world.between(0.2, 20), () -> answer(number, answer, failure));
                      }
                    });
          });
    }

    private void answer(int number, @Nullable T answer, @Nullable Throwable failure) {
      if (number != tries) {
        return;
      }
      Throwable cause =
          failure != null && failure.getCause() != null && failure instanceof CompletionException
              ? failure.getCause()
              : failure;
      if (answer != null) {
        done();
        answered.accept(answer);
      } else if (cause instanceof NotLeadingException
          || cause instanceof PoolUnavailableException
          || cause instanceof StoreException) {
        tries++;
        int next = tries;
        world.in(world.between(50, 800), () -> again(next));
      } else if (mayBeRefused && cause instanceof ImkerException) {
        done();
      } else {
        throw new BrokenPromise("a client was told: " + cause, cause);
      }
    }

    private void done() {
      tries = Integer.MAX_VALUE / 2;
      calls--;
    }
  }
}
