package dev.imker.server.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.core.message.AgentHello;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.model.AgentId;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import dev.imker.model.account.Quota;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.server.commands.JobCommands;
import dev.imker.server.gateway.SpawnRequests;
import dev.imker.server.loop.pulse.LoopMeter;
import dev.imker.store.StoreException;
import dev.imker.store.simulated.SimDisk;
import dev.imker.store.simulated.SimStore;
import dev.imker.testbase.ExpectedLogs;
import dev.imker.wire.proto.Spawn;
import dev.imker.wire.proto.SpawnAnswer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A database that cannot be read for a moment costs a spawned job some time and nothing else. */
@ExpectedLogs({"A spawned job waits for the database", "away for a moment"})
class SpawnReadingTest {
  private static final AgentId AGENT = new AgentId("a");
  private static final PoolListener NOBODY =
      new PoolListener() {
        @Override
        public void jobsChanged(Collection<JobId> jobs, Collection<JobId> settled) {}

        @Override
        public void nodesChanged() {}
      };

  private boolean readable = true;
  private boolean writable = true;
  private final SimStore store = new SimStore(new SimDisk(1), true, this::fault);
  private final RecordingLines agents = new RecordingLines();
  private final SchedulerLoop loop =
      new SchedulerLoop(
          store,
          SchedulerSettings.defaults(),
          agents,
          NOBODY,
          new LoopMeter(new SimpleMeterRegistry()),
          Clock.systemUTC(),
          true,
          LoopShell.ofMachine());
  private final Queue<Runnable> later = new ArrayDeque<>();
  private final List<SpawnAnswer> answers = new ArrayList<>();
  private final SpawnRequests spawns =
      new SpawnRequests(
          store.reads(),
          _ -> Quota.NONE,
          Runnable::run,
          later::add,
          (_, message) -> answers.add((SpawnAnswer) message));

  private void fault(SimStore.Point point) {
    if ((!readable && point == SimStore.Point.READ)
        || (!writable && point == SimStore.Point.WRITE)) {
      throw new StoreException("away for a moment");
    }
  }

  private void steps() {
    for (int i = 0; i < 5; i++) {
      loop.step();
    }
  }

  private void tryAgain() {
    List<Runnable> all = new ArrayList<>(later);
    later.clear();
    all.forEach(Runnable::run);
    steps();
  }

  private Spawn request() {
    spawns.connectTo(loop);
    Platform platform =
        new Platform("linux", "", "x86_64", "host", 1, 0, 1, 1, 1, Map.of(), Set.of());
    loop.tell(
        (pool, nowMillis, out) ->
            pool.scheduler()
                .onHello(
                    nowMillis,
                    new AgentHello(AGENT, new NodeId("n"), "a", "test", platform, 1, 1, List.of()),
                    out));
    Stage stage = Stage.of(List.of("x"), List.of());
    var _ =
        new JobCommands(loop)
            .submit("user", JobSpec.of("job", "project", JobKind.JAVA, List.of(stage)), "");
    steps();
    Lease parent = agents.assigned.getFirst();
    return Spawn.newBuilder()
        .setLease(
            dev.imker.wire.proto.Lease.newBuilder()
                .setJob(parent.task().job().value())
                .setIndex(parent.task().index())
                .setToken(parent.token().value())
                .setIncarnation(parent.token().incarnation()))
        .setKey("key")
        .setPayload("{}")
        .setCount(2)
        .build();
  }

  @Test
  void what_cannot_be_looked_up_is_looked_up_again() {
    Spawn wanted = request();
    readable = false;
    spawns.onSpawn(AGENT, wanted);
    steps();
    tryAgain();
    assertThat(answers).isEmpty();
    readable = true;
    tryAgain();
    assertThat(answers).singleElement().satisfies(it -> assertThat(it.getRefused()).isEmpty());
  }

  @Test
  void what_a_job_has_come_to_is_told_when_it_can_be_read() {
    Spawn wanted = request();
    spawns.onSpawn(AGENT, wanted);
    steps();
    answers.clear();
    readable = false;
    spawns.onSpawn(AGENT, wanted);
    steps();
    assertThat(answers).isEmpty();
    readable = true;
    tryAgain();
    assertThat(answers).singleElement().satisfies(it -> assertThat(it.getRefused()).isEmpty());
  }

  @Test
  void a_disk_that_fails_once_refuses_no_spawned_job() {
    Spawn wanted = request();
    spawns.onSpawn(AGENT, wanted);
    loop.step();
    writable = false;
    loop.step();
    assertThat(answers).isEmpty();
    assertThat(later).hasSize(1);
    writable = true;
    steps();
    tryAgain();
    assertThat(answers).singleElement().satisfies(it -> assertThat(it.getRefused()).isEmpty());
  }
}
