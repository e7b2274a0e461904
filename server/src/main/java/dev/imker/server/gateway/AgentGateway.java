package dev.imker.server.gateway;

import dev.imker.core.Outbox;
import dev.imker.model.AgentId;
import dev.imker.model.ImkerException;
import dev.imker.model.InputFile;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.Platform;
import dev.imker.model.account.Quota;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.Change;
import dev.imker.server.loop.AgentLines;
import dev.imker.server.loop.Command;
import dev.imker.server.loop.LiveJob;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.server.update.AgentRelease;
import dev.imker.store.Reads;
import dev.imker.wire.CloseReason;
import dev.imker.wire.MessageDirectory;
import dev.imker.wire.MessageTypes;
import dev.imker.wire.Session;
import dev.imker.wire.SessionListener;
import dev.imker.wire.proto.Checkpoint;
import dev.imker.wire.proto.Confirmed;
import dev.imker.wire.proto.Drain;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.FollowLog;
import dev.imker.wire.proto.Hello;
import dev.imker.wire.proto.LogChunk;
import dev.imker.wire.proto.NeedJob;
import dev.imker.wire.proto.Pause;
import dev.imker.wire.proto.PlatformChanged;
import dev.imker.wire.proto.Progress;
import dev.imker.wire.proto.Servers;
import dev.imker.wire.proto.SignOfLife;
import dev.imker.wire.proto.SignOfLifeReply;
import dev.imker.wire.proto.Spawn;
import dev.imker.wire.proto.Stop;
import dev.imker.wire.proto.Waiting;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Talks with the agents: turns their messages into commands for the loop, and what the loop wants
 * done into messages. Handlers run on the delivery thread of their session, where waiting for a
 * full inbox is what slows an agent down.
 */
public final class AgentGateway implements AgentLines, SessionListener {
  private static final Logger LOG = LoggerFactory.getLogger(AgentGateway.class);

