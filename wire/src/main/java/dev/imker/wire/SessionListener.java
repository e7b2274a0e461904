package dev.imker.wire;

/**
 * Is notified of the life cycle of sessions, in order with their messages and on the same delivery
 * thread.
 *
 * <p>A session that loses its connection is suspended; then it is either resumed, and no message
 * was lost or repeated, or closed. After {@link #closed} it is unknown which unconfirmed messages
 * reached the peer: the application has to reconcile in the new session announced by {@link
 * #opened}.
 */
public interface SessionListener {

  /**
   * A new session. On the connecting side nothing of an earlier session is left: the listener has
   * been notified of its end.
   */
  default void opened(Session session) {}

  /** The connection was lost; messages are queued up to the limit until it is restored. */
  default void suspended(Session session, String reason) {}

  /** The connection was restored, as if it had never been lost. */
  default void resumed(Session session) {}

  default void closed(Session session, CloseReason reason) {}
}
