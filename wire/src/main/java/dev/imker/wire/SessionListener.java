package dev.imker.wire;

/**
 * Hears of the life of sessions, in order with their messages and on the same delivery thread.
 *
 * <p>A session that loses its connection is suspended; then it is either resumed, and no message
 * was lost or repeated, or closed. After {@link #closed} it is unknown which unconfirmed messages
 * reached the peer: the application has to reconcile in the new session that {@link #opened}
 * brings.
 */
public interface SessionListener {

  /**
   * A new session. On the side that connects nothing of an earlier one is left: the listener has
   * heard the last of it.
   */
  default void opened(Session session) {}

  /** The connection is lost; messages are queued up to the limit until it is back. */
  default void suspended(Session session, String reason) {}

  /** The connection is back and everything goes on as if it had never been lost. */
  default void resumed(Session session) {}

  default void closed(Session session, CloseReason reason) {}
}
