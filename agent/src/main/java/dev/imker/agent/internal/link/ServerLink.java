package dev.imker.agent.internal.link;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.imker.agent.AgentState;
import dev.imker.agent.internal.cache.ServerAccess;
import dev.imker.agent.internal.lease.Uplink;
import dev.imker.agent.internal.platform.MachineUse;
import dev.imker.agent.internal.report.Attestor;
import dev.imker.agent.internal.report.Delivery;
import dev.imker.agent.internal.run.TaskRunner;
import dev.imker.model.Lease;
import dev.imker.wire.CloseReason;
import dev.imker.wire.MessageDirectory;
import dev.imker.wire.MessageTypes;
import dev.imker.wire.Session;
import dev.imker.wire.SessionListener;
import dev.imker.wire.WireLeases;
import dev.imker.wire.connect.ConnectionState;
import dev.imker.wire.connect.Connector;
import dev.imker.wire.connect.HelloProof;
import dev.imker.wire.failure.SessionClosedException;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Confirmed;
import dev.imker.wire.proto.Drain;
import dev.imker.wire.proto.FollowLog;
import dev.imker.wire.proto.Hello;
import dev.imker.wire.proto.JobDescription;
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
 * The connection to the server: mutual introduction and signs of life. Messages about leases go to
 * {@link LeaseMessages}.
 */
final class ServerLink implements SessionListener, Uplink {
  private static final Logger LOG = LoggerFactory.getLogger(ServerLink.class);

  /** Since version 2 agents prove who they are. */
  private static final int PROTOCOL = 2;

  private static final int OLDEST_PROTOCOL = 2;
  private static final int MAX_ADDRESSES = 32;
  private static final String PATH = "/api/v1/agent";
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final long DEFAULT_SIGN_OF_LIFE_MILLIS = 5_000;

  private final AgentParts parts;
  private final String name;
  private final Vertx vertx;
  private final Consumer<AgentState> onState;
  private final Consumer<Welcome> onWelcome;
  private final Consumer<String> onPauseOrder;
  private final Delivery delivery;
  private final TaskRunner runner;
  private final LeaseMessages leases;
  private final LapsingLeases lapsing;
  private final SelfKnowledge self;
  private final MachineUse machine;
  private final long incarnation = System.currentTimeMillis();
  private List<String> knownServers = List.of();
  private volatile @Nullable Connector connector;
  private volatile @Nullable Session session;
  private volatile @Nullable Outflow outflow;
  private volatile @Nullable Welcome welcome;

  /** Of this connection or the last one before it. */
  private volatile Welcome lastWelcome = Welcome.getDefaultInstance();

