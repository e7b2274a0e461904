package dev.imker.server;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.google.protobuf.ByteString;
import dev.imker.model.Platform;
import dev.imker.model.connection.JoinToken;
import dev.imker.wire.CloseReason;
import dev.imker.wire.MessageTypes;
import dev.imker.wire.Session;
import dev.imker.wire.SessionListener;
import dev.imker.wire.connect.Connector;
import dev.imker.wire.connect.HelloProof;
import dev.imker.wire.failure.WireException;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Confirmed;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.FollowLog;
import dev.imker.wire.proto.Hello;
import dev.imker.wire.proto.JobDescription;
import dev.imker.wire.proto.Lease;
import dev.imker.wire.proto.LogChunk;
import dev.imker.wire.proto.Outcome;
import dev.imker.wire.proto.Pause;
import dev.imker.wire.proto.Refused;
import dev.imker.wire.proto.Servers;
import dev.imker.wire.proto.SignOfLife;
import dev.imker.wire.proto.SignOfLifeReply;
import dev.imker.wire.proto.Stop;
import dev.imker.wire.proto.Welcome;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * An agent that speaks the real protocol over a real socket but runs nothing: a test, or a function
 * given by it, says how each task ends. Like a real one it keeps what is not confirmed, names it
 * when it comes back, and sends it again.
 */
