package dev.imker.chaos.simulated;

import dev.imker.core.message.AgentHello;
import dev.imker.core.message.Outbox;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.model.AgentId;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.account.Quota;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.Change;
import dev.imker.model.change.SettingPut;
import dev.imker.server.commands.BulkCommands;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.gateway.SpawnRequests;
import dev.imker.server.live.LiveJob;
import dev.imker.server.loop.AgentLines;
import dev.imker.server.loop.Command;
import dev.imker.server.loop.LoopShell;
import dev.imker.server.loop.PoolListener;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.server.loop.pulse.LoopMeter;
import dev.imker.server.loop.pulse.SteadyClock;
import dev.imker.store.CommitUnsureException;
import dev.imker.store.PoolStore;
import dev.imker.store.StoreException;
import dev.imker.store.simulated.SimStore;
import dev.imker.wire.WireLeases;
import dev.imker.wire.proto.Confirmed;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.NeedJob;
import dev.imker.wire.proto.SignOfLifeReply;
import dev.imker.wire.proto.Spawn;
import dev.imker.wire.proto.SpawnAnswer;
import dev.imker.wire.proto.Stop;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * One life of a server: the real loop with all behind it, driven by steps, between a simulated
 * store and a model of the gateway.
 */
final class ServerProcess implements AgentLines, LoopShell, SimStore.Faults {
  static final long LEASE_MILLIS = 3_000;
  static final int PREFETCH = 2;

  /** So few that orders for jobs of this size take several turns. */
  private static final int TASKS_PER_STEP = 3;

  private static final SchedulerSettings SETTINGS =
      SchedulerSettings.defaults()
          .withLeaseMillis(LEASE_MILLIS)
          .withPrefetch(100, PREFETCH)
          .withTasksPerTurn(TASKS_PER_STEP);
  private static final LoopMeter METER = new LoopMeter(new SimpleMeterRegistry());
  private static final long NEVER = Long.MAX_VALUE;
  private static final double SHORTEST_STEP_MILLIS = 0.2;
  static final String INJECTED = "injected: ";

  private static final PoolListener NOBODY =
      new PoolListener() {
        @Override
        public void jobsChanged(Collection<JobId> touched, Collection<JobId> settled) {}

        @Override
        public void nodesChanged() {}
      };

  private final int number;
  private final World world;
  private final Promises promises;
  private final Simulation simulation;
  private final SimStore store;
  private final SchedulerLoop loop;
  private final JobCommands jobs;
  private final BulkCommands bulk;
  private final SpawnRequests spawns;
  private final Map<AgentId, Line> lines = new HashMap<>();
  private final Map<AgentId, Line> newest = new HashMap<>();
  private final List<Plan.Fault> armed = new ArrayList<>();
  private boolean alive = true;
  private boolean stepping = true;
  private long scheduledNanos = NEVER;
  private long stillUntilNanos;
  private long wallOffsetNanos;

  /**
   * @throws StoreException if it cannot begin
   * @throws Crash if it ended before it began
   */
  ServerProcess(int number, World world, Promises promises, Simulation simulation, boolean leads) {
    this.simulation = simulation;
    this.number = number;
    this.world = world;
    this.promises = promises;
    store = simulation.open(this);
    SteadyClock clock =
        new SteadyClock(
            () -> TimeUnit.NANOSECONDS.toMillis(world.nanos() + wallOffsetNanos), world::nanos);
    loop = new SchedulerLoop(store, SETTINGS, this, NOBODY, METER, clock, leads, this);
    spawns =
        new SpawnRequests(
            store.reads(), user -> Quota.NONE, readers(), after(1_000), this::tellSpawner);
    spawns.connectTo(loop);
    jobs = new JobCommands(loop, TASKS_PER_STEP);
    bulk = new BulkCommands(loop, TASKS_PER_STEP);
    stepping = false;
    wake(0);
  }

  int number() {
    return number;
  }

  boolean isAlive() {
    return alive;
  }

  SchedulerLoop loop() {
    return loop;
  }

  JobCommands jobs() {
    return jobs;
  }

  BulkCommands bulk() {
    return bulk;
  }

  SimStore store() {
    return store;
  }

  // ---------------------------------------------------------------- life

  void wake(double inMillis) {
    long at = world.nanos() + (long) (inMillis * 1_000_000);
    if (at < scheduledNanos) {
      scheduledNanos = at;
      world.in(inMillis, () -> stepAt(at));
    }
  }

  private void stepAt(long at) {
    if (!alive || at != scheduledNanos) {
      return;
    }
    scheduledNanos = NEVER;
    if (isStill()) {
      wake(stillForMillis());
    } else if (stepping) {
      wake(1); // it waits for its store
    } else {
      step();
    }
  }

