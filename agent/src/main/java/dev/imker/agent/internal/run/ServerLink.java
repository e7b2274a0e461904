package dev.imker.agent.internal.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.agent.AgentState;
import dev.imker.agent.internal.cache.ServerAccess;
import dev.imker.agent.internal.platform.PlatformProbe;
import dev.imker.model.JobKind;
import dev.imker.model.TaskTemplate;
import dev.imker.wire.CloseReason;
import dev.imker.wire.ConnectionState;
import dev.imker.wire.Connector;
import dev.imker.wire.MessageDirectory;
import dev.imker.wire.MessageTypes;
import dev.imker.wire.Session;
import dev.imker.wire.SessionClosedException;
import dev.imker.wire.SessionListener;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Confirmed;
import dev.imker.wire.proto.Drain;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.FollowLog;
import dev.imker.wire.proto.Hello;
import dev.imker.wire.proto.JobDescription;
import dev.imker.wire.proto.LogChunk;
import dev.imker.wire.proto.NeedJob;
import dev.imker.wire.proto.Outcome;
import dev.imker.wire.proto.Pause;
import dev.imker.wire.proto.PlatformChanged;
import dev.imker.wire.proto.Refused;
import dev.imker.wire.proto.Servers;
import dev.imker.wire.proto.SignOfLife;
import dev.imker.wire.proto.SignOfLifeReply;
import dev.imker.wire.proto.SpawnAnswer;
import dev.imker.wire.proto.Stop;
import dev.imker.wire.proto.Welcome;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The conversation with the server. Messages come one after the other on the session's delivery
 * thread; what concerns processes is handed to the runner, and tasks without anything to do are
 * answered right there.
 */
final class ServerLink implements SessionListener, Uplink {
  private static final Logger LOG = LoggerFactory.getLogger(ServerLink.class);
  private static final int PROTOCOL = 1;
  private static final int MOST_ADDRESSES = 32;
  private static final String PATH = "/api/v1/agent";
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final long DEFAULT_SIGN_OF_LIFE_MILLIS = 5_000;

  private final AgentParts parts;
  private final String name;
  private final Vertx vertx;
  private final Consumer<AgentState> onState;
  private final Consumer<Welcome> onWelcome;
  private final Consumer<String> onPauseOrder;
  private final Templates templates = new Templates();
  private final Delivery delivery;
  private final TaskRunner runner;
  private final SelfKnowledge self;
  private final long incarnation = System.currentTimeMillis();
  private List<String> knownServers = List.of();
  private volatile @Nullable Connector connector;
  private volatile @Nullable Session session;
  private volatile @Nullable Outflow outflow;
  private volatile @Nullable Welcome welcome;
  private volatile URI address;
  private volatile boolean draining;
  private volatile String pause = "";
  private volatile long signOfLifeMillis = DEFAULT_SIGN_OF_LIFE_MILLIS;
  private long lastSignNanos = System.nanoTime();

  /**
   * @param onWelcome told what the server says of itself, on a thread that must not be blocked
   * @param onPauseOrder told why the pool wants tasks frozen; empty when they may go on
   */
  ServerLink(
      AgentParts parts,
      String name,
      Vertx vertx,
      Consumer<AgentState> onState,
      Consumer<Welcome> onWelcome,
      Consumer<String> onPauseOrder) {
    this.onWelcome = onWelcome;
    this.onPauseOrder = onPauseOrder;
    this.parts = parts;
    this.name = name;
    this.vertx = vertx;
    this.onState = onState;
    this.address = addresses().getFirst();
    this.delivery = new Delivery(parts.holdings, parts.journal, this);
    this.runner = parts.runner(delivery, this, this::tick);
    this.self = new SelfKnowledge(parts, this::tellPlatform);
  }

  SelfKnowledge self() {
    return self;
  }

  TaskRunner runner() {
    return runner;
  }

  void connect() {
    Connector.Builder builder =
        Connector.builder(vertx, directory())
            .addresses(addresses())
            .header("Authorization", "Bearer " + parts.settings.join().secret())
            .listener(this)
            .onState(this::connectionChanged);
    String fingerprint = parts.settings.join().fingerprint();
    connector = (fingerprint.isEmpty() ? builder : builder.pinnedSha256(fingerprint)).start();
  }

