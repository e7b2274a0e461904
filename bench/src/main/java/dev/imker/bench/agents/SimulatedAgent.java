package dev.imker.bench.agents;

import dev.imker.wire.CloseReason;
import dev.imker.wire.MessageDirectory;
import dev.imker.wire.MessageTypes;
import dev.imker.wire.Session;
import dev.imker.wire.SessionListener;
import dev.imker.wire.connect.Connector;
import dev.imker.wire.connect.HelloProof;
import dev.imker.wire.failure.WireException;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Confirmed;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.Hello;
import dev.imker.wire.proto.Outcome;
import dev.imker.wire.proto.SignOfLife;
import dev.imker.wire.proto.SignOfLifeReply;
import dev.imker.wire.proto.Stop;
import dev.imker.wire.proto.Welcome;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Speaks as a real agent does, but every task it is given ends at once. Keeps reports until they
 * are confirmed and sends them again after a reconnect.
 */
final class SimulatedAgent implements SessionListener {

  private final String name;
  private final int slots;
  private final String platformJson;
  private final SwarmTally tally;
  private final Map<Long, Finished> unconfirmed = new ConcurrentHashMap<>(4);
  private final KeyPair key = newKey();
  private boolean welcomed;

  SimulatedAgent(String name, int slots, String platformJson, SwarmTally tally) {
    this.name = name;
    this.slots = slots;
    this.platformJson = platformJson;
    this.tally = tally;
  }

  /** One for all agents: a session knows whose it is by its attachment. */
  static MessageDirectory directory() {
    return MessageTypes.directory()
        .on(Welcome.class, (session, _) -> of(session).onWelcome(session))
        .on(Assignment.class, (session, message) -> of(session).onAssignment(session, message))
        .onInline(Confirmed.class, (session, message) -> of(session).onConfirmed(message))
        .onInline(Stop.class, (session, message) -> of(session).onStop(message))
        .onInline(SignOfLifeReply.class, (session, message) -> of(session).onReply(message))
        .build();
  }

  private static SimulatedAgent of(Session session) {
    return (SimulatedAgent) Objects.requireNonNull(session.attachment());
  }

  // ---------------------------------------------------------------- connection

  @Override
  public void opened(Session session) {
    tally.opened();
    session.attach(this);
    Hello.Builder hello =
        Hello.newBuilder()
            .setProtocol(2)
            .setAgentName(name)
            .setAgentId("agent-" + name)
            .setNodeId("node-" + name)
            .setVersion("bench")
            .setSlots(slots)
            .setSlotsSet(true)
            .setSandboxed(true)
            .setIncarnation(1)
            .setPlatformJson(platformJson);
    unconfirmed.values().forEach(finished -> hello.addHeld(finished.getLease()));
    send(session, HelloProof.sign(hello, session.challenge(), key, key).build());
  }

  private static KeyPair newKey() {
    try {
      return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has Ed25519", e);
    }
  }

  @Override
  public void closed(Session session, CloseReason reason) {
    setWelcomed(false);
  }

  private synchronized void setWelcomed(boolean now) {
    if (welcomed != now) {
      welcomed = now;
      tally.here(now);
    }
  }

  private void onWelcome(Session session) {
    setWelcomed(true);
    unconfirmed.values().forEach(finished -> report(session, finished));
  }

  // ---------------------------------------------------------------- work

  private void onAssignment(Session session, Assignment assignment) {
    long now = System.currentTimeMillis();
    Finished finished =
        Finished.newBuilder()
            .setLease(assignment.getLease())
            .setOutcome(Outcome.SUCCEEDED)
            .setStartedMillis(now)
            .setEndedMillis(now)
            .build();
    unconfirmed.put(assignment.getLease().getToken(), finished);
    report(session, finished);
  }

  /** Waits for room: an agent may get thousands of quick tasks at once. */
  private static void report(Session session, Finished finished) {
    try {
      session.send(finished);
    } catch (WireException gone) {
      // It comes again after the next welcome.
    }
  }

  private void onConfirmed(Confirmed message) {
    unconfirmed.remove(message.getLease().getToken());
    tally.confirmed();
  }

  private void onStop(Stop message) {
    unconfirmed.remove(message.getLease().getToken());
  }

  // ---------------------------------------------------------------- signs of life

  /** The time sent is in microseconds; the server only echoes it. */
  void signOfLife(Connector connector) {
    Session session = connector.session().orElse(null);
    if (session != null && isWelcomed()) {
      SignOfLife.Builder sign = SignOfLife.newBuilder().setSentMillis(nowMicros());
      unconfirmed.values().forEach(finished -> sign.addHeld(finished.getLease()));
      send(session, sign.build());
      tally.signSent();
    }
  }

  private synchronized boolean isWelcomed() {
    return welcomed;
  }

  private void onReply(SignOfLifeReply reply) {
    tally.replied(nowMicros() - reply.getSentMillis());
  }

  private static long nowMicros() {
    return TimeUnit.NANOSECONDS.toMicros(System.nanoTime());
  }

  private static void send(Session session, Object message) {
    try {
      if (!session.trySend(message)) {
        throw new IllegalStateException("an agent's send queue is full");
      }
    } catch (WireException gone) {
      // What matters comes again after the next welcome.
    }
  }
}