  private void step() {
    stepping = true;
    long pauseNanos = loop.step();
    stepping = false;
    promises.checkLog();
    if (loop.failed().isDone()) {
      ended(loop.failed().join());
    } else {
      double pause = loop.hasWork() ? 0 : pauseNanos / 1e6;
      wake(Math.max(SHORTEST_STEP_MILLIS, pause));
    }
  }

  private void ended(Throwable cause) {
    alive = false;
    switch (cause) {
      case BrokenPromise broken -> throw broken;
      case Crash _ -> {}
      case StoreException _ -> {}
      default -> throw new BrokenPromise("the loop failed: " + cause, cause);
    }
  }

  /** Whatever the process does outside its loop may end it, too. */
  void guard(Runnable work) {
    try {
      work.run();
    } catch (Crash e) {
      alive = false;
    }
    if (alive) {
      wake(SHORTEST_STEP_MILLIS);
    }
  }

  void crash() {
    alive = false;
    for (Line line : List.copyOf(lines.values())) {
      line.cut(0);
      world.in(world.between(1, world.oneIn(2) ? 50 : 5_000), () -> line.agent.lost(line));
    }
  }

  /** One that follows reads what was written, unless its loop waits for its store just now. */
  void followOn() {
    if (!stepping) {
      guard(() -> loop.followed().ifPresent(ServerProcess::catchUp));
    }
  }

