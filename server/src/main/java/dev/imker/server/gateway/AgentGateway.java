package dev.imker.server.gateway;

import com.google.protobuf.ByteString;
import dev.imker.core.AgentHello;
import dev.imker.core.Outbox;
import dev.imker.model.AgentId;
import dev.imker.model.ImkerException;
import dev.imker.model.InputException;
import dev.imker.model.InputFile;
import dev.imker.model.JobId;
import dev.imker.model.JobKind;
import dev.imker.model.Lease;
import dev.imker.model.Platform;
import dev.imker.model.TaskId;
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
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Checkpoint;
import dev.imker.wire.proto.Confirmed;
import dev.imker.wire.proto.Drain;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.FollowLog;
import dev.imker.wire.proto.Hello;
import dev.imker.wire.proto.LogChunk;
import dev.imker.wire.proto.NeedJob;
import dev.imker.wire.proto.Pause;
import dev.imker.wire.proto.Phase;
import dev.imker.wire.proto.PlatformChanged;
import dev.imker.wire.proto.Progress;
import dev.imker.wire.proto.Refused;
import dev.imker.wire.proto.Servers;
import dev.imker.wire.proto.SignOfLife;
import dev.imker.wire.proto.SignOfLifeReply;
import dev.imker.wire.proto.Spawn;
import dev.imker.wire.proto.Stop;
import dev.imker.wire.proto.Waiting;
import dev.imker.wire.proto.Welcome;
import java.util.ArrayList;
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
  private static final int PINGS_PER_MILLI = 4;

  private final GatewaySettings settings;
  private final Function<AgentId, String> blobTokens;
  private final ResultCheck resultCheck;
  private final Checkpoints checkpoints;
  private final AgentRelease release;
  private final Map<AgentId, AgentChannel> channels = new ConcurrentHashMap<>();
  private final LogFollowers followers = new LogFollowers();
  private final TaskProgress progress = new TaskProgress();
  private final DataInputs dataInputs;
  private final EarlierAttempts earlier;
  private final SpawnDesk spawnDesk;
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
    this.dataInputs = new DataInputs(reads);
    this.earlier = new EarlierAttempts(reads);
    this.settings = settings;
    this.blobTokens = blobTokens;
    this.resultCheck = resultCheck;
    this.checkpoints = new Checkpoints(kept);
    this.release = release;
    this.spawnDesk = new SpawnDesk(reads, quotas, inputThreads, this::send);
  }

  /** The loop and the gateway need each other; this ties the knot before the first connection. */
  public void connectTo(SchedulerLoop schedulerLoop) {
    loop = schedulerLoop;
    spawnDesk.connectTo(schedulerLoop);
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
      tell(new Introduce(hello, message, channel));
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
    private final Hello message;
    private final AgentChannel channel;
    private long epoch;
    private String pause = "";

    /** Jobs whose limits were changed, perhaps while the agent was away. */
    private final Map<Lease, LiveJob> changed = new LinkedHashMap<>();

    Introduce(AgentHello hello, Hello message, AgentChannel channel) {
      this.hello = hello;
      this.message = message;
      this.channel = channel;
    }

    @Override
    public void apply(PoolState pool, long nowMillis, Outbox out) {
      epoch = pool.epoch();
      pause = pool.terms().of(hello.node()).pause();
      for (Lease lease : hello.held()) {
        LiveJob job = pool.job(lease.task().job());
        if (job != null && job.edition() > 0) {
          changed.put(lease, job);
        }
      }
      pool.introduce(nowMillis, hello, Protocol.keyHash(message), out);
      Map<Lease, Long> paused =
          Protocol.paused(message.getHeldList(), message.getPausedMillisMap());
      pool.scheduler().onPause(nowMillis, hello.agent(), message.getPauseReason(), paused, out);
    }

    @Override
    public void committed() {
      AgentChannel former = channels.put(hello.agent(), channel);
      if (former != null) {
        former.session().close("the agent has a newer connection");
      }
      channel.send(welcome(hello.agent(), epoch, pause));
      changed.forEach(
          (lease, job) ->
              AgentGateway.describe(channel, job, job.stages().numberOf(lease.task().index())));
      LOG.info("Agent {} on node {} is here", hello.name(), hello.node());
    }

    @Override
    public void failed(RuntimeException why) {
      channel.session().close(String.valueOf(why.getMessage()));
    }
  }

  private Welcome welcome(AgentId agent, long epoch, String pause) {
    AgentRelease.Offer offer = release.offer();
    return Welcome.newBuilder()
        .setProtocol(Protocol.VERSION)
        .setPool(settings.poolName())
        .setVersion(settings.version())
        .setEpoch(epoch)
        .setPause(pause)
        .setSignOfLifeMillis((int) settings.signOfLifeMillis())
        .setLeaseMillis((int) settings.leaseMillis())
        .setPingMillis(pingMillis())
        .setBlobToken(blobTokens.apply(agent))
        .setAgentBuild(offer.build())
        .setAgentBuildSignature(ByteString.copyFrom(offer.signature()))
        .setReleaseKey(ByteString.copyFrom(offer.key()))
        .addEncodings("zstd")
        .addAllServers(settings.servers().get())
        .build();
  }

  /**
   * Thousands of agents do not have to notice at once: the first that does is the first to work.
   */
  private int pingMillis() {
    return settings.pingMillis() == 0
        ? 0
        : Math.max(settings.pingMillis(), channels.size() / PINGS_PER_MILLI);
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

  /** A task on its way to an agent. */
  private record Handout(
      AgentChannel channel, Lease lease, int attempt, LiveJob job, int stage, boolean undo) {
    Handout at(int number) {
      return new Handout(channel, lease, number, job, stage, undo);
    }

    /** Whether something has to be looked up first: results of others, or of earlier attempts. */
    boolean needsLook() {
      return undo
          || !job.spec().stages().get(stage).dataInputs().isEmpty()
          || (attempt > 1 && job.spec().kind() == JobKind.JAVA);
    }
  }

  @Override
  public void assign(AgentId agent, Lease lease, int attempt, LiveJob job, boolean undo) {
    AgentChannel channel = channels.get(agent);
    if (channel == null) {
      return;
    }
    int stage = job.stages().numberOf(lease.task().index());
    Handout handout = new Handout(channel, lease, attempt, job, stage, undo);
    if (handout.needsLook()) {
      inputThreads.execute(() -> findInputs(handout));
    } else {
      deliver(handout, List.of(), "");
    }
  }

  @Override
  public void describe(AgentId agent, LiveJob job, int stage) {
    AgentChannel channel = channels.get(agent);
    if (channel != null) {
      describe(channel, job, stage);
    }
  }

  private static void describe(AgentChannel channel, LiveJob job, int stage) {
    if (channel.describe(job, stage)) {
      channel.send(Protocol.description(job, stage));
    }
  }

  /** On the loop's thread only. */
  private void deliver(Handout handout, List<InputFile> inputs, String previousError) {
    LiveJob job = handout.job;
    describe(handout.channel, job, handout.stage);
    List<InputFile> saved =
        handout.undo ? List.of() : checkpoints.of(job, handout.lease.task(), handout.attempt);
    Assignment.Builder assignment =
        Protocol.assignment(
            handout.lease, handout.attempt, job, handout.stage, merged(inputs, saved));
    handout.channel.send(
        assignment
            .setPhase(handout.undo ? Phase.UNDO : Phase.RUN)
            .setPreviousError(previousError)
            .build());
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

  private void findInputs(Handout handout) {
    TaskId task = handout.lease.task();
    try {
      List<InputFile> inputs = new ArrayList<>(dataInputs.of(handout.job, task.index()));
      if (handout.undo) {
        inputs.addAll(earlier.results(task));
      }
      String error = handout.undo || handout.attempt == 1 ? "" : earlier.error(task);
      tell(new Deliver(handout, inputs, error));
    } catch (InputException e) {
      tell(
          new Refuse(handout.channel.agent(), handout.lease, String.valueOf(e.getMessage()), true));
    } catch (ImkerException e) {
      LOG.warn("The inputs of task {} could not be looked up: {}", task, e.getMessage());
      tell(
          new Refuse(
              handout.channel.agent(), handout.lease, String.valueOf(e.getMessage()), false));
    }
  }

  /** An assignment for which something was looked up: meanwhile it may have been withdrawn. */
  private final class Deliver implements Command {
    private final Handout handout;
    private final List<InputFile> inputs;
    private final String previousError;
    private boolean valid;
    private int tries;

    Deliver(Handout handout, List<InputFile> inputs, String previousError) {
      this.handout = handout;
      this.inputs = inputs;
      this.previousError = previousError;
    }

    @Override
    public void apply(PoolState pool, long nowMillis, Outbox out) {
      valid = pool.scheduler().isHeld(handout.channel.agent(), handout.lease);
      tries = pool.scheduler().tries(handout.lease.task());
    }

    @Override
    public void committed() {
      if (valid && handout.job.spec().kind() == JobKind.JAVA && !handout.undo) {
        // What was tried before the whole job began again is not this task's past.
        deliver(handout.at(tries + 1), inputs, tries == 0 ? "" : previousError);
      } else if (valid) {
        deliver(handout, inputs, previousError);
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
  public void pause(AgentId agent, String why) {
    send(agent, Pause.newBuilder().setWhy(why).build());
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

  /** The servers of the pool are others now. */
  public void tellServers(List<String> servers) {
    Servers message = Servers.newBuilder().addAllServers(servers).build();
    channels.values().forEach(channel -> channel.send(message));
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