  private List<URI> addresses() {
    return webSockets(parts.settings.join().urls());
  }

  private static List<URI> webSockets(Collection<String> urls) {
    return urls.stream()
        .map(url -> URI.create(url.replaceFirst("^http", "ws")).resolve(PATH))
        .toList();
  }

  /**
   * The pool may have servers by now that it did not have when the join token was made. One that is
   * not named is only away, perhaps, and the next to lead: it is tried last.
   */
  private synchronized void learnServers(List<String> servers) {
    Connector current = connector;
    if (current != null && !servers.isEmpty()) {
      Set<String> all = new LinkedHashSet<>(servers);
      all.addAll(parts.settings.join().urls());
      all.addAll(knownServers);
      knownServers = all.stream().limit(MOST_ADDRESSES).toList();
      current.addresses(webSockets(knownServers));
    }
  }

  private MessageDirectory directory() {
    return MessageTypes.directory()
        .on(Welcome.class, (_, message) -> welcomed(message))
        .on(Refused.class, (_, refused) -> refused(refused.getReason()))
        .on(Servers.class, (_, message) -> serversChanged(message.getServersList()))
        .on(JobDescription.class, (_, description) -> described(description))
        .on(Assignment.class, (_, assignment) -> assigned(assignment))
        .on(Stop.class, (_, stop) -> stopped(stop))
        .on(Pause.class, (_, order) -> onPauseOrder.accept(order.getWhy()))
        .on(Confirmed.class, (_, confirmed) -> delivery.confirmed(token(confirmed.getLease())))
        .on(SignOfLifeReply.class, (_, reply) -> reply.getUnknownList().forEach(this::forgotten))
        .on(FollowLog.class, (_, follow) -> followed(follow))
        .on(SpawnAnswer.class, (_, answer) -> parts.spawning().answered(answer))
        .build();
  }

  private static long token(dev.imker.wire.proto.Lease lease) {
    return lease.getToken();
  }

  // ------------------------------------------------------------------ connection

  private void connectionChanged(ConnectionState state) {
    switch (state) {
      case ConnectionState.Connecting connecting -> {
        address = connecting.address();
        onState.accept(new AgentState.Connecting(base(address).toString()));
      }
      case ConnectionState.Waiting waiting ->
          onState.accept(new AgentState.Disconnected(waiting.reason()));
      case ConnectionState.Refused refused -> turnedAway(refused);
      case ConnectionState.Connected connected -> address = connected.address();
      case ConnectionState.Stopped _ -> {}
    }
  }

  /** A wrong token stays wrong; a server that is only starting, or gone, does not. */
  private void turnedAway(ConnectionState.Refused refused) {
    boolean forGood = refused.httpStatus() == 401 || refused.httpStatus() == 403;
    onState.accept(
        forGood
            ? new AgentState.Refused("The server does not take the join token: " + refused.reason())
            : new AgentState.Disconnected(refused.reason()));
  }

  private static URI base(URI webSocket) {
    String scheme = "wss".equals(webSocket.getScheme()) ? "https" : "http";
    return URI.create(scheme + "://" + webSocket.getRawAuthority());
  }

  @Override
  public void opened(Session opened) {
    welcome = null;
    session = opened;
    outflow = new Outflow(opened);
    send(
        Hello.newBuilder()
            .setProtocol(PROTOCOL)
            .setAgentName(name)
            .setNodeId(parts.node.value())
            .setAgentId(parts.folder.id().value())
            .setKey(parts.folder.key())
            .setVersion(version())
            .setSlots(parts.slots())
            .addAllServes(parts.policy.serves())
            .setLongestTaskMillis(parts.policy.longestMillis())
            .setPlatformJson(platform())
            .setIncarnation(incarnation)
            .addAllHeld(parts.holdings.wireLeases())
            .setPauseReason(pause)
            .putAllPausedMillis(parts.holdings.pausedMillis())
            .build());
  }

  private static String version() {
    String version = ServerLink.class.getPackage().getImplementationVersion();
    return version == null ? "dev" : version;
  }

