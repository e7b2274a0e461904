package dev.imker.bench.pool;

import dev.imker.core.message.SchedulerSettings;
import dev.imker.model.AgentId;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.server.live.LiveJob;
import dev.imker.server.loop.AgentLines;
import dev.imker.server.loop.LoopShell;
import dev.imker.server.loop.PoolListener;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.server.loop.pulse.LoopMeter;
import dev.imker.store.PoolStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.util.Collection;
import java.util.concurrent.TimeUnit;

/** A scheduler loop on a store, without anything else of a server. No agent falls silent. */
public final class BareLoop {
  private BareLoop() {}

  public static SchedulerLoop on(
      PoolStore store, SchedulerSettings settings, AgentLines agents, boolean leads) {
    return new SchedulerLoop(
        store,
        settings.withLeaseMillis(TimeUnit.DAYS.toMillis(1)),
        agents,
        new Nobody(),
        new LoopMeter(new SimpleMeterRegistry()),
        Clock.systemUTC(),
        leads,
        LoopShell.ofMachine());
  }

  private static final class Nobody implements PoolListener {
    @Override
    public void jobsChanged(Collection<JobId> touched, Collection<JobId> settled) {}

    @Override
    public void nodesChanged() {}
  }

  /** Agents that nothing reaches. */
  public static class NoAgents implements AgentLines {
    @Override
    public void assign(
        AgentId agent, Lease lease, int attempt, Granted granted, LiveJob job, boolean undo) {}

    @Override
    public void describe(AgentId agent, LiveJob job, int stage) {}

    @Override
    public void stop(AgentId agent, Lease lease, String reason) {}

    @Override
    public void confirm(AgentId agent, Lease lease, boolean accepted) {}

    @Override
    public void pause(AgentId agent, String why) {}

    @Override
    public void hangUpAll(String reason) {}
  }
}