  private final ResultCheck resultCheck;
  private final Checkpoints checkpoints;
  private final AgentChannels channels = new AgentChannels();
  private final LogFollowers followers = new LogFollowers();
  private final TaskProgress progress = new TaskProgress();
  private final SpawnDesk spawnDesk;
  private final Reception reception;
  private final Handouts handouts;
  private final Executor inputThreads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("imker-inputs-", 1).factory());
  private volatile @Nullable SchedulerLoop loop;

  public AgentGateway(
      GatewaySettings settings,
      Function<AgentId, String> blobTokens,
      ResultCheck resultCheck,
      Function<String, Optional<String>> kept,
      Reads reads,
      AgentRelease release,
      Function<String, Quota> quotas) {
    this.resultCheck = resultCheck;
    this.checkpoints = new Checkpoints(kept);
    this.spawnDesk = new SpawnDesk(reads, quotas, inputThreads, channels::send);
    this.reception = new Reception(settings, blobTokens, release, channels, this::tell);
    this.handouts = new Handouts(channels, checkpoints, reads, inputThreads, this::tell);
  }

  /** The loop and the gateway need each other; this ties the knot before the first connection. */
  public void connectTo(SchedulerLoop schedulerLoop) {
    loop = schedulerLoop;
    spawnDesk.connectTo(schedulerLoop);
  }

  public MessageDirectory directory() {
    return MessageTypes.directory()
        .on(Hello.class, reception::onHello)
        .on(SignOfLife.class, this::onSignOfLife)
        .on(Finished.class, this::onFinished)
        .on(NeedJob.class, this::onNeedJob)
        .on(Drain.class, this::onDrain)
        .on(PlatformChanged.class, this::onPlatformChanged)
        .on(Checkpoint.class, this::onCheckpoint)
        .on(LogChunk.class, this::onLogChunk)
        .on(Progress.class, this::onProgress)
        .on(Spawn.class, this::onSpawn)
        .on(Waiting.class, this::onWaiting)
        .build();
  }

  private void tell(Command command) {
    SchedulerLoop current = loop;
    if (current == null) {
      throw new IllegalStateException("not connected to a loop");
    }
    current.tell(command);
  }

  // ---------------------------------------------------------------- from agents

  private void onSignOfLife(Session session, SignOfLife message) {
    AgentChannel channel = channelOf(session);
    if (channel != null) {
      tell(new Renew(channel, message));
    }
  }

  private static final class Renew implements Command {
    private final AgentChannel channel;
    private final List<Lease> held;
    private final long sentMillis;
    private final String pause;
    private final Map<Lease, Long> paused;
    private List<Lease> unknown = List.of();

    Renew(AgentChannel channel, SignOfLife message) {
      this.channel = channel;
      this.held = Protocol.leases(message.getHeldList());
      this.sentMillis = message.getSentMillis();
      this.pause = Protocol.pause(message);
      this.paused = Protocol.paused(message.getHeldList(), message.getPausedMillisMap());
    }

    @Override
    public void apply(PoolState pool, long nowMillis, Outbox out) {
      unknown = pool.scheduler().onSignOfLife(nowMillis, channel.agent(), held, out);
      pool.scheduler().onPause(nowMillis, channel.agent(), pause, paused, out);
    }

    @Override
    public void committed() {
      SignOfLifeReply.Builder reply = SignOfLifeReply.newBuilder().setSentMillis(sentMillis);
      unknown.forEach(lease -> reply.addUnknown(Protocol.lease(lease)));
      channel.send(reply.build());
    }
  }

  private void onFinished(Session session, Finished message) {
    AgentChannel channel = channelOf(session);
    if (channel == null) {
      return;
    }
    Lease lease = Protocol.lease(message.getLease());
    AttemptReport report;
    try {
      report = resultCheck.check(Protocol.report(message));
    } catch (IllegalArgumentException e) {
      report = ResultCheck.refused("The agent's report cannot be read: " + e.getMessage());
    }
    tell(new Finish(channel.agent(), lease, report, checkpoints));
    followers.end(lease);
    progress.ended(lease);
  }

  private record Finish(AgentId agent, Lease lease, AttemptReport report, Checkpoints checkpoints)
      implements Command {
    @Override
    public void apply(PoolState pool, long nowMillis, Outbox out) {
      pool.scheduler().onFinished(nowMillis, agent, lease, report, out);
      checkpoints.forgetIfSettled(pool, lease.task(), out);
    }
  }

  private void onNeedJob(Session session, NeedJob message) {
    AgentChannel channel = channelOf(session);
    if (channel != null) {
      tell(
          (pool, nowMillis, out) -> {
            LiveJob job = pool.job(new JobId(message.getJob()));
            int stage = message.getStage();
            if (job != null && stage < job.spec().stages().size()) {
              channel.send(Protocol.description(job, stage));
            }
          });
    }
  }

  private void onDrain(Session session, Drain message) {
    AgentChannel channel = channelOf(session);
    if (channel != null) {
      tell(
          (pool, nowMillis, out) ->
              pool.scheduler().onDrain(nowMillis, channel.agent(), message.getOn(), out));
    }
  }

  private void onCheckpoint(Session session, Checkpoint message) {
    AgentChannel channel = channelOf(session);
    if (channel != null) {
      Lease lease = Protocol.lease(message.getLease());
      List<InputFile> files = Protocol.checkpoint(message);
      tell((pool, nowMillis, out) -> checkpoints.keep(pool, channel.agent(), lease, files, out));
    }
  }

  private void onPlatformChanged(Session session, PlatformChanged message) {
    AgentChannel channel = channelOf(session);
    if (channel == null) {
      return;
    }
    try {
      Platform platform = Protocol.platform(message.getPlatformJson());
      tell(
          (pool, nowMillis, out) ->
              pool.scheduler().onPlatform(nowMillis, channel.agent(), platform, out));
    } catch (ImkerException e) {
      LOG.warn("{}: {}", channel.agent(), e.getMessage());
    }
  }

  private void onProgress(Session session, Progress message) {
    progress.said(Protocol.lease(message.getLease()), message.getFraction(), message.getText());
  }

  /** How far tasks say that they have come. */
  public TaskProgress progress() {
    return progress;
  }

  private void onSpawn(Session session, Spawn message) {
    AgentChannel channel = channelOf(session);
    if (channel != null) {
      spawnDesk.onSpawn(channel.agent(), message);
    }
  }

  private void onWaiting(Session session, Waiting message) {
    AgentChannel channel = channelOf(session);
    if (channel != null) {
      tell(
          (pool, nowMillis, out) ->
              pool.scheduler()
                  .onWaiting(
                      nowMillis, channel.agent(), message.getCount(), message.getCountByUserMap()));
    }
  }

  @Override
  public void committed(List<Change> changes, PoolState pool) {
    spawnDesk.committed(changes, pool);
  }

  private void onLogChunk(Session session, LogChunk message) {
    followers.deliver(Protocol.lease(message.getLease()), message);
  }

  @Override
  public void closed(Session session, CloseReason reason) {
    AgentChannel channel = channelOf(session);
    if (channel != null) {
      reception.onClosed(channel, reason.text());
    }
  }

  private static @Nullable AgentChannel channelOf(Session session) {
    return (AgentChannel) session.attachment();
  }

  // ---------------------------------------------------------------- to agents

  @Override
  public void assign(AgentId agent, Lease lease, int attempt, LiveJob job, boolean undo) {
    handouts.assign(agent, lease, attempt, job, undo);
  }

  @Override
  public void describe(AgentId agent, LiveJob job, int stage) {
    handouts.describe(agent, job, stage);
  }

  @Override
  public void stop(AgentId agent, Lease lease, String reason) {
    channels.send(
        agent, Stop.newBuilder().setLease(Protocol.lease(lease)).setReason(reason).build());
  }

  @Override
  public void pause(AgentId agent, String why) {
    channels.send(agent, Pause.newBuilder().setWhy(why).build());
  }

  @Override
  public void confirm(AgentId agent, Lease lease, boolean accepted) {
    channels.send(
        agent,
        Confirmed.newBuilder().setLease(Protocol.lease(lease)).setAccepted(accepted).build());
  }

  /** The servers of the pool are others now. */
  public void tellServers(List<String> servers) {
    Servers message = Servers.newBuilder().addAllServers(servers).build();
    channels.sendAll(message);
  }

  @Override
  public void hangUpAll(String reason) {
    channels.closeAll(reason);
  }

  // ---------------------------------------------------------------- logs

  /** Begins to read what a running task writes; empty if its agent is not connected. */
  public Optional<LogFeed> follow(AgentId agent, Lease lease, boolean stderr, long offset) {
    AgentChannel channel = channels.get(agent);
    if (channel == null) {
      return Optional.empty();
    }
    LogFeed feed =
        new LogFeed(lease, stderr ? LogChunk.Stream.STDERR : LogChunk.Stream.STDOUT, offset);
    followers.add(feed);
    // A later reader may make the agent send again what earlier ones have: they skip it.
    channel.send(
        FollowLog.newBuilder()
            .setLease(Protocol.lease(lease))
            .setOn(true)
            .setStdoutOffset(followers.offset(lease, LogChunk.Stream.STDOUT))
            .setStderrOffset(followers.offset(lease, LogChunk.Stream.STDERR))
            .build());
    return Optional.of(feed);
  }

  public void unfollow(AgentId agent, LogFeed feed) {
    if (followers.remove(feed)) {
      channels.send(
          agent,
          FollowLog.newBuilder().setLease(Protocol.lease(feed.lease())).setOn(false).build());
    }
  }
}
