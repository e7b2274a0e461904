package dev.imker.coord;

import java.util.List;
import java.util.Optional;

/**
 * One of several candidates leads. The others wait in a queue; when the leader leaves, the first of
 * them follows, and a returning candidate joins at the end.
 *
 * <p>Being told to lead is a hint, not a proof: a candidate that was stopped for a while may
 * believe it leads when it no longer does. Its writes must be fenced by other means: an epoch that
 * grows with every leader.
 */
public interface Leadership extends AutoCloseable {
  /** Notifies a candidate, on a single thread. */
  interface Listener {
    /** It leads from now on. */
    void lead();

    /** It no longer leads. */
    void follow(String reason);
  }

  /** Joins the queue. */
  void start(Listener listener);

  /** How the current leader described itself when it joined; empty if there is none. */
  Optional<String> leader();

  /**
   * How the candidates in the queue described themselves, the next one first, without the leader.
   */
  List<String> successors();

  /** Gives up leadership, if held, and joins the end of the queue. */
  void stepDown(String reason);

  /** Leaves the queue; the listener is no longer notified. */
  @Override
  void close();
}
