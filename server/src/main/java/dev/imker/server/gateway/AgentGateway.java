package dev.imker.server.gateway;

import com.google.protobuf.ByteString;
import dev.imker.core.AgentHello;
import dev.imker.core.Outbox;
import dev.imker.model.AgentId;
import dev.imker.model.ImkerException;
import dev.imker.model.InputException;
import dev.imker.model.InputFile;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.Platform;
import dev.imker.model.change.AttemptReport;
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
import dev.imker.wire.proto.PlatformChanged;
import dev.imker.wire.proto.Refused;
import dev.imker.wire.proto.SignOfLife;
import dev.imker.wire.proto.SignOfLifeReply;
import dev.imker.wire.proto.Stop;
import dev.imker.wire.proto.Welcome;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
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

  private final GatewaySettings settings;
  private final Function<AgentId, String> blobTokens;
  private final ResultCheck resultCheck;
  private final Checkpoints checkpoints;
  private final AgentRelease release;
  private final Map<AgentId, AgentChannel> channels = new ConcurrentHashMap<>();
  private final LogFollowers followers = new LogFollowers();
  private final DataInputs dataInputs;
  private final Executor inputThreads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("imker-inputs-", 1).factory());
  private volatile @Nullable SchedulerLoop loop;

  public AgentGateway(
      GatewaySettings settings,
      Function<AgentId, String> blobTokens,
      ResultCheck resultCheck,
      Function<String, Optional<String>> kept,
      Reads reads,
      AgentRelease release) {
    this.dataInputs = new DataInputs(reads);
    this.settings = settings;
    this.blobTokens = blobTokens;
    this.resultCheck = resultCheck;
    this.checkpoints = new Checkpoints(kept);
    this.release = release;
  }

  /** The loop and the gateway need each other; this ties the knot before the first connection. */
  public void connectTo(SchedulerLoop schedulerLoop) {
    loop = schedulerLoop;
  }

  public MessageDirectory directory() {
    return MessageTypes.directory()
        .on(Hello.class, this::onHello)
        .on(SignOfLife.class, this::onSignOfLife)
        .on(Finished.class, this::onFinished)
        .on(NeedJob.class, this::onNeedJob)
        .on(Drain.class, this::onDrain)
        .on(PlatformChanged.class, this::onPlatformChanged)
        .on(Checkpoint.class, this::onCheckpoint)
        .on(LogChunk.class, this::onLogChunk)
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

  private void onHello(Session session, Hello message) {
    if (message.getProtocol() != Protocol.VERSION) {
      refuse(
          session,
          "This server speaks version %d of the protocol and the agent version %d: update the older"
                  .formatted(Protocol.VERSION, message.getProtocol())
              + " one.");
      return;
    }
    if (message.getAgentId().isEmpty() || message.getNodeId().isEmpty()) {
      refuse(session, "An agent needs an id of its own and of its node.");
      return;
    }
    try {
      AgentHello hello = Protocol.hello(message);
      AgentChannel channel = new AgentChannel(hello.agent(), session);
      session.attach(channel);
      tell(new Introduce(hello, channel));
    } catch (ImkerException e) {
      refuse(session, String.valueOf(e.getMessage()));
    }
  }

  private static void refuse(Session session, String reason) {
    LOG.warn("Refused {}: {}", session.peerName(), reason);
    session.trySend(Refused.newBuilder().setReason(reason).build());
    session.close(reason);
  }

  /** An agent came; what it gets is sent after the welcome. */
  private final class Introduce implements Command {
    private final AgentHello hello;
    private final AgentChannel channel;
    private long epoch;

    Introduce(AgentHello hello, AgentChannel channel) {
      this.hello = hello;
      this.channel = channel;
    }

    @Override
    public void apply(PoolState pool, long nowMillis, Outbox out) {
      epoch = pool.epoch();
      pool.scheduler().onHello(nowMillis, hello, out);
    }

    @Override
    public void committed() {
      AgentChannel former = channels.put(hello.agent(), channel);
      if (former != null) {
        former.session().close("the agent has a newer connection");
      }
      channel.send(welcome(hello.agent(), epoch));
      LOG.info("Agent {} on node {} is here", hello.name(), hello.node());
    }

    @Override
    public void failed(RuntimeException why) {
      channel.session().close(String.valueOf(why.getMessage()));
    }
  }

  private Welcome welcome(AgentId agent, long epoch) {
    AgentRelease.Offer offer = release.offer();
    return Welcome.newBuilder()
        .setProtocol(Protocol.VERSION)
        .setPool(settings.poolName())
        .setVersion(settings.version())
        .setEpoch(epoch)
        .setSignOfLifeMillis((int) settings.signOfLifeMillis())
        .setLeaseMillis((int) settings.leaseMillis())
        .setBlobToken(blobTokens.apply(agent))
        .setAgentBuild(offer.build())
        .setAgentBuildSignature(ByteString.copyFrom(offer.signature()))
        .setReleaseKey(ByteString.copyFrom(offer.key()))
        .addEncodings("zstd")
        .build();
  }

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
    private List<Lease> unknown = List.of();

    Renew(AgentChannel channel, SignOfLife message) {
      this.channel = channel;
      this.held = Protocol.leases(message.getHeldList());
      this.sentMillis = message.getSentMillis();
      this.pause = Protocol.pause(message);
    }

    @Override
    public void apply(PoolState pool, long nowMillis, Outbox out) {
      unknown = pool.scheduler().onSignOfLife(nowMillis, channel.agent(), held, out);
      pool.scheduler().onPause(nowMillis, channel.agent(), pause, out);
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
    tell(new Finish(channel.agent(), lease, report));
    followers.end(lease);
  }

  private record Finish(AgentId agent, Lease lease, AttemptReport report) implements Command {
    @Override
    public void apply(PoolState pool, long nowMillis, Outbox out) {
      pool.scheduler().onFinished(nowMillis, agent, lease, report, out);
      Checkpoints.forgetIfSettled(pool, lease.task(), out);
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
      tell((pool, nowMillis, out) -> Checkpoints.keep(pool, channel.agent(), lease, files, out));
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

  private void onLogChunk(Session session, LogChunk message) {
    followers.deliver(Protocol.lease(message.getLease()), message);
  }

  @Override
  public void closed(Session session, CloseReason reason) {
    AgentChannel channel = channelOf(session);
    if (channel != null) {
      tell(new Leave(channel, reason.text()));
    }
  }

  /** A connection is over; only the current one of an agent counts. */
  private final class Leave implements Command {
    private final AgentChannel channel;
    private final String reason;

    Leave(AgentChannel channel, String reason) {
      this.channel = channel;
      this.reason = reason;
    }

    @Override
    public void apply(PoolState pool, long nowMillis, Outbox out) {
      if (channels.remove(channel.agent(), channel)) {
        LOG.info("Agent {} left: {}", channel.agent(), reason);
        pool.scheduler().onDisconnect(nowMillis, channel.agent(), out);
      }
    }

    @Override
    public void failed(RuntimeException why) {
      channels.remove(channel.agent(), channel);
    }
  }

  private static @Nullable AgentChannel channelOf(Session session) {
    return (AgentChannel) session.attachment();
  }

  // ---------------------------------------------------------------- to agents

  @Override
  public void assign(AgentId agent, Lease lease, int attempt, LiveJob job, boolean undo) {
    AgentChannel channel = channels.get(agent);
    if (channel == null) {
      return;
    }
    int stage = job.stages().numberOf(lease.task().index());
    if (undo) {
      describe(channel, job, stage);
      channel.send(Protocol.undo(lease, attempt, job, stage));
    } else if (job.spec().stages().get(stage).dataInputs().isEmpty()) {
      deliver(channel, lease, attempt, job, stage, List.of());
    } else {
      inputThreads.execute(() -> findInputs(channel, lease, attempt, job, stage));
    }
  }

  private static void describe(AgentChannel channel, LiveJob job, int stage) {
    if (channel.describe(job, stage)) {
      channel.send(Protocol.description(job, stage));
    }
  }

  /** On the loop's thread only. */
  private void deliver(
      AgentChannel channel,
      Lease lease,
      int attempt,
      LiveJob job,
      int stage,
      List<InputFile> inputs) {
    describe(channel, job, stage);
    List<InputFile> saved = checkpoints.of(job, lease.task(), attempt);
    channel.send(Protocol.assignment(lease, attempt, job, stage, merged(inputs, saved)));
  }

  /** What an earlier attempt saved takes the place of what it began with. */
  private static List<InputFile> merged(List<InputFile> inputs, List<InputFile> saved) {
    if (inputs.isEmpty() || saved.isEmpty()) {
      return inputs.isEmpty() ? saved : inputs;
    }
    Map<String, InputFile> files = new LinkedHashMap<>();
    inputs.forEach(file -> files.put(file.path(), file));
    saved.forEach(file -> files.put(file.path(), file));
    return List.copyOf(files.values());
  }

  private void findInputs(AgentChannel channel, Lease lease, int attempt, LiveJob job, int stage) {
    try {
      List<InputFile> inputs = dataInputs.of(job, lease.task().index());
      tell(new Deliver(channel, lease, attempt, job, stage, inputs));
    } catch (InputException e) {
      tell(new Refuse(channel.agent(), lease, String.valueOf(e.getMessage()), true));
    } catch (ImkerException e) {
      LOG.warn("The inputs of task {} could not be looked up: {}", lease.task(), e.getMessage());
      tell(new Refuse(channel.agent(), lease, String.valueOf(e.getMessage()), false));
    }
  }

  /** An assignment whose inputs had to be looked up: meanwhile it may have been withdrawn. */
  private final class Deliver implements Command {
    private final AgentChannel channel;
    private final Lease lease;
    private final int attempt;
    private final LiveJob job;
    private final int stage;
    private final List<InputFile> inputs;
    private boolean valid;

    Deliver(
        AgentChannel channel,
        Lease lease,
        int attempt,
        LiveJob job,
        int stage,
        List<InputFile> inputs) {
      this.channel = channel;
      this.lease = lease;
      this.attempt = attempt;
      this.job = job;
      this.stage = stage;
      this.inputs = inputs;
    }

    @Override
    public void apply(PoolState pool, long nowMillis, Outbox out) {
      valid = pool.scheduler().isHeld(channel.agent(), lease);
    }

    @Override
    public void committed() {
      if (valid) {
        deliver(channel, lease, attempt, job, stage, inputs);
      }
    }
  }

  /** A task that cannot be given to its agent. */
  private record Refuse(AgentId agent, Lease lease, String why, boolean forGood)
      implements Command {
    @Override
    public void apply(PoolState pool, long nowMillis, Outbox out) {
      pool.scheduler().onUndeliverable(nowMillis, agent, lease, why, forGood, out);
    }
  }

  @Override
  public void stop(AgentId agent, Lease lease, String reason) {
    send(agent, Stop.newBuilder().setLease(Protocol.lease(lease)).setReason(reason).build());
  }

  @Override
  public void confirm(AgentId agent, Lease lease, boolean accepted) {
    send(
        agent,
        Confirmed.newBuilder().setLease(Protocol.lease(lease)).setAccepted(accepted).build());
  }

  private void send(AgentId agent, Object message) {
    AgentChannel channel = channels.get(agent);
    if (channel != null) {
      channel.send(message);
    }
  }

  @Override
  public void hangUpAll(String reason) {
    channels.values().forEach(channel -> channel.session().close(reason));
    channels.clear();
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
      send(
          agent,
          FollowLog.newBuilder().setLease(Protocol.lease(feed.lease())).setOn(false).build());
    }
  }
}
