package dev.imker.chaos.simulated;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A connection of an agent with a server, as both ends believe in it. What is sent arrives in its
 * order or not at all; after a cut nothing more does, and each end finds out in its own time.
 */
final class Line {
  final SimAgent agent;
  final ServerProcess server;
  private final World world;
  private final Network network;
  boolean openAtAgent = true;
  boolean openAtServer = true;

  /** The server has let the agent in; from then on what it says counts. */
  boolean admitted;

  /** Which stages of which editions of jobs the agent was told of. */
  final Set<List<Object>> described = new HashSet<>();

  private long cutNanos = Long.MAX_VALUE;
  private long lastToServerNanos;
  private long lastToAgentNanos;

  Line(World world, Network network, SimAgent agent, ServerProcess server) {
    this.world = world;
    this.network = network;
    this.agent = agent;
    this.server = server;
  }

  void toServer(Runnable message) {
    lastToServerNanos = Math.max(lastToServerNanos, arrival());
    long at = lastToServerNanos;
    if (openAtAgent && at < cutNanos) {
      world.in(millisUntil(at), () -> arriveAtServer(at, message));
    }
  }

  private void arriveAtServer(long at, Runnable message) {
    if (!server.isAlive() || !openAtServer || at > cutNanos) {
      return;
    }
    if (server.isStill()) {
      world.in(server.stillForMillis(), () -> arriveAtServer(at, message));
    } else {
      server.guard(message);
    }
  }

  void toAgent(Runnable message) {
    lastToAgentNanos = Math.max(lastToAgentNanos, arrival());
    long at = lastToAgentNanos;
    if (openAtServer && server.isAlive() && at < cutNanos) {
      world.in(millisUntil(at), () -> arriveAtAgent(at, message));
    }
  }

  private void arriveAtAgent(long at, Runnable message) {
    if (!openAtAgent || at > cutNanos) {
      return;
    }
    if (agent.isStill()) {
      world.in(agent.stillForMillis(), () -> arriveAtAgent(at, message));
    } else {
      agent.heard(this);
      message.run();
    }
  }

  private long arrival() {
    double delay = world.between(0.2, world.oneIn(20) ? 200 : 5);
    long free = Math.max(world.nanos(), network.openFrom(agent.number, server.number()));
    return free + (long) (delay * 1_000_000);
  }

  private double millisUntil(long nanos) {
    return Math.max(0, (nanos - world.nanos()) / 1e6);
  }

  /** The connection is gone; what is on its way arrives up to a moment. */
  void cut(double afterMillis) {
    cutNanos = Math.min(cutNanos, world.nanos() + (long) (afterMillis * 1_000_000));
  }

  /** The agent does not believe in it any more; the server may for a while. */
  void closeAtAgent() {
    if (openAtAgent) {
      openAtAgent = false;
      cut(world.oneIn(2) ? 0 : 1_000.0);
      world.in(world.between(0, world.oneIn(3) ? 6_000 : 50), () -> server.lost(this));
    }
  }

  /** The server hangs up; the agent hears of it unless the network is gone. */
  void closeAtServer() {
    if (openAtServer) {
      openAtServer = false;
      world.in(world.between(0.5, 20), () -> agent.lost(this));
      server.lost(this);
    }
  }
}
