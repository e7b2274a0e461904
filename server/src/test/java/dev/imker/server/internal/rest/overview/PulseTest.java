package dev.imker.server.internal.rest.overview;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.core.message.AgentHello;
import dev.imker.core.message.SchedulerSettings;
import dev.imker.model.AgentId;
import dev.imker.model.JobId;
import dev.imker.model.NodeId;
import dev.imker.model.Platform;
import dev.imker.server.internal.rest.changes.EndTally;
import dev.imker.server.loop.PoolListener;
import dev.imker.server.loop.RecordingLines;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.server.loop.pulse.LoopMeter;
import dev.imker.server.loop.pulse.SteadyClock;
import dev.imker.store.PoolStore;
import dev.imker.store.sqlite.SqliteStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PulseTest {
  private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
  @TempDir Path folder;

  @Test
  void what_was_in_use_is_told_after_a_restart_for_a_day() {
    try (PoolStore store = SqliteStore.open(folder);
        SchedulerLoop loop = loop(store)) {
      loop.change(
              (pool, nowMillis, out) -> {
                Platform platform =
                    new Platform("", "", "", "host", 4, 0, 0, 0, 0, Map.of(), Set.of());
                AgentHello hello =
                    new AgentHello(
                        new AgentId("a"), new NodeId("n"), "a", "", platform, 1, 1, List.of());
                pool.scheduler().onHello(nowMillis, hello, out);
                return true;
              })
          .join();
      try (Pulse pulse = pulse(loop, store, NOON, Duration.ofMillis(1))) {
        pulse.start();
        await().atMost(Duration.ofSeconds(60)).until(() -> !store.settings("used-span/").isEmpty());
      }
    }
    assertThat(dayAfterRestart(NOON.plus(Duration.ofHours(23))))
        .singleElement()
        .satisfies(
            span -> {
              assertThat(span.atMillis()).isEqualTo(NOON.toEpochMilli());
              assertThat(span.used()).containsEntry("cores", 0.0);
              assertThat(span.figures()).containsEntry("slots", 1.0);
            });
    assertThat(dayAfterRestart(NOON.plus(Duration.ofHours(25)))).isEmpty();
  }

  private List<PulseSpan> dayAfterRestart(Instant now) {
    try (PoolStore store = SqliteStore.open(folder);
        SchedulerLoop loop = loop(store);
        Pulse pulse = pulse(loop, store, now, Duration.ofHours(1))) {
      pulse.start();
      await().atMost(Duration.ofSeconds(60)).until(() -> pulse.count() > 0);
      return pulse.last(24);
    }
  }

  private static Pulse pulse(SchedulerLoop loop, PoolStore store, Instant now, Duration every) {
    return new Pulse(loop, new EndTally(), store, Clock.fixed(now, ZoneOffset.UTC), every);
  }

  private static SchedulerLoop loop(PoolStore store) {
    PoolListener deaf =
        new PoolListener() {
          @Override
          public void jobsChanged(Collection<JobId> jobs, Collection<JobId> settled) {}

          @Override
          public void nodesChanged() {}
        };
    SchedulerLoop loop =
        new SchedulerLoop(
            store,
            SchedulerSettings.defaults(),
            new RecordingLines(),
            deaf,
            new LoopMeter(new SimpleMeterRegistry()),
            new SteadyClock(System::currentTimeMillis, System::nanoTime));
    loop.start();
    return loop;
  }
}