  private volatile URI address;
  private volatile boolean draining;
  private volatile String pause = "";
  private volatile long signOfLifeMillis = DEFAULT_SIGN_OF_LIFE_MILLIS;
  private long lastSignNanos = System.nanoTime();
  private volatile long helloNanos;

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
    this.delivery =
        new Delivery(
            parts.holdings,
            parts.journal,
            this,
            Attestor.of(parts.folder.id(), parts.folder.nodeKey().getPrivate()));
    this.runner = parts.runner(delivery, this, this::tick);
    this.leases = new LeaseMessages(parts.holdings, delivery, runner, this::send);
    this.lapsing = new LapsingLeases(parts.holdings, runner, parts.offer::lacks);
    this.self = new SelfKnowledge(parts, this::tellPlatform);
    this.machine = new MachineUse(parts.settings.dataFolder());
  }

  SelfKnowledge self() {
    return self;
  }

  TaskRunner runner() {
    return runner;
  }

  LeaseMessages leases() {
    return leases;
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
    return urls.stream().map(url -> URI.create(url.replaceFirst("^http", "ws") + PATH)).toList();
  }

  /**
   * The pool may have servers now that did not exist when the join token was created. A server that
   * is no longer listed may only be away, and may be the next leader: it is tried last.
   */
  private synchronized void learnServers(List<String> servers) {
    Connector current = connector;
    if (current != null && !servers.isEmpty()) {
      Set<String> all = new LinkedHashSet<>(servers);
      all.addAll(parts.settings.join().urls());
      all.addAll(knownServers);
      knownServers = all.stream().limit(MAX_ADDRESSES).toList();
      current.addresses(webSockets(knownServers));
    }
  }

  private MessageDirectory directory() {
    return MessageTypes.directory()
        .on(Welcome.class, (_, message) -> welcomed(message))
        .on(Refused.class, (_, refused) -> refused(refused.getReason()))
        .on(Servers.class, (_, message) -> serversChanged(message.getServersList()))
        .on(JobDescription.class, (_, description) -> leases.described(description))
        .on(Assignment.class, (_, assignment) -> leases.assigned(assignment))
        .on(Stop.class, (_, stop) -> leases.stopped(stop))
        .on(Pause.class, (_, order) -> onPauseOrder.accept(order.getWhy()))
        .on(Confirmed.class, (_, message) -> confirmed(message))
        .on(SignOfLifeReply.class, (_, reply) -> heard(reply))
        .on(FollowLog.class, (_, follow) -> leases.followed(follow))
        .on(SpawnAnswer.class, (_, answer) -> parts.spawning().answered(answer))
        .build();
  }

  private void heard(SignOfLifeReply reply) {
    lapsing.heard(TimeUnit.MILLISECONDS.toNanos(reply.getSentMillis()));
    reply.getUnknownList().forEach(leases::forgotten);
  }

  private void confirmed(Confirmed message) {
    Lease lease = WireLeases.of(message.getLease());
    if (!message.getAccepted()) {
      LOG.info(
          "Task {}: its report is discarded; the task was cancelled or given to another agent.",
          lease.task());
    }
    delivery.confirmed(lease);
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
            ? new AgentState.Refused("The server rejects the join token: " + refused.reason())
            : new AgentState.Disconnected(refused.reason()));
  }

  /** A proxy may have put the server below a path of its own. */
  private static URI base(URI webSocket) {
    String scheme = "wss".equals(webSocket.getScheme()) ? "https" : "http";
    String below = webSocket.getRawPath();
    return URI.create(
        scheme
            + "://"
            + webSocket.getRawAuthority()
            + (below.endsWith(PATH) ? below.substring(0, below.length() - PATH.length()) : ""));
  }

  @Override
  public void opened(Session opened) {
    welcome = null;
    helloNanos = parts.holdings.nanoTime();
    session = opened;
    outflow = new Outflow(opened);
    Welcome last = lastWelcome;
    Hello.Builder hello =
        Hello.newBuilder()
            .setProtocol(PROTOCOL)
            .setOldestProtocol(OLDEST_PROTOCOL)
            .setAgentName(name)
            .setNodeId(parts.node.value())
            .setAgentId(parts.folder.id().value())
            .setVersion(version())
            .setSlots(parts.settings.slots() > 0 ? parts.settings.slots() : parts.offer.slots())
            .setSlotsSet(parts.settings.slots() > 0)
            .setSandboxed(parts.confinement.isSandbox())
            .addAllServes(parts.policy.serves())
            .setLongestTaskMillis(parts.policy.longestMillis())
            .setPlatformJson(platform())
            .setIncarnation(incarnation)
            .addAllHeld(parts.holdings.wireLeases())
            .setPauseReason(pause)
            .putAllPausedMillis(parts.holdings.pausedMillis())
            .setLastEpoch(last.getEpoch())
            .setLastIncarnation(last.getIncarnation());
    send(
        HelloProof.sign(hello, opened.challenge(), parts.folder.key(), parts.folder.nodeKey())
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

  /** The machine or its offer has changed. */
  void tellPlatform() {
    if (welcome != null) {
      send(PlatformChanged.newBuilder().setPlatformJson(platform()).build());
    }
  }

  private void welcomed(Welcome message) {
    welcome = message;
    lastWelcome = message;
    lapsing.welcomed(helloNanos, message.getLeaseMillis());
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

  // ------------------------------------------------------------------ signs of life

  /**
   * Tasks are frozen for a reason, or resumed if it is empty: the server is notified immediately.
   */
  void paused(String why) {
    pause = why;
    runner.note(this::signNow);
  }

  private void tick() {
    delivery.sendUnsent();
    leases.askAgain();
    lapsing.look();
    parts.spawning().sendUnsent();
    long nowNanos = System.nanoTime();
    long usualNanos = TimeUnit.MILLISECONDS.toNanos(signOfLifeMillis);
    if (nowNanos - lastSignNanos >= lapsing.signNanos(usualNanos)) {
      signNow();
    }
  }

  private void signNow() {
    lastSignNanos = System.nanoTime();
    trySend(
        SignOfLife.newBuilder()
            .addAllHeld(parts.holdings.wireLeases())
            .setSentMillis(TimeUnit.NANOSECONDS.toMillis(parts.holdings.nanoTime()))
            .setPaused(!pause.isEmpty())
            .setPauseReason(pause)
            .putAllPausedMillis(parts.holdings.pausedMillis())
            .putAllUsage(parts.holdings.usage())
            .setMachine(machine.now())
            .build());
  }
}
