package dev.imker.tasks.coordination;

import java.time.Duration;
import java.util.Optional;
import java.util.SortedSet;

/** A group of tasks that know each other's membership. */
public interface Group {
  /**
   * The current members.
   *
   * @param tasks their numbers, such as {@code 12.3}
   */
  record Members(SortedSet<String> tasks, long version) {}

  /** Who has joined and who has left since the known members. */
  record Event(SortedSet<String> joined, SortedSet<String> left, Members now) {}

  Members join() throws InterruptedException;

  Members leave() throws InterruptedException;

  Members members() throws InterruptedException;

  /** Waits until the members change; empty if they have not within the time. */
  Optional<Event> awaitChange(Members known, Duration patience) throws InterruptedException;
}
