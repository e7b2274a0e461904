package dev.imker.server.internal.coord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.imker.coord.tasks.Member;
import dev.imker.coord.tasks.Once;
import dev.imker.coord.tasks.TaskCoordination;
import dev.imker.core.message.AgentHello;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.Change;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.shared.SharedKey;
import dev.imker.model.shared.SharedKind;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.live.LiveJob;
import dev.imker.server.live.shared.RunOverException;
import dev.imker.server.loop.AgentLines;
import dev.imker.server.loop.PoolListener;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.server.loop.pulse.LoopMeter;
import dev.imker.store.PoolStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** In the pool's own store, with real leases. */
abstract class StoredCoordinationContract extends TaskCoordinationContract {
  private static final int RUNS = 210;
  private static final AtomicInteger AGENTS = new AtomicInteger();

  private final List<Lease> runs = new CopyOnWriteArrayList<>();
  private final Map<Lease, AgentId> holders = new ConcurrentHashMap<>();
  private PoolStore store;
  private SharedWakes wakes;
  private SchedulerLoop loop;
  private StoredCoordination all;
  private JobId job;

  abstract PoolStore open();

  private final class Lines implements AgentLines {
    @Override
    public void assign(
        AgentId agent, Lease lease, int attempt, Granted granted, LiveJob of, boolean undo) {
      holders.put(lease, agent);
      runs.add(lease);
    }

    @Override
    public void describe(AgentId agent, LiveJob of, int stage) {}

    @Override
    public void stop(AgentId agent, Lease lease, String reason) {}

    @Override
    public void confirm(AgentId agent, Lease lease, boolean accepted) {}

    @Override
    public void pause(AgentId agent, String why) {}

    @Override
    public void hangUpAll(String reason) {}
  }

  private final class Wakes implements PoolListener {
    @Override
    public void jobsChanged(Collection<JobId> jobs, Collection<JobId> settled) {}

    @Override
    public void nodesChanged() {}

    @Override
    public void committed(List<Change> changes, PoolState pool) {
      wakes.committed(changes, pool.shared());
    }
  }

  @BeforeEach
  void begin() {
    serve();
    Stage stage = Stage.of(List.of(), List.of(SweepAxis.range("n", 1, RUNS, 1, 0)));
    JobSpec spec = JobSpec.of("job", "default", JobKind.NOOP, stage);
    job = new JobCommands(loop).submit("eva", spec, "").join().job();
    int agent = AGENTS.incrementAndGet();
    Platform platform =
        new Platform("linux", "", "x86_64", "host", RUNS, 0, 1, 1, 1, Map.of(), Set.of());
    AgentHello hello =
        new AgentHello(
            new AgentId("a" + agent),
            new NodeId("n" + agent),
            "a",
            "test",
            platform,
            RUNS,
            1,
            List.of());
    loop.change(
            (pool, nowMillis, out) -> {
              pool.scheduler().onHello(nowMillis, hello, out);
              return true;
            })
        .join();
    await().atMost(Duration.ofSeconds(60)).until(() -> runs.size() == RUNS);
  }

  private void serve() {
    store = open();
    wakes = new SharedWakes();
    loop =
        new SchedulerLoop(
            store,
            SchedulerSettings.defaults().withLeaseMillis(Duration.ofHours(1).toMillis()),
            new Lines(),
            new Wakes(),
            new LoopMeter(new SimpleMeterRegistry()),
            Clock.systemUTC());
    loop.start();
    all = new StoredCoordination(loop, wakes);
  }

  @AfterEach
  void stop() {
    loop.ask(
            pool -> {
              pool.shared().checkInvariants();
              pool.scheduler().checkInvariants();
              return true;
            })
        .join();
    loop.close();
    store.close();
  }

  private void restart() {
    loop.close();
    store.close();
    serve();
  }

  @Override
  TaskCoordination all() {
    return all;
  }

  @Override
  String scope() {
    return job.toString();
  }

  @Override
  Member member(int number) {
    Lease lease = runs.get(number);
    return new Member(lease.task().toString(), lease.text());
  }

  @Override
  void end(Member member) {
    Lease lease = Lease.parse(member.lease());
    AgentId holder = Objects.requireNonNull(holders.get(lease));
    loop.change(
            (pool, nowMillis, out) -> {
              AttemptReport report =
                  AttemptReport.withoutRun(AttemptOutcome.SUCCEEDED, nowMillis, "");
              pool.scheduler().onFinished(nowMillis, holder, lease, report, out);
              return true;
            })
        .join();
  }

