package dev.imker.chaos.simulated;

import dev.imker.core.message.AgentHello;
import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.job.JobSpec;
import dev.imker.wire.proto.Spawn;
import dev.imker.wire.proto.SpawnAnswer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A model of an agent: it takes leases, runs as many as it has slots, reports until it is
 * confirmed, gives signs of life and looks for another server when its own falls silent.
 */
final class SimAgent {
  private static final double TICK_MILLIS = 700;
  private static final double SILENCE_MILLIS = 4_000;
  private static final double AGAIN_MILLIS = 5_000;
  private static final Platform PLATFORM =
      new Platform("linux", "", "x86_64", "host", 2, 0, 1, 1, 1, Map.of(), Set.of());

  /** What it does for a lease. */
  private static final class Run {
    final Lease lease;
    final int attempt;
    final String how;
    final boolean undo;
    boolean running;
    @Nullable AttemptReport report;
    double reportedMillis;
    boolean spawns;

    Run(Lease lease, int attempt, String how, boolean undo) {
      this.lease = lease;
      this.attempt = attempt;
      this.how = how;
      this.undo = undo;
    }
  }

  final int number;
  final AgentId id;
  private final int slots;
  private final World world;
  private final Promises promises;
  private final Simulation simulation;
  private final Map<Lease, Run> held = new LinkedHashMap<>();
  private long incarnation = 1;
  private @Nullable Line line;
  private boolean welcome;
  private boolean down;
  private long stillUntilNanos;
  private double heardMillis;

  SimAgent(int number, World world, Promises promises, Simulation simulation) {
    this.number = number;
    this.world = world;
    this.promises = promises;
    this.simulation = simulation;
    id = new AgentId("a" + number);
    slots = 1 + world.random.nextInt(3);
    world.in(world.between(0, 100), this::tick);
  }

  private double millis() {
    return world.nanos() / 1e6;
  }

  boolean isIdle() {
    return held.isEmpty();
  }

  @Override
  public String toString() {
    return id + " holds " + held.keySet();
  }

  // ---------------------------------------------------------------- life

  private void tick() {
    world.in(TICK_MILLIS, this::tick);
    if (down || isStill()) {
      return;
    }
    Line current = line;
    if (current == null) {
      connect();
    } else if (millis() - heardMillis > SILENCE_MILLIS) {
      current.closeAtAgent();
      lost(current);
    } else if (welcome) {
      List<Lease> named = List.copyOf(held.keySet());
      current.toServer(() -> current.server.signOfLife(current, named));
      held.values().stream()
          .filter(run -> run.report != null && millis() - run.reportedMillis > AGAIN_MILLIS)
          .toList()
          .forEach(this::send);
    }
  }

  private void connect() {
    ServerProcess server = simulation.anyServer();
    if (server == null) {
      return;
    }
    Line fresh = new Line(world, simulation.network(), this, server);
    line = fresh;
    welcome = false;
    heardMillis = millis();
    AgentHello hello =
        new AgentHello(
            id,
            new NodeId("n" + number),
            id.value(),
            "simulated",
            PLATFORM,
            slots,
            incarnation,
            List.copyOf(held.keySet()));
    fresh.toServer(() -> server.hello(fresh, hello));
  }

  void heard(Line by) {
    if (by == line) {
      heardMillis = millis();
    }
  }

  void welcomed(Line by) {
    if (by == line) {
      welcome = true;
      held.values().stream().filter(run -> run.report != null).toList().forEach(this::send);
    }
  }

  /** The connection is gone. */
  void lost(Line which) {
    which.openAtAgent = false;
    if (which == line) {
      line = null;
      welcome = false;
    }
  }

  void crash(double forMillis) {
    Line current = line;
    if (current != null) {
      current.cut(0);
      current.closeAtAgent();
      lost(current);
    }
    incarnation++;
    // Of what is finished, reports are on disk that could not be sent; all else is gone.
    held.values().removeIf(run -> run.report == null || world.oneIn(2));
    down = true;
    world.in(forMillis, () -> down = false);
  }

  void standStill(double millis) {
    stillUntilNanos = Math.max(stillUntilNanos, world.nanos() + (long) (millis * 1_000_000));
  }

  boolean isStill() {
    return world.nanos() < stillUntilNanos;
  }

  double stillForMillis() {
    return (stillUntilNanos - world.nanos()) / 1e6 + 0.01;
  }

  void calm() {
    stillUntilNanos = 0;
    down = false;
  }

  void breakConnection(double afterMillis) {
    Line current = line;
    if (current != null) {
      current.cut(afterMillis);
    }
  }

