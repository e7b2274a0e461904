package dev.imker.agent.internal.lease;

/** The current connection to the server, if any. */
public interface Uplink {
  /** Sends without waiting; false when there is no connection or no room. */
  boolean trySend(Object message);
}
