package dev.imker.coord;

import java.util.List;
import java.util.Optional;

/**
 * One of several candidates leads. The others wait in a queue; when the leader goes, the first of
 * them follows, and whoever comes back joins at the end.
 *
 * <p>Being told to lead is a hint, not a proof: a candidate that stood still for a while may
 * believe to lead when it no longer does. What it writes must be fenced by other means, by an epoch
 * that grows with every leader.
 */
public interface Leadership extends AutoCloseable {
  /** What a candidate is told, by one thread. */
  interface Listener {
    /** It leads from now on. */
    void lead();

    /** It does not lead any more. */
    void follow(String reason);
  }

  /** Joins the queue. */
  void start(Listener listener);

  /** What the present leader said of itself when it joined; empty if there is none. */
  Optional<String> leader();

  /**
   * What those in the queue said of themselves, the next one first; the leader is not among them.
   */
  List<String> successors();

  /** Gives leadership up, if this one has it, and joins the end of the queue. */
  void stepDown(String reason);

  /** Leaves the queue; the listener is told nothing more. */
  @Override
  void close();
}
