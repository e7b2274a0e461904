package dev.imker.agent.internal.lease;

/** The way to the server, as far as there is one at the moment. */
public interface Uplink {
  /** Sends without waiting; false when there is no connection or no room. */
  boolean trySend(Object message);
}