  private String platform() {
    try {
      return JSON.writeValueAsString(self.platform());
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a platform that is not JSON", e);
    }
  }

  private void tellPlatform() {
    if (welcome != null) {
      send(PlatformChanged.newBuilder().setPlatformJson(platform()).build());
    }
  }

  private void welcomed(Welcome message) {
    welcome = message;
    watchServer(message.getPingMillis());
    onPauseOrder.accept(message.getPause());
    if (message.getSignOfLifeMillis() > 0) {
      signOfLifeMillis = message.getSignOfLifeMillis();
    }
    ready(message);
    if (draining) {
      send(Drain.newBuilder().setOn(true).build());
    }
    delivery.sendAll(this::send);
    parts.spawning().sendAll(this::send);
    runner.note(runner::tellAgain);
    learnServers(message.getServersList());
    onWelcome.accept(message);
  }

  private void watchServer(int pingMillis) {
    Session current = session;
    if (current != null && pingMillis > 0) {
      current.keepAlive(Duration.ofMillis(pingMillis));
    }
  }

  private void serversChanged(List<String> servers) {
    Welcome last = welcome;
    if (last != null) {
      Welcome changed = last.toBuilder().clearServers().addAllServers(servers).build();
      welcome = changed;
      access(changed);
      learnServers(servers);
    }
  }

  private void access(Welcome message) {
    parts.server.open(
        new ServerAccess.Access(
            base(address),
            message.getBlobToken(),
            Set.copyOf(message.getEncodingsList()),
            servers(message)));
  }

  private void ready(Welcome message) {
    access(message);
    onState.accept(new AgentState.Connected(message.getPool(), message.getVersion()));
  }

  /** The one that sent it first: it leads. */
  private List<URI> servers(Welcome message) {
    Set<URI> all = new LinkedHashSet<>();
    all.add(base(address));
    message.getServersList().forEach(url -> all.add(URI.create(url)));
    return List.copyOf(all);
  }

  private void refused(String reason) {
    onState.accept(new AgentState.Refused(reason));
  }

  @Override
  public void suspended(Session from, String reason) {
    parts.server.close();
    delivery.keepAll();
    onState.accept(new AgentState.Disconnected(reason));
  }

  @Override
  public void resumed(Session from) {
    Welcome last = welcome;
    if (last != null) {
      ready(last);
    }
  }

  @Override
  public void closed(Session from, CloseReason reason) {
    if (from.equals(session)) {
      session = null;
      outflow = null;
      welcome = null;
      parts.server.close();
      delivery.keepAll();
    }
  }

  boolean isConnected() {
    Session current = session;
    return current != null && current.isConnected() && welcome != null;
  }

  @Override
  public boolean trySend(Object message) {
    Session current = session;
    if (current == null || welcome == null) {
      return false;
    }
    try {
      return current.trySend(message);
    } catch (SessionClosedException e) {
      return false;
    }
  }

  /** Sends now or as soon as there is room; nowhere without a session. */
  private void send(Object message) {
    Outflow current = outflow;
    if (current != null) {
      current.send(message);
    }
  }

  void drain(boolean on) {
    draining = on;
    send(Drain.newBuilder().setOn(on).build());
  }

  boolean isDraining() {
    return draining;
  }

  void keepReports() {
    delivery.keepAll();
  }

  void close() {
    Connector current = connector;
    if (current != null) {
      current.close("the agent stops");
    }
  }

  // ------------------------------------------------------------------ leases

  private void assigned(Assignment assignment) {
    HeldLease held = new HeldLease(assignment);
    if (!parts.holdings.add(held)) {
      return;
    }
    TaskTemplate template = templates.findOrWait(held);
    if (template == null) {
      send(NeedJob.newBuilder().setJob(held.job()).setStage(held.stage()).build());
    } else {
      begin(held, template);
    }
  }

  private void described(JobDescription description) {
    try {
      TaskTemplate template = Templates.read(description);
      templates
          .add(description.getJob(), description.getStage(), template)
          .forEach(held -> begin(held, template));
      runner.note(() -> relimit(description.getJob(), description.getStage(), template));
    } catch (IOException e) {
      LOG.warn("The description of job {} cannot be read", description.getJob(), e);
    }
  }