  private static void catchUp(PoolStore.Followed followed) {
    try {
      var _ = followed.catchUp();
    } catch (StoreException e) {
      followed.forget(); // what was read in part is nothing
    }
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

  void jump(double millis) {
    wallOffsetNanos += (long) (millis * 1_000_000);
  }

  void arm(Plan.Fault fault) {
    armed.add(fault);
  }

  void disarm() {
    armed.clear();
    stillUntilNanos = 0;
  }

  // ---------------------------------------------------------------- its store

  @Override
  public void at(SimStore.Point point) {
    if (point == SimStore.Point.WRITE) {
      world.pass(world.between(0.1, 2));
    }
    for (int i = 0; i < armed.size(); i++) {
      if (fits(armed.get(i), point)) {
        strike(armed.remove(i), point);
        break;
      }
    }
    if (isStill() && mayWait(point)) {
      world.pass(stillForMillis());
    }
    if (!alive) {
      throw new Crash();
    }
  }

  /** A transaction is seen, written and synced in one moment; before and after it time may pass. */
  private static boolean mayWait(SimStore.Point point) {
    return switch (point) {
      case READ, WRITE, SYNCED -> true;
      case READ_ON, WRITTEN, SYNC -> false;
    };
  }

  private static boolean fits(Plan.Fault fault, SimStore.Point point) {
    SimStore.Point[] points = SimStore.Point.values();
    return points[fault.how() % points.length] == point;
  }

  private void strike(Plan.Fault fault, SimStore.Point point) {
    switch (fault.kind()) {
      case STORE_SLOW -> {
        if (mayWait(point)) {
          world.pass(Math.min(fault.forMillis(), 8_000));
        }
      }
      case STORE_CRASH -> {
        crash();
        simulation.hasCrashed(fault.how() % 2 == 0);
        throw new Crash();
      }
      default -> {
        if (point == SimStore.Point.SYNC) {
          return; // whether a sync has failed, nobody would ever know
        }
        if (point == SimStore.Point.SYNCED) {
          throw new CommitUnsureException(INJECTED + "no answer", new IllegalStateException());
        }
        throw new StoreException(INJECTED + "failed at " + point);
      }
    }
  }

  // ---------------------------------------------------------------- where the loop runs

  @Override
  public long nanoTime() {
    return world.nanos();
  }

  @Override
  public Executor readers() {
    return after(0);
  }

  private Executor after(double millis) {
    return task ->
        world.in(
            millis + world.between(0.5, 30),
            () -> {
              if (alive) {
                guard(task);
              }
            });
  }

  @Override
  public int inboxCapacity() {
    return 1 << 10;
  }

  @Override
  public Waiting waiting() {
    return this::awaitCommands;
  }

  private void awaitCommands(BooleanSupplier come, long nanos) {
    for (int i = 0; i < 4 && !come.getAsBoolean(); i++) {
      world.pass(nanos / 4e6);
    }
    if (!alive) {
      throw new Crash();
    }
  }

  // ---------------------------------------------------------------- agents: model of the gateway

  void hello(Line line, AgentHello hello) {
    loop.tell(
        new Command() {
          @Override
          public void apply(PoolState pool, long nowMillis, Outbox out) {
            pool.scheduler().onHello(nowMillis, hello, out);
            newest.put(hello.agent(), line);
          }

          @Override
          public void committed() {
            if (newest.get(hello.agent()) != line) {
              line.closeAtServer();
              return;
            }
            Line former = lines.put(hello.agent(), line);
            if (former != null && former != line) {
              former.closeAtServer();
            }
            line.admitted = true;
            line.toAgent(() -> line.agent.welcomed(line));
          }

          @Override
          public void failed(RuntimeException why) {
            leave(line);
            line.closeAtServer();
          }
        });
  }

  private boolean leave(Line line) {
    lines.remove(line.agent.id, line);
    return newest.remove(line.agent.id, line);
  }

  /** The server has found out that a connection is gone. */
  void lost(Line line) {
    line.openAtServer = false;
    if (alive) {
      guard(
          () ->
              loop.tell(
                  new Command() {
                    @Override
                    public void apply(PoolState pool, long nowMillis, Outbox out) {
                      if (leave(line)) {
                        pool.scheduler().onDisconnect(nowMillis, line.agent.id, out);
                      }
                    }

                    @Override
                    public void failed(RuntimeException why) {
                      leave(line);
                    }
                  }));
    }
  }

  void signOfLife(Line line, List<Lease> held) {
    if (line.admitted) {
      loop.tell(
          new Command() {
            private List<Lease> unknown = List.of();

            @Override
            public void apply(PoolState pool, long nowMillis, Outbox out) {
              unknown = pool.scheduler().onSignOfLife(nowMillis, line.agent.id, held, out);
            }

            @Override
            public void committed() {
              SignOfLifeReply.Builder reply = SignOfLifeReply.newBuilder();
              unknown.forEach(lease -> reply.addUnknown(WireLeases.of(lease)));
              tell(line, reply.build());
            }
          });
    }
  }

  /** What the agent's own classes say. */
  void received(Line line, Object message) {
    if (!line.admitted) {
      return;
    }
    switch (message) {
      case Finished finished -> {
        Lease lease = WireLeases.of(finished.getLease());
        AttemptReport report = Messages.report(finished, world.millis());
        loop.tell(
            (pool, nowMillis, out) ->
                pool.scheduler().onFinished(nowMillis, line.agent.id, lease, report, out));
      }
      case NeedJob need ->
          loop.tell(
              (pool, nowMillis, out) -> {
                LiveJob job = pool.job(new JobId(need.getJob()));
                if (job != null) {
                  tell(line, Messages.description(job, need.getStage()));
                }
              });
      case Spawn wanted -> spawns.onSpawn(line.agent.id, wanted);
      default -> throw new IllegalArgumentException(message.getClass().getName());
    }
  }

  private static void tell(Line line, Object message) {
    line.toAgent(() -> line.agent.received(message));
  }

  private void tellSpawner(AgentId agent, Object message) {
    Line line = lines.get(agent);
    if (line != null && message instanceof SpawnAnswer answer) {
      line.toAgent(() -> line.agent.spawned(answer));
    }
  }

  void saved(Line line, Lease lease) {
    if (line.admitted) {
      loop.tell(
          (pool, nowMillis, out) -> {
            if (pool.scheduler().view().isHeld(line.agent.id, lease)) {
              out.change(new SettingPut("checkpoint/" + lease.task(), lease.text()));
            }
          });
    }
  }

  @Override
  public void assign(
      AgentId agent, Lease lease, int attempt, Granted granted, LiveJob job, boolean undo) {
    Line line = lines.get(agent);
    if (line != null) {
      promises.assigned(lease, job.spec());
      int stage = job.stages().numberOf(lease.task().index());
      if (line.described.add(List.of(job.id(), job.edition(), stage))) {
        tell(line, Messages.description(job, stage));
      }
      tell(line, Messages.assignment(lease, attempt, granted, job, stage, undo));
    }
  }

  @Override
  public void describe(AgentId agent, LiveJob job, int stage) {
    say(agent, Messages.description(job, stage));
  }

  @Override
  public void stop(AgentId agent, Lease lease, String reason) {
    say(agent, Stop.newBuilder().setLease(WireLeases.of(lease)).setReason(reason).build());
  }

  @Override
  public void confirm(AgentId agent, Lease lease, boolean accepted) {
    say(agent, Confirmed.newBuilder().setLease(WireLeases.of(lease)).setAccepted(accepted).build());
  }

  @Override
  public void pause(AgentId agent, String why) {}

  private void say(AgentId agent, Object message) {
    Line line = lines.get(agent);
    if (line != null) {
      tell(line, message);
    }
  }

  @Override
  public void hangUpAll(String reason) {
    List<Line> all = List.copyOf(lines.values());
    lines.clear();
    newest.clear();
    all.forEach(Line::closeAtServer);
  }

  // ---------------------------------------------------------------- what it says

  @Override
  public void committed(List<Change> changes, PoolState pool) {
    if (alive) {
      promises.committed(changes, pool);
      spawns.committed(changes, pool);
    }
  }
}