  // ---------------------------------------------------------------- leases

  void assigned(Lease lease, int attempt, JobSpec spec, boolean undo) {
    if (down || held.containsKey(lease)) {
      return;
    }
    List<String> command = spec.stageOf(lease.task().index()).command();
    String how = command.isEmpty() ? "" : command.getFirst();
    held.put(lease, new Run(lease, attempt, how, undo));
    startNext();
  }

  private void startNext() {
    long running = held.values().stream().filter(run -> run.running).count();
    for (Run run : List.copyOf(held.values())) {
      if (running < slots && !run.running && run.report == null) {
        running++;
        start(run);
      }
    }
  }

  private void start(Run run) {
    run.running = true;
    promises.began(run.lease, run.undo);
    double length = world.between(5, world.oneIn(4) ? 6_000 : 800);
    if (run.how.equals(JobShapes.SPAWNS) && !run.undo) {
      run.spawns = true;
      world.in(length / 2, () -> spawn(run));
    }
    if (run.how.equals(JobShapes.SAVES)) {
      world.in(length / 2, () -> save(run));
    }
    long life = incarnation;
    world.in(length, () -> end(run, life));
  }

  private void end(Run run, long life) {
    if (down || life != incarnation || held.get(run.lease) != run || run.report != null) {
      return;
    }
    if (isStill()) {
      world.in(stillForMillis(), () -> end(run, life));
      return;
    }
    boolean success =
        run.undo
            || switch (run.how) {
              case JobShapes.ALWAYS_FAILS -> false;
              case JobShapes.FAILS_AT_FIRST -> run.attempt > 1 + run.lease.task().index() % 3;
              default -> !world.oneIn(60);
            };
    finish(run, success ? AttemptOutcome.SUCCEEDED : AttemptOutcome.FAILED);
  }

  private void finish(Run run, AttemptOutcome outcome) {
    run.running = false;
    byte[] out = ("result of " + run.lease.task()).getBytes(StandardCharsets.UTF_8);
    run.report =
        new AttemptReport(
            outcome,
            outcome == AttemptOutcome.SUCCEEDED ? 0 : 1,
            world.millis() - 1,
            world.millis(),
            1,
            1,
            new CapturedOutput(out.length, out, null),
            CapturedOutput.NONE,
            List.of(),
            "");
    promises.ended(run.lease, outcome);
    send(run);
    startNext();
  }

  private void send(Run run) {
    Line current = line;
    AttemptReport report = run.report;
    run.reportedMillis = millis();
    if (current != null && welcome && report != null) {
      current.toServer(() -> current.server.finished(current, run.lease, report));
    }
  }

  /** Asks for a job of its own until it is answered, as long as it runs. */
  private void spawn(Run run) {
    Line current = line;
    if (!run.spawns || held.get(run.lease) != run || run.report != null) {
      return;
    }
    if (current != null && welcome) {
      Spawn wanted =
          Spawn.newBuilder()
              .setLease(
                  dev.imker.wire.proto.Lease.newBuilder()
                      .setJob(run.lease.task().job().value())
                      .setIndex(run.lease.task().index())
                      .setToken(run.lease.token().value())
                      .setIncarnation(run.lease.token().incarnation()))
              .setKey(key(run.lease))
              .setPayload("{}")
              .setCount(2)
              .build();
      current.toServer(() -> current.server.spawn(current, wanted));
    }
    world.in(AGAIN_MILLIS / 4, () -> spawn(run));
  }

  private static String key(Lease lease) {
    return "of-" + lease.text();
  }

  /** What it asked for is there, or refused; later on, what has become of it. */
  void spawned(SpawnAnswer answer) {
    held.values().stream()
        .filter(run -> key(run.lease).equals(answer.getKey()))
        .forEach(run -> run.spawns = false);
  }

  private void save(Run run) {
    Line current = line;
    if (current != null && welcome && held.get(run.lease) == run && run.report == null) {
      current.toServer(() -> current.server.saved(current, run.lease));
    }
  }

  void stop(Lease lease) {
    Run run = held.get(lease);
    if (run != null && run.report == null) {
      finish(run, AttemptOutcome.STOPPED);
    }
  }

  /** The server does not know of this lease any more. */
  void forget(Lease lease) {
    if (held.remove(lease) != null) {
      startNext();
    }
  }

  void confirmed(Lease lease, boolean accepted) {
    Run run = held.remove(lease);
    if (run != null && run.report != null && accepted) {
      promises.confirmed(lease, run.report.outcome(), run.undo);
    }
    startNext();
  }

  List<Lease> leases() {
    return new ArrayList<>(held.keySet());
  }
}
