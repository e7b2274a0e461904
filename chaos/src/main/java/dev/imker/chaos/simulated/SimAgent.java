package dev.imker.chaos.simulated;

import com.google.protobuf.ByteString;
import dev.imker.agent.simulated.SteppedAgent;
import dev.imker.core.message.AgentHello;
import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import dev.imker.model.job.TaskTemplate;
import dev.imker.wire.WireLeases;
import dev.imker.wire.proto.Confirmed;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.Outcome;
import dev.imker.wire.proto.Spawn;
import dev.imker.wire.proto.SpawnAnswer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An agent: its own classes for leases and reports, and models of its connection, of what runs its
 * tasks, and of its disk. It gives signs of life and looks for another server when its own falls
 * silent.
 */
final class SimAgent implements SteppedAgent.Surroundings {
  private static final double TICK_MILLIS = 700;
  private static final double SILENCE_MILLIS = 4_000;
  private static final long AGAIN_MILLIS = 5_000;
  private static final Platform PLATFORM =
      new Platform("linux", "", "x86_64", "host", 2, 0, 1, 1, 1, Map.of(), Set.of());

  /** A task that was begun. */
  private static final class Run {
    final Lease lease;
    final int attempt;
    final String how;
    final boolean undo;
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
  private final SteppedAgent.Disk disk = new SteppedAgent.Disk();
  private final Map<Lease, Run> runs = new HashMap<>();
  private SteppedAgent leases;
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
    leases = new SteppedAgent(slots, AGAIN_MILLIS, disk, this);
    world.in(world.between(0, 100), this::tick);
  }

  private double millis() {
    return world.nanos() / 1e6;
  }

  boolean isIdle() {
    return leases.isIdle();
  }

  @Override
  public String toString() {
    return id + " holds " + held();
  }

  private List<Lease> held() {
    return leases.held().stream().map(WireLeases::of).toList();
  }

  // ---------------------------------------------------------------- life

  private void tick() {
    world.in(TICK_MILLIS, this::tick);
    if (down || isStill()) {
      return;
    }
    leases.tick();
    Line current = line;
    if (current == null) {
      connect();
    } else if (millis() - heardMillis > SILENCE_MILLIS) {
      current.closeAtAgent();
      lost(current);
    } else if (welcome) {
      List<Lease> named = held();
      current.toServer(() -> current.server.signOfLife(current, named));
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
            held());
    fresh.toServer(() -> server.hello(fresh, hello));
  }

  void heard(Line by) {
    if (by == line) {
      heardMillis = millis();
    }
  }

  void welcomed(Line by) {
    if (by == line && !down) {
      welcome = true;
      leases.welcomed();
    }
  }

  /** The connection is gone. */
  void lost(Line which) {
    if (hangUp(which)) {
      leases.disconnected();
    }
  }

  private boolean hangUp(Line which) {
    which.openAtAgent = false;
    if (which != line) {
      return false;
    }
    line = null;
    welcome = false;
    return true;
  }

  /** Only what is on its disk outlives it. */
  void crash(double forMillis) {
    Line current = line;
    if (current != null) {
      current.cut(0);
      current.closeAtAgent();
      hangUp(current);
    }
    incarnation++;
    leases = new SteppedAgent(slots, AGAIN_MILLIS, disk, this);
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

  @Override
  public long nanoTime() {
    return world.nanos();
  }

  @Override
  public boolean trySend(Object message) {
    Line current = line;
    if (current == null || !welcome) {
      return false;
    }
    current.toServer(() -> current.server.received(current, message));
    return true;
  }

  /** Whatever belongs to a life that is over is not done any more. */
  @Override
  public void later(Runnable note) {
    long life = incarnation;
    world.in(
        0.05,
        () -> {
          if (life == incarnation) {
            note.run();
          }
        });
  }

  /** The server says something of leases. */
  void received(Object message) {
    if (down) {
      return;
    }
    if (message instanceof Confirmed confirmed && confirmed.getAccepted()) {
      Lease lease = WireLeases.of(confirmed.getLease());
      Finished report = leases.report(lease);
      Run run = runs.get(lease);
      if (report != null && run != null) {
        promises.confirmed(lease, Messages.outcome(report), run.undo);
      }
    }
    leases.received(message);
  }

  @Override
  public void begin(Lease lease, int attempt, boolean undo, TaskTemplate template) {
    String how = template.command().isEmpty() ? "" : template.command().getFirst();
    Run run = new Run(lease, attempt, how, undo);
    runs.put(lease, run);
    promises.began(lease, undo);
    double length = world.between(5, world.oneIn(4) ? 6_000 : 800);
    long life = incarnation;
    if (how.equals(JobShapes.SPAWNS) && !undo) {
      run.spawns = true;
      world.in(length / 2, () -> spawn(run, life));
    }
    if (how.equals(JobShapes.SAVES)) {
      world.in(length / 2, () -> save(run, life));
    }
    world.in(length, () -> end(run, life));
  }

  private boolean runs(Run run, long life) {
    return !down && life == incarnation && leases.isRunning(run.lease);
  }

  private void end(Run run, long life) {
    if (!runs(run, life)) {
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
    promises.ended(run.lease, success ? AttemptOutcome.SUCCEEDED : AttemptOutcome.FAILED);
    leases.ended(
        run.lease,
        Finished.newBuilder()
            .setOutcome(success ? Outcome.SUCCEEDED : Outcome.FAILED)
            .setExitCode(success ? 0 : 1)
            .setStartedMillis(world.millis() - 1)
            .setEndedMillis(world.millis())
            .setStdout(ByteString.copyFromUtf8("result of " + run.lease.task())));
  }

  /** Asks for a job of its own until it is answered, as long as it runs. */
  private void spawn(Run run, long life) {
    if (run.spawns && runs(run, life)) {
      trySend(
          Spawn.newBuilder()
              .setLease(WireLeases.of(run.lease))
              .setKey(key(run.lease))
              .setPayload("{}")
              .setCount(2)
              .build());
      world.in(AGAIN_MILLIS / 4.0, () -> spawn(run, life));
    }
  }

  private static String key(Lease lease) {
    return "of-" + lease.text();
  }

  /** What it asked for is there, or refused; later on, what has become of it. */
  void spawned(SpawnAnswer answer) {
    runs.values().stream()
        .filter(run -> run.spawns && key(run.lease).equals(answer.getKey()))
        .forEach(run -> run.spawns = false);
  }

  private void save(Run run, long life) {
    Line current = line;
    if (current != null && welcome && runs(run, life)) {
      current.toServer(() -> current.server.saved(current, run.lease));
    }
  }
}