public final class TestAgent implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 60;
  private final Vertx vertx = Vertx.vertx();
  private final Connector connector;
  private final String name;
  private final int slots;
  private final Map<Long, Lease> held = new ConcurrentSkipListMap<>();
  private final Map<Long, Finished> unconfirmed = new ConcurrentSkipListMap<>();
  private final Map<Long, String> templates = new ConcurrentHashMap<>();
  private final Map<Lease, Assignment.Builder> unfinished = new HashMap<>();
  private final BlockingQueue<Assignment> assignments = new LinkedBlockingQueue<>();
  private final BlockingQueue<Confirmed> confirmations = new LinkedBlockingQueue<>();
  private final BlockingQueue<Stop> stops = new LinkedBlockingQueue<>();
  private final BlockingQueue<Pause> pauses = new LinkedBlockingQueue<>();
  private final BlockingQueue<Welcome> welcomes = new LinkedBlockingQueue<>();
  private final BlockingQueue<Servers> servers = new LinkedBlockingQueue<>();
  private final BlockingQueue<Refused> refusals = new LinkedBlockingQueue<>();
  private final BlockingQueue<FollowLog> follows = new LinkedBlockingQueue<>();
  private final BlockingQueue<SignOfLifeReply> replies = new LinkedBlockingQueue<>();
  private final long incarnation = System.nanoTime();
  private volatile @Nullable Function<Assignment, Finished> automatic;
  private volatile Consumer<Confirmed> onConfirmed = message -> {};
  private volatile boolean signsOfLife = true;
  private volatile int protocol = 2;
  private final String key;

  private final boolean sandboxed;

  private TestAgent(
      JoinToken token,
      String name,
      int slots,
      int protocol,
      String key,
      @Nullable Function<Assignment, Finished> how) {
    this(token, name, slots, protocol, key, how, true);
  }

  private TestAgent(
      JoinToken token,
      String name,
      int slots,
      int protocol,
      String key,
      @Nullable Function<Assignment, Finished> how,
      boolean sandboxed) {
    this.sandboxed = sandboxed;
    this.automatic = how;
    this.name = name;
    this.key = key;
    this.slots = slots;
    this.protocol = protocol;
    var directory =
        MessageTypes.directory()
            .on(Welcome.class, (session, message) -> welcomed(session, message))
            .on(Refused.class, (session, message) -> refusals.add(message))
            .on(Servers.class, (session, message) -> servers.add(message))
            .on(JobDescription.class, (session, message) -> described(message))
            .on(Assignment.class, (session, message) -> assigned(message))
            .on(Confirmed.class, (session, message) -> confirmed(message))
            .on(Stop.class, (session, message) -> stops.add(message))
            .on(Pause.class, (session, message) -> pauses.add(message))
            .on(FollowLog.class, (session, message) -> follows.add(message))
            .on(SignOfLifeReply.class, (session, message) -> replies.add(message))
            .build();
    Connector.Builder builder =
        Connector.builder(vertx, directory)
            .addresses(token.urls().stream().map(TestAgent::socket).toList())
            .header("Authorization", "Bearer " + token.secret())
            .retry(Duration.ofMillis(20), Duration.ofMillis(200))
            .listener(new Listener());
    if (!token.fingerprint().isEmpty()) {
      builder.pinnedSha256(token.fingerprint());
    }
    connector = builder.start();
    vertx.setPeriodic(100, timer -> signOfLife());
  }

  public static TestAgent connect(String joinToken, String name, int slots) {
    return new TestAgent(JoinToken.parse(joinToken), name, slots, 2, "key of " + name, null);
  }

  /** One that says that it has no sandbox. */
  public static TestAgent unsandboxed(String joinToken, String name, int slots) {
    return new TestAgent(JoinToken.parse(joinToken), name, slots, 2, "key of " + name, null, false);
  }

  /** One that ends every task like this at once, also those that wait for it already. */
  public static TestAgent finishing(
      String joinToken, String name, int slots, Function<Assignment, Finished> how) {
    return new TestAgent(JoinToken.parse(joinToken), name, slots, 2, "key of " + name, how);
  }

  /** One with a key that is not the usual one of its name. */
  public static TestAgent connect(String joinToken, String name, String key) {
    return new TestAgent(JoinToken.parse(joinToken), name, 1, 2, key, null);
  }

  public static TestAgent connect(JoinToken joinToken, String name, int slots, int protocol) {
    return new TestAgent(joinToken, name, slots, protocol, "key of " + name, null);
  }

  private static URI socket(String url) {
    return URI.create(url.replaceFirst("^http", "ws") + "/api/v1/agent");
  }

  private final class Listener implements SessionListener {
    @Override
    public void opened(Session session) {
      Hello.Builder hello =
          Hello.newBuilder()
              .setProtocol(protocol)
              .setAgentName(name)
              .setAgentId("agent-" + name)
              .setNodeId("node-" + name)
              .setVersion("test")
              .setSlots(slots)
              .setSlotsSet(true)
              .setSandboxed(sandboxed)
              .setIncarnation(incarnation)
              .setPlatformJson(platform())
              .addAllHeld(held.values());
      session.send(
          HelloProof.sign(hello, session.challenge(), TestKeys.of(key), TestKeys.of(key)).build());
    }

    @Override
    public void closed(Session session, CloseReason reason) {}
  }

  private String platform() {
    try {
      return Rest.JSON.writeValueAsString(
          new Platform(
              "linux",
              "6",
              "x86_64",
              "host-" + name,
              64,
              0,
              1L << 33,
              1L << 36,
              1.0,
              Map.of(),
              Set.of()));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  // ---------------------------------------------------------------- what the server says

  private void welcomed(Session session, Welcome message) {
    welcomes.add(message);
    unconfirmed.values().forEach(session::send);
  }

  private void described(JobDescription message) {
    templates.put(message.getJob(), message.getSpecJson().toStringUtf8());
  }

  private void assigned(Assignment part) {
    Assignment.Builder whole =
        unfinished.computeIfAbsent(part.getLease(), _ -> Assignment.newBuilder()).mergeFrom(part);
    if (part.getMore()) {
      return;
    }
    unfinished.remove(part.getLease());
    Assignment message = whole.setMore(false).build();
    held.put(message.getLease().getToken(), message.getLease());
    Function<Assignment, Finished> how = automatic;
    if (how == null) {
      assignments.add(message);
    } else {
      finish(how.apply(message));
    }
  }

  private void confirmed(Confirmed message) {
    held.remove(message.getLease().getToken());
    unconfirmed.remove(message.getLease().getToken());
    confirmations.add(message);
    onConfirmed.accept(message);
  }

  private void signOfLife() {
    if (signsOfLife) {
      trySend(SignOfLife.newBuilder().addAllHeld(held.values()).setSentMillis(incarnation).build());
    }
  }

  private void trySend(Object message) {
    connector
        .session()
        .ifPresent(
            session -> {
              try {
                session.trySend(message);
              } catch (WireException e) {
                // It comes again after the next welcome.
              }
            });
  }

  // ---------------------------------------------------------------- what a test makes it do

  /** Who hears of every confirmation, on the agent's delivery thread. */
  public void onConfirmed(Consumer<Confirmed> listener) {
    onConfirmed = listener;
  }

  /** From now on every task ends like this at once. */
  public void finishAll(Function<Assignment, Finished> how) {
    automatic = how;
  }

  public static Finished.Builder done(Assignment assignment) {
    long now = System.currentTimeMillis();
    return Finished.newBuilder()
        .setLease(assignment.getLease())
        .setOutcome(Outcome.SUCCEEDED)
        .setStartedMillis(now)
        .setEndedMillis(now);
  }

  public static Finished success(Assignment assignment) {
    return done(assignment).build();
  }

  public static Finished failure(Assignment assignment, int exitCode) {
    return done(assignment).setOutcome(Outcome.FAILED).setExitCode(exitCode).build();
  }

  /** Reports; waits for room to send, unlike the handlers of the protocol. */
  public void finish(Finished finished) {
    unconfirmed.put(finished.getLease().getToken(), finished);
    connector
        .session()
        .ifPresent(
            session -> {
              try {
                session.send(finished);
              } catch (WireException e) {
                // It comes again after the next welcome.
              }
            });
  }

  public void log(Lease lease, LogChunk.Stream stream, long offset, String text) {
    trySend(
        LogChunk.newBuilder()
            .setLease(lease)
            .setStream(stream)
            .setOffset(offset)
            .setData(ByteString.copyFromUtf8(text))
            .build());
  }

  /** Sends any message. */
  public void send(Object message) {
    trySend(message);
  }

  public void fallSilent() {
    signsOfLife = false;
  }

  public void forget(Lease lease) {
    held.remove(lease.getToken());
  }

  public String template(long job) {
    return templates.getOrDefault(job, "");
  }

  public int heldCount() {
    return held.size();
  }

  public Assignment nextAssignment() {
    return next(assignments, "assignment");
  }

  public Confirmed nextConfirmed() {
    return next(confirmations, "confirmation");
  }

  public Stop nextStop() {
    return next(stops, "stop");
  }

  public Pause nextPause() {
    return next(pauses, "pause");
  }

  public Welcome nextWelcome() {
    return next(welcomes, "welcome");
  }

  public int waitingWelcomes() {
    return welcomes.size();
  }

  public Refused nextRefused() {
    return next(refusals, "refusal");
  }

  public Servers nextServers() {
    return next(servers, "list of servers");
  }

  public FollowLog nextFollow() {
    return next(follows, "follow");
  }

  public SignOfLifeReply nextReply() {
    return next(replies, "reply");
  }

  /** Keeps memory small in long runs. */
  public void clearConfirmations() {
    confirmations.clear();
    replies.clear();
  }

  public List<Assignment> waitingAssignments() {
    return List.copyOf(assignments);
  }

  private static <T> T next(BlockingQueue<T> queue, String what) {
    try {
      T message = queue.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      if (message == null) {
        throw new AssertionError("no " + what + " came");
      }
      return message;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    connector.close("the test is over");
    await().atMost(Duration.ofSeconds(PATIENCE_SECONDS)).until(() -> connector.session().isEmpty());
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
