package dev.imker.server.gateway;

import dev.imker.model.AgentId;
import dev.imker.model.JobId;
import dev.imker.model.NodeId;
import dev.imker.server.live.LiveJob;
import dev.imker.wire.Session;
import dev.imker.wire.failure.WireException;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The channel to one agent. Sending never blocks: what the session cannot accept immediately is
 * queued here and follows in order. The queue stays short because an agent holds a limited number
 * of leases.
 */
final class AgentChannel {
  private static final Logger LOG = LoggerFactory.getLogger(AgentChannel.class);

  /** An agent that is told of an older stage again has lost nothing but a few bytes. */
  private static final int MAX_DESCRIBED = 256;

  /** A job whose limits were changed has another edition, and is described again. */
  private record Described(JobId job, int edition, int stage) {
    boolean is(LiveJob other, int otherStage) {
      return edition == other.edition() && stage == otherStage && job.equals(other.id());
    }
  }

  private final AgentId agent;

  /** Of machines with one id, such as copies of a disk, the pool tells each by an id of its own. */
  private volatile NodeId node;

  private final Session session;
  private final LinkedHashSet<Described> described = new LinkedHashSet<>();
  private @Nullable Described lastDescribed;
  private final Queue<Object> overflow = new ArrayDeque<>();
  private boolean draining;

  /** Of what it says; on the thread of its session. */
  final MessagePace pace = new MessagePace(System::nanoTime);

  AgentChannel(AgentId agent, NodeId node, Session session) {
    this.agent = agent;
    this.node = node;
    this.session = session;
  }

  AgentId agent() {
    return agent;
  }

  NodeId node() {
    return node;
  }

  /** What the pool calls its machine. */
  void isOn(NodeId called) {
    node = called;
  }

  Session session() {
    return session;
  }

  /** Whether this agent still needs the description of a stage; on the loop's thread only. */
  boolean describe(LiveJob job, int stage) {
    Described last = lastDescribed;
    if (last != null && last.is(job, stage)) {
      return false;
    }
    Described wanted = new Described(job.id(), job.edition(), stage);
    lastDescribed = wanted;
    boolean fresh = described.add(wanted);
    if (described.size() > MAX_DESCRIBED) {
      described.removeFirst();
    }
    return fresh;
  }

  synchronized void send(Object message) {
    // An agent that is gone comes back with a new session and says what it holds.
    if (session.isClosed()) {
      return;
    }
    try {
      if (!draining && session.trySend(message)) {
        return;
      }
    } catch (WireException gone) {
      return;
    }
    overflow.add(message);
    if (!draining) {
      draining = true;
      Thread.ofVirtual().name("to-" + agent).start(this::drain);
    }
  }

  private void drain() {
    try {
      for (Object message = next(); message != null; message = next()) {
        session.send(message);
      }
    } catch (WireException gone) {
      LOG.debug("{} disconnected with undelivered messages: {}", agent, gone.getMessage());
    }
  }

  private synchronized @Nullable Object next() {
    Object message = overflow.poll();
    draining = message != null;
    return message;
  }
}
