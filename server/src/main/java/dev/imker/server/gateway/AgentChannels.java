package dev.imker.server.gateway;

import dev.imker.model.AgentId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The connected agents and the channel to each. Thread-safe.
 *
 * <p>An agent that comes is introduced to the scheduler at once, but spoken to only when that is on
 * disk. Meanwhile it may have left, or an earlier connection of it may be found to be over: so the
 * newest connection of each agent is known apart from the one that is spoken to.
 */
final class AgentChannels {
  private static final String NEWER = "the agent has a newer connection";

  private final Map<AgentId, AgentChannel> channels = new ConcurrentHashMap<>();
  private final Map<AgentId, AgentChannel> newest = new ConcurrentHashMap<>();

  /** The way to an agent, null if it is not here. */
  @Nullable AgentChannel get(AgentId agent) {
    return channels.get(agent);
  }

  /** The scheduler knows of an agent by this connection; nothing is sent on it yet. */
  void introduce(AgentChannel channel) {
    newest.put(channel.agent(), channel);
  }

  /**
   * From now on this is the way to its agent, unless it is over by now or the agent has a newer
   * one; returns whether it is. The one before is closed.
   */
  boolean admit(AgentChannel channel) {
    if (!channel.equals(newest.get(channel.agent()))) {
      channel.session().close(NEWER);
      return false;
    }
    AgentChannel former = channels.put(channel.agent(), channel);
    if (former != null) {
      former.session().close(NEWER);
    }
    return true;
  }

  /** A connection is over; returns whether its agent has no other, and so is gone. */
  boolean leave(AgentChannel channel) {
    channels.remove(channel.agent(), channel);
    return newest.remove(channel.agent(), channel);
  }

  int size() {
    return channels.size();
  }

  /** Says something to an agent if it is here. */
  void send(AgentId agent, Object message) {
    AgentChannel channel = channels.get(agent);
    if (channel != null) {
      channel.send(message);
    }
  }

  void sendAll(Object message) {
    channels.values().forEach(channel -> channel.send(message));
  }

  void closeAll(String reason) {
    channels.values().forEach(channel -> channel.session().close(reason));
    channels.clear();
    newest.clear();
  }
}
