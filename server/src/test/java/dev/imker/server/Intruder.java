package dev.imker.server;

import static org.awaitility.Awaitility.await;

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
import dev.imker.wire.proto.FollowLog;
import dev.imker.wire.proto.Hello;
import dev.imker.wire.proto.JobDescription;
import dev.imker.wire.proto.Refused;
import dev.imker.wire.proto.SignOfLife;
import dev.imker.wire.proto.SignOfLifeReply;
import dev.imker.wire.proto.SpawnAnswer;
import dev.imker.wire.proto.Stop;
import dev.imker.wire.proto.Welcome;
import io.vertx.core.Vertx;
import java.net.URI;
import java.security.KeyPair;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;

/** Somebody with a join token who says what no honest agent would. */
final class Intruder implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  static final String PLATFORM =
      """
      {"os":"linux","osVersion":"6","arch":"x86_64","hostName":"h","cores":4,"gpus":0,
       "memoryBytes":8589934592,"diskBytes":68719476736,"benchmarkMillis":1.0,
       "runtimes":{},"labels":[]}
      """;

  private final Vertx vertx = Vertx.vertx();
  private final Connector connector;
  private final BlockingQueue<Object> answers = new LinkedBlockingQueue<>();
  final List<CloseReason> closed = new CopyOnWriteArrayList<>();

  /**
   * @param hello what it says of itself in a session with this challenge
   */
  Intruder(String joinToken, BiFunction<Hello.Builder, byte[], Hello.Builder> hello) {
    this(joinToken, hello, List.of());
  }

  /**
   * @param burst what it says right after the hello, without waiting for an answer
   */
  Intruder(
      String joinToken, BiFunction<Hello.Builder, byte[], Hello.Builder> hello, List<?> burst) {
    JoinToken token = JoinToken.parse(joinToken);
    connector =
        Connector.builder(
                vertx,
                MessageTypes.directory()
                    .on(Welcome.class, (_, message) -> answers.add(message))
                    .on(Refused.class, (_, message) -> answers.add(message))
                    .on(JobDescription.class, (_, message) -> answers.add(message))
                    .on(Assignment.class, (_, message) -> answers.add(message))
                    .on(Confirmed.class, (_, message) -> answers.add(message))
                    .on(FollowLog.class, (_, message) -> answers.add(message))
                    .on(Stop.class, (_, message) -> answers.add(message))
                    .on(SpawnAnswer.class, (_, message) -> answers.add(message))
                    .on(SignOfLifeReply.class, (_, message) -> answers.add(message))
                    .build())
            .addresses(
                List.of(
                    URI.create(
                        token.urls().getFirst().replaceFirst("^http", "ws") + "/api/v1/agent")))
            .header("Authorization", "Bearer " + token.secret())
            .retry(Duration.ofHours(1), Duration.ofHours(1))
            .listener(
                new SessionListener() {
                  @Override
                  public void opened(Session session) {
                    session.send(hello.apply(usual(), session.challenge()).build());
                    burst.forEach(session::trySend);
                  }

                  @Override
                  public void closed(Session session, CloseReason reason) {
                    closed.add(reason);
                  }
                })
            .start();
  }

  private static Hello.Builder usual() {
    return Hello.newBuilder()
        .setProtocol(2)
        .setAgentName("i")
        .setAgentId("agent-i")
        .setNodeId("node-i")
        .setVersion("test")
        .setSlots(1)
        .setSlotsSet(true)
        .setSandboxed(true)
        .setIncarnation(1)
        .setPlatformJson(PLATFORM);
  }

  /** One that has joined with a key of its own. */
  static Intruder joined(TestServer server, String id) {
    return new Intruder(
        server.running().joinToken(),
        (hello, challenge) ->
            signed(hello.setAgentId(id).setNodeId("node-of-" + id), challenge, "key of " + id));
  }

  static Hello.Builder signed(Hello.Builder hello, byte[] challenge, String key) {
    KeyPair pair = TestKeys.of(key);
    return HelloProof.sign(hello, challenge, pair, pair);
  }

  void say(Object message) {
    if (connector.session().isEmpty()) {
      await().atMost(PATIENCE).until(() -> connector.session().isPresent() || !closed.isEmpty());
    }
    try {
      connector.session().ifPresent(session -> session.send(message));
    } catch (WireException e) {
      // It was hung up on.
    }
  }

  /** The next answer of a kind; others before it are thrown away. */
  <T> T next(Class<T> kind) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < deadline) {
      try {
        Object answer = answers.poll(100, TimeUnit.MILLISECONDS);
        if (kind.isInstance(answer)) {
          return kind.cast(answer);
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
    throw new AssertionError("no " + kind.getSimpleName() + " came");
  }

  /** Whatever has come by the time the server has dealt with all that was said so far. */
  List<Object> allSoFar() {
    long mark = System.nanoTime() & Long.MAX_VALUE;
    say(SignOfLife.newBuilder().setSentMillis(mark).build());
    List<Object> all = new CopyOnWriteArrayList<>();
    while (true) {
      try {
        Object answer = answers.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        if (answer == null) {
          throw new AssertionError("no answer to a sign of life");
        }
        if (answer instanceof SignOfLifeReply reply && reply.getSentMillis() == mark) {
          return all;
        }
        all.add(answer);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** What has come and was not asked for yet. */
  List<Object> heard() {
    return List.copyOf(answers);
  }

  void awaitHungUp() {
    await().atMost(PATIENCE).until(() -> !closed.isEmpty());
  }

  @Override
  public void close() {
    connector.close("the test is over");
    await().atMost(PATIENCE).until(() -> connector.session().isEmpty());
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
