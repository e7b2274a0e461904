package dev.imker.server.gateway;

import dev.imker.core.message.Outbox;
import dev.imker.model.AgentId;
import dev.imker.model.ImkerException;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.Platform;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.job.InputFile;
import dev.imker.model.text.SafeText;
import dev.imker.server.live.LiveJob;
import dev.imker.server.loop.Command;
import dev.imker.server.loop.PoolState;
import dev.imker.server.usage.UsageHistory;
import dev.imker.wire.WireLeases;
import dev.imker.wire.proto.Checkpoint;
import dev.imker.wire.proto.Drain;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.LogChunk;
import dev.imker.wire.proto.MachineUsage;
import dev.imker.wire.proto.NeedJob;
import dev.imker.wire.proto.PlatformChanged;
import dev.imker.wire.proto.Progress;
import dev.imker.wire.proto.SignOfLife;
import dev.imker.wire.proto.SignOfLifeReply;
import dev.imker.wire.proto.Spawn;
import dev.imker.wire.proto.Waiting;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns messages of agents into commands for the loop. Handlers run on the delivery thread of their
 * session, where waiting for a full inbox is what slows an agent down.
 */
record AgentMessages(
    ResultCheck resultCheck,
    Checkpoints checkpoints,
    LogFollowers followers,
    TaskProgress progress,
    UsageHistory usage,
    SpawnRequests spawnRequests,
    Consumer<Command> loop) {
  private static final Logger LOG = LoggerFactory.getLogger(AgentMessages.class);

  MessageRights register(MessageRights rights) {
    return rights
        .on(SignOfLife.class, this::onSignOfLife)
        .on(Finished.class, this::onFinished)
        .on(NeedJob.class, this::onNeedJob)
        .on(Drain.class, this::onDrain)
        .on(PlatformChanged.class, this::onPlatformChanged)
        .on(Checkpoint.class, this::onCheckpoint)
        .on(LogChunk.class, this::onLogChunk)
        .on(Progress.class, this::onProgress)
        .on(Spawn.class, this::onSpawn)
        .on(Waiting.class, this::onWaiting);
  }

  private void tell(Command command) {
    loop.accept(command);
  }

  private void onSignOfLife(AgentChannel channel, SignOfLife message) {
    tell(new Renew(channel, message));
  }

  private final class Renew implements Command {
    private final AgentChannel channel;
    private final List<Lease> held;
    private final long sentMillis;
    private final String pause;
    private final Map<Lease, Long> paused;
    private final Map<Lease, UsageHistory.Used> used;
    private final MachineUsage machine;
    private List<Lease> unknown = List.of();

    Renew(AgentChannel channel, SignOfLife message) {
      this.channel = channel;
      this.held = Protocol.leases(message.getHeldList());
      this.sentMillis = message.getSentMillis();
      this.pause = Protocol.pause(message);
      this.paused = Protocol.byLease(message.getHeldList(), message.getPausedMillisMap());
      this.used = new LinkedHashMap<>();
      Protocol.byLease(message.getHeldList(), message.getUsageMap())
          .forEach((lease, usage) -> used.put(lease, Protocol.used(usage)));
      this.machine = message.getMachine();
    }

    @Override
    public void apply(PoolState pool, long nowMillis, Outbox out) {
      unknown = pool.scheduler().onSignOfLife(nowMillis, channel.agent(), held, out);
      pool.scheduler().onPause(nowMillis, channel.agent(), pause, paused, out);
      pool.agents().standings().paused(channel.agent(), pause).ifPresent(out::change);
      used.forEach(
          (lease, much) -> {
            if (pool.scheduler().view().isHeld(channel.agent(), lease)) {
              usage.ofTask(nowMillis, lease, much);
            }
          });
      if (machine.getMemoryBytes() > 0) {
        usage.ofNode(
            nowMillis,
            channel.node(),
            Double.isFinite(machine.getCores()) ? Math.max(0, machine.getCores()) : 0,
            machine.getMemoryBytes(),
            Math.max(0, machine.getDiskBytes()));
      }
    }

    @Override
    public void committed() {
      SignOfLifeReply.Builder reply = SignOfLifeReply.newBuilder().setSentMillis(sentMillis);
      unknown.forEach(lease -> reply.addUnknown(WireLeases.of(lease)));
      channel.send(reply.build());
    }
  }

  private void onFinished(AgentChannel channel, Finished message) {
    Lease lease = WireLeases.of(message.getLease());
    AttemptReport report;
    try {
      report = resultCheck.check(lease.task(), Protocol.report(message));
    } catch (IllegalArgumentException e) {
      report = ResultCheck.refused("The agent's report cannot be read: " + e.getMessage());
    }
    tell(new Finish(channel.agent(), lease, report));
  }

  private final class Finish implements Command {
    private final AgentId agent;
    private final Lease lease;
    private final AttemptReport report;
    private boolean held;

    Finish(AgentId agent, Lease lease, AttemptReport report) {
      this.agent = agent;
      this.lease = lease;
      this.report = report;
    }

    @Override
    public void apply(PoolState pool, long nowMillis, Outbox out) {
      held = pool.scheduler().view().isHeld(agent, lease);
      pool.scheduler().onFinished(nowMillis, agent, lease, report, out);
      checkpoints.forgetIfSettled(pool, lease.task(), out);
    }

    @Override
    public void committed() {
      if (held) {
        followers.end(lease);
      }
    }
  }

  private void onNeedJob(AgentChannel channel, NeedJob message) {
    tell(
        (pool, nowMillis, out) -> {
          JobId id = new JobId(message.getJob());
          LiveJob job = pool.job(id);
          int stage = message.getStage();
          boolean holds =
              job != null
                  && pool.scheduler().view().leases(channel.agent()).stream()
                      .map(Lease::task)
                      .anyMatch(
                          task ->
                              task.job().equals(id)
                                  && job.stages().numberOf(task.index()) == stage);
          if (job != null && holds) {
            channel.send(Protocol.description(job, stage));
          }
        });
  }

  private void onDrain(AgentChannel channel, Drain message) {
    tell(
        (pool, nowMillis, out) -> {
          pool.scheduler().onDrain(nowMillis, channel.agent(), message.getOn(), out);
          pool.agents()
              .standings()
              .draining(channel.agent(), message.getOn())
              .ifPresent(out::change);
        });
  }

  private void onCheckpoint(AgentChannel channel, Checkpoint message) {
    Lease lease = WireLeases.of(message.getLease());
    List<InputFile> files = Protocol.checkpoint(message);
    resultCheck.requireOwned(lease.task(), files);
    tell((pool, nowMillis, out) -> checkpoints.keep(pool, channel.agent(), lease, files, out));
  }

  private void onPlatformChanged(AgentChannel channel, PlatformChanged message) {
    try {
      Platform platform = Protocol.platform(message.getPlatformJson());
      tell(
          (pool, nowMillis, out) ->
              pool.scheduler().onPlatform(nowMillis, channel.agent(), platform, out));
    } catch (ImkerException e) {
      LOG.warn("{}: {}", channel.agent(), e.getMessage());
    }
  }

  private void onProgress(AgentChannel channel, Progress message) {
    Lease lease = WireLeases.of(message.getLease());
    tell(
        (pool, nowMillis, out) -> {
          if (pool.scheduler().view().isHeld(channel.agent(), lease)) {
            progress.said(lease, message.getFraction(), SafeText.line(message.getText(), 1_000));
          }
        });
  }

  private void onSpawn(AgentChannel channel, Spawn message) {
    spawnRequests.onSpawn(channel.agent(), message);
  }

  private void onWaiting(AgentChannel channel, Waiting message) {
    if (message.getCount() < 0) {
      throw new IllegalArgumentException("a negative number of waiting tasks");
    }
    tell((pool, nowMillis, out) -> waiting(pool, nowMillis, channel.agent(), message));
  }

  /** No more tasks can wait than the agent has, and only those of users whose tasks it has. */
  private static void waiting(PoolState pool, long nowMillis, AgentId agent, Waiting message) {
    Map<String, Integer> held = new HashMap<>();
    for (Lease lease : pool.scheduler().view().leases(agent)) {
      LiveJob job = pool.job(lease.task().job());
      if (job != null) {
        held.merge(job.user(), 1, Integer::sum);
      }
    }
    Map<String, Integer> byUser = new HashMap<>();
    held.forEach(
        (user, most) -> {
          int count = message.getCountByUserOrDefault(user, 0);
          if (count > 0) {
            byUser.put(user, Math.min(count, most));
          }
        });
    int most = held.values().stream().mapToInt(n -> n).sum();
    pool.scheduler().onWaiting(nowMillis, agent, Math.min(message.getCount(), most), byUser);
  }

  private void onLogChunk(AgentChannel channel, LogChunk message) {
    followers.deliver(channel.agent(), WireLeases.of(message.getLease()), message);
  }
}
