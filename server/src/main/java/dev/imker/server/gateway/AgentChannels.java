package dev.imker.server.gateway;

import dev.imker.model.AgentId;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The agents that are here, and the way to each. For any thread. */
final class AgentChannels {
  private final Map<AgentId, AgentChannel> channels = new ConcurrentHashMap<>();

  /** The way to an agent, null if it is not here. */
  @Nullable AgentChannel get(AgentId agent) {
    return channels.get(agent);
  }

  /** Keeps the way to an agent; returns the one that it had, if any. */
  @Nullable AgentChannel put(AgentId agent, AgentChannel channel) {
    return channels.put(agent, channel);
  }

  /** Whether this was the present way to its agent, which has none now. */
  boolean remove(AgentId agent, AgentChannel channel) {
    return channels.remove(agent, channel);
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
  }
}
