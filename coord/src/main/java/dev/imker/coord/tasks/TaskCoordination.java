package dev.imker.coord.tasks;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Barriers, locks, elections, counters, named values, groups and queues for running tasks. Whatever
 * is answered outlives every crash. A run counts for as long as it has its lease, and no longer.
 *
 * <p>Everything that waits does so for a limited time and can be asked again: asking twice is like
 * asking once. What changes something each time takes a {@link Once}, with which it happens once
 * however often it is asked for.
 */
public interface TaskCoordination extends AutoCloseable {
  /** Inside, with the number of the round. */
  record Entered(boolean entered, long round) {}

  /** A lock: whether it is held, and the number that fences off all former holders. */
  record Held(boolean held, long fencing) {}

  /** Who leads, and whether that is the one who asks. */
  record Elected(String leader, boolean you) {}

  /** A counter; changing it needs the version that was read. */
  record Counted(long value, long version) {}

  /** A named value; it has version 1 when it is set for the first time. */
  record Named(byte[] data, long version) {}

  /** Who is there; the version changes with every coming and going. */
  record Group(List<String> members, long version) {}

  /**
   * Enters a double barrier: inside as soon as so many are. A round that is under way without this
   * member is waited out.
   */
  Entered enter(String scope, String name, Member self, int size, long waitMillis)
      throws InterruptedException;

  /** Leaves: outside as soon as all others of the round have left or are gone. */
  boolean leave(String scope, String name, Member self, long round, long waitMillis)
      throws InterruptedException;

  /** Waits in the queue of a lock, and stays in it for the next time this is asked. */
  Held acquire(String scope, String name, Member self, long waitMillis) throws InterruptedException;

  /** Gives a lock back, or the place in its queue; false if it had neither. */
  boolean release(String scope, String name, Member self) throws InterruptedException;

  /** Stands for election, and tells who leads. */
  Elected stand(String scope, String name, Member self) throws InterruptedException;

  /** Waits until this member leads. */
  Elected lead(String scope, String name, Member self, long waitMillis) throws InterruptedException;

  /** Stands no longer. */
  boolean resign(String scope, String name, Member self) throws InterruptedException;

  Counted counter(String scope, String name) throws InterruptedException;

  /** Sets a counter if it still has this version; empty if it has another. */
  Optional<Counted> set(String scope, String name, Member self, long value, long version, Once once)
      throws InterruptedException;

  Counted add(String scope, String name, Member self, long delta, Once once)
      throws InterruptedException;

  /** A named value; of version 0 and empty if it was never set. */
  Named config(String scope, String name) throws InterruptedException;

  /**
   * Sets a named value.
   *
   * @param version which it has to have; empty if any will do
   * @return empty if it has another
   */
  Optional<Named> configure(
      String scope, String name, Member self, byte[] data, OptionalLong version, Once once)
      throws InterruptedException;

  /** The value as soon as it is not of this version. */
  Named watch(String scope, String name, long version, long waitMillis) throws InterruptedException;

  Group join(String scope, String name, Member self) throws InterruptedException;

  Group part(String scope, String name, Member self) throws InterruptedException;

  /** Who is there, as soon as that is not what it was at this version. */
  Group members(String scope, String name, OptionalLong since, long waitMillis)
      throws InterruptedException;

  /** Puts something at the end of a queue. */
  void put(String scope, String name, Member self, byte[] data, Once once)
      throws InterruptedException;

  /** Takes what is first in a queue; nobody else gets it. */
  Optional<byte[]> take(String scope, String name, Member self, long waitMillis, Once once)
      throws InterruptedException;

  /** Forgets everything of a scope. */
  void forget(String scope) throws InterruptedException;

  /** Names of all scopes that something is known of. */
  List<String> scopes() throws InterruptedException;

  /** Drops what is of no use any more. */
  default void tidy(String scope) {}

  /** Those who wait. */
  Waiters waiters();

  @Override
  void close();
}