  /** A stage that is described again has other limits, also for what runs already. */
  private void relimit(long job, int stage, TaskTemplate template) {
    for (HeldLease held : parts.holdings.all()) {
      TaskRun run = held.run;
      if (run != null && held.job() == job && held.stage() == stage) {
        run.maxRuntimeMillis = template.rules().maxRuntimeMillis();
      }
    }
  }

  private void begin(HeldLease held, TaskTemplate template) {
    if (template.kind() == JobKind.NOOP) {
      long nowMillis = System.currentTimeMillis();
      Finished report =
          Finished.newBuilder()
              .setLease(held.wire())
              .setOutcome(Outcome.SUCCEEDED)
              .setStartedMillis(nowMillis)
              .setEndedMillis(nowMillis)
              .build();
      held.markSent(true); // first: the runner sends again what is finished and not sent
      held.finish(report);
      send(report);
    } else {
      runner.note(() -> runner.accept(held, template));
    }
  }

  private void stopped(Stop stop) {
    HeldLease held = parts.holdings.find(token(stop.getLease()));
    if (held != null) {
      templates.dropWaiting(held);
      runner.note(
          () -> {
            if (held.run != null) {
              runner.stop(held, TaskRun.Cause.STOPPED, stop.getReason());
            } else if (held.report() == null) {
              delivery.deliver(
                  held, Reporting.withoutRun(held, Outcome.STOPPED, 0, stop.getReason()));
            }
          });
    }
  }

  /** Gives back the leases whose jobs were never described. */
  void giveBackWaiting() {
    runner.note(
        () -> {
          for (HeldLease held : parts.holdings.all()) {
            if (held.run == null && held.report() == null) {
              templates.dropWaiting(held);
              delivery.deliver(
                  held, Reporting.withoutRun(held, Outcome.GIVEN_BACK, 0, "The agent was closed."));
            }
          }
        });
  }

  /** The server says that a lease is not ours any more: whatever it has come to is of no use. */
  private void forgotten(dev.imker.wire.proto.Lease lease) {
    HeldLease held = parts.holdings.find(token(lease));
    if (held == null) {
      return;
    }
    templates.dropWaiting(held);
    runner.note(
        () -> {
          if (held.run == null || held.run.isOver()) {
            delivery.confirmed(held.token());
          } else {
            runner.stop(held, TaskRun.Cause.FORGOTTEN, "The lease is no longer valid.");
          }
        });
  }

  private void followed(FollowLog follow) {
    HeldLease held = parts.holdings.find(token(follow.getLease()));
    if (held != null) {
      runner.note(() -> runner.follow(held, follow));
    } else {
      LogChunk.Builder last = LogChunk.newBuilder().setLease(follow.getLease()).setLast(true);
      send(last.setStream(LogChunk.Stream.STDOUT).setOffset(follow.getStdoutOffset()).build());
      send(last.setStream(LogChunk.Stream.STDERR).setOffset(follow.getStderrOffset()).build());
    }
  }

  // ------------------------------------------------------------------ signs of life

  /** Tasks are frozen for a reason, or go on without one: the server is to know at once. */
  void paused(String why) {
    pause = why;
    runner.note(this::signNow);
  }

  private void tick() {
    delivery.sendUnsent();
    parts.spawning().sendUnsent();
    long nowNanos = System.nanoTime();
    if (nowNanos - lastSignNanos >= TimeUnit.MILLISECONDS.toNanos(signOfLifeMillis)) {
      signNow();
    }
  }

  private void signNow() {
    lastSignNanos = System.nanoTime();
    trySend(
        SignOfLife.newBuilder()
            .addAllHeld(parts.holdings.wireLeases())
            .setLoad(PlatformProbe.load())
            .setFreeMemoryBytes(PlatformProbe.freeMemoryBytes())
            .setSentMillis(System.currentTimeMillis())
            .setPaused(!pause.isEmpty())
            .setPauseReason(pause)
            .putAllPausedMillis(parts.holdings.pausedMillis())
            .build());
  }
}