  @Override
  String place(SharedKind kind, String name) {
    return SharedWakes.path(new SharedKey(scope(), kind, name));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void everything_is_there_after_a_restart() throws Exception {
    Member one = member(1);
    Member two = member(2);
    all.add(scope(), "c", one, 5, new Once("a", 1));
    all.configure(scope(), "v", one, bytes("\0x"), OptionalLong.empty(), Once.NONE);
    all.put(scope(), "q", one, bytes("first"), Once.NONE);
    all.put(scope(), "q", one, bytes("second"), Once.NONE);
    assertThat(all.take(scope(), "q", two, 0, new Once("b", 1))).isPresent();
    TaskCoordination.Held held = all.acquire(scope(), "l", one, 0);
    assertThat(all.acquire(scope(), "l", two, 0).held()).isFalse();
    long members = all.join(scope(), "g", one).version();
    assertThat(all.enter(scope(), "b", one, 2, 0).entered()).isFalse();
    all.stand(scope(), "e", two);
    restart();
    assertThat(all.add(scope(), "c", one, 5, new Once("a", 1)).value()).as("again").isEqualTo(5);
    assertThat(all.config(scope(), "v").data()).containsExactly(bytes("\0x"));
    assertThat(all.take(scope(), "q", two, 0, new Once("b", 1)).orElseThrow())
        .as("again")
        .containsExactly(bytes("first"));
    assertThat(all.take(scope(), "q", two, 0, Once.NONE).orElseThrow())
        .containsExactly(bytes("second"));
    assertThat(all.acquire(scope(), "l", two, 0).held()).isFalse();
    assertThat(all.acquire(scope(), "l", one, 0)).isEqualTo(held);
    all.release(scope(), "l", one);
    assertThat(all.acquire(scope(), "l", two, 0).fencing()).isGreaterThan(held.fencing());
    all.release(scope(), "l", two);
    assertThat(all.acquire(scope(), "l", one, 0).fencing()).isGreaterThan(held.fencing() + 1);
    assertThat(all.members(scope(), "g", OptionalLong.empty(), 0).version()).isEqualTo(members);
    assertThat(all.enter(scope(), "b", two, 2, 0).entered()).isTrue();
    assertThat(all.stand(scope(), "e", one).leader()).isEqualTo(two.task());
  }

  @Test
  void fencing_numbers_grow_over_everything_that_is_forgotten() throws Exception {
    long last = 0;
    for (int i = 0; i < 3; i++) {
      long next = all.acquire(scope(), "l", member(1), 0).fencing();
      assertThat(next).isGreaterThan(last);
      last = next;
      all.forget(scope());
      if (i == 1) {
        restart();
      }
    }
  }

  @Test
  void a_run_that_is_over_leaves_nothing_and_may_do_nothing() throws Exception {
    Member self = member(1);
    all.acquire(scope(), "l", self, 0);
    all.join(scope(), "g", self);
    all.add(scope(), "c", self, 1, new Once("a", 1));
    SharedKey lock = new SharedKey(scope(), SharedKind.LOCK, "l");
    end(self);
    assertThat(loop.ask(pool -> pool.shared().line(lock).isEmpty()).join())
        .as("in the turn in which the run ends")
        .isTrue();
    assertThatThrownBy(() -> all.add(scope(), "c", self, 1, Once.NONE))
        .isInstanceOf(RunOverException.class);
    assertThatThrownBy(() -> all.acquire(scope(), "l", self, 0))
        .isInstanceOf(RunOverException.class);
    assertThat(all.counter(scope(), "c").value()).isEqualTo(1);
    all.forget(scope());
    restart();
    assertThat(all.scopes()).isEmpty();
  }

  @Test
  void one_user_leaves_room_for_others() throws Exception {
    byte[] large = new byte[64 << 10];
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 2_000; i++) {
                all.put(scope(), "q", member(1), large, Once.NONE);
              }
            })
        .hasMessageContaining("take something out of queues");
    JobId other =
        new JobCommands(loop)
            .submit(
                "adam",
                JobSpec.of(
                    "other",
                    "default",
                    JobKind.NOOP,
                    Stage.of(List.of(), List.of(SweepAxis.range("n", 1, 1, 1, 0)))),
                "")
            .join()
            .job();
    all.put(other.toString(), "q", member(2), large, Once.NONE);
    assertThat(all.take(scope(), "q", member(1), 0, Once.NONE)).isPresent();
    all.put(scope(), "q", member(1), large, Once.NONE);
    all.forget(scope());
    assertThat(all.scopes()).containsExactly(other.toString());
  }
}
