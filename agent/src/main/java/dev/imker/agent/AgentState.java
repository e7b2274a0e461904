package dev.imker.agent;

import java.nio.file.Path;

/** The state of an agent's relation to its server. */
public sealed interface AgentState {
  /** Connecting to the server, for the first time or again. */
  record Connecting(String address) implements AgentState {}

  /** The server knows the agent and may send work. */
  record Connected(String pool, String serverVersion) implements AgentState {}

  /**
   * The server is unreachable; running work continues and the next attempt follows automatically.
   */
  record Disconnected(String reason) implements AgentState {}

  /** The server does not want this agent; it has stopped for good. */
  record Refused(String reason) implements AgentState {}

  /** Closed from this side. */
  record Stopped() implements AgentState {}

  /** Stopped, because the server runs another version of the software, which has been fetched. */
  record Superseded(Path jar, String build) implements AgentState {}

  /** Whether nothing more will happen. */
  default boolean isFinal() {
    return this instanceof Refused || this instanceof Stopped || this instanceof Superseded;
  }
}
