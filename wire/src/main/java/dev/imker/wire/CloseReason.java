package dev.imker.wire;

/**
 * Why a session ended.
 *
 * @param text for people, complete enough to act on
 */
public record CloseReason(Kind kind, String text) {

  public enum Kind {
    /** This side closed it. */
    CLOSED_HERE,
    CLOSED_BY_PEER,
    /** The peer broke the protocol or its limits. */
    PROTOCOL_VIOLATION,
    /** A handler of this side failed: only a new session ensures that nothing is missed. */
    FAILED_HERE,
    /**
     * The connection was lost and the session was not resumed in time, or the peer no longer knew
     * it.
     */
    LOST,
    /** There were too many sessions, and this one had the fewest messages. */
    EVICTED
  }

  @Override
  public String toString() {
    return kind + ": " + text;
  }
}
