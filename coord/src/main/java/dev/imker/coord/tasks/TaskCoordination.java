package dev.imker.coord.tasks;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Barriers, locks, elections, counters, named values, groups and queues for running tasks. Answered
 * requests survive every crash. A run counts for as long as it has its lease.
 *
 * <p>Waiting calls have a time limit and can be repeated without further effect. Calls that change
 * something each time take a {@link Once}, by which the change happens once however often it is
 * requested.
 */
public interface TaskCoordination extends AutoCloseable {
  /** Inside, with the number of the round. */
  record Entered(boolean entered, long round) {}

  /** A lock: whether it is held, and the fencing number. */
  record Held(boolean held, long fencing) {}

  /** The leader, and whether it is the caller. */
  record Elected(String leader, boolean you) {}

  /** A counter; to change it, pass the version that was read. */
  record Counted(long value, long version) {}

  /** A named value; it has version 1 when it is first set. */
  record Named(byte[] data, long version) {}

  /** The members; the version changes whenever one joins or leaves. */
  record Group(List<String> members, long version) {}

  /**
   * Enters a double barrier, which opens as soon as the given number of members has arrived. Waits
   * for the end of a round that is under way without this member.
   */
  Entered enter(String scope, String name, Member self, int size, long waitMillis)
      throws InterruptedException;

  /** Leaves the barrier as soon as all others of the round have left or are gone. */
  boolean leave(String scope, String name, Member self, long round, long waitMillis)
      throws InterruptedException;

  /** Waits in the queue of a lock, and keeps its place for the next call. */
  Held acquire(String scope, String name, Member self, long waitMillis) throws InterruptedException;

  /** Releases a lock or the place in its queue; false if it had neither. */
  boolean release(String scope, String name, Member self) throws InterruptedException;

  /** Joins an election and returns the leader. */
  Elected stand(String scope, String name, Member self) throws InterruptedException;

  /** Waits until this member leads. */
  Elected lead(String scope, String name, Member self, long waitMillis) throws InterruptedException;

  /** Leaves the election. */
  boolean resign(String scope, String name, Member self) throws InterruptedException;

  Counted counter(String scope, String name) throws InterruptedException;

  /** Sets a counter if it still has this version; empty if it has another. */
  Optional<Counted> set(String scope, String name, Member self, long value, long version, Once once)
      throws InterruptedException;

  Counted add(String scope, String name, Member self, long delta, Once once)
      throws InterruptedException;

  /** A named value; version 0 and empty if it was never set. */
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

  /** The value as soon as it has another version. */
  Named watch(String scope, String name, long version, long waitMillis) throws InterruptedException;

  Group join(String scope, String name, Member self) throws InterruptedException;

  Group part(String scope, String name, Member self) throws InterruptedException;

  /** The members as soon as they differ from those of this version. */
  Group members(String scope, String name, OptionalLong since, long waitMillis)
      throws InterruptedException;

  /** Adds an item to the end of a queue. */
  void put(String scope, String name, Member self, byte[] data, Once once)
      throws InterruptedException;

  /** Takes the first item of a queue; nobody else gets it. */
  Optional<byte[]> take(String scope, String name, Member self, long waitMillis, Once once)
      throws InterruptedException;

  /** Removes everything of a scope. */
  void forget(String scope) throws InterruptedException;

  /** The names of all non-empty scopes. */
  List<String> scopes() throws InterruptedException;

  /** Removes what is no longer needed. */
  default void tidy(String scope) {}

  /** The waiting runs. */
  Waiters waiters();

  @Override
  void close();
}
