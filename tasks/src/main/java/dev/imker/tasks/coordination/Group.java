package dev.imker.tasks.coordination;

import java.time.Duration;
import java.util.Optional;
import java.util.SortedSet;

/** Tasks that know of each other. */
public interface Group {
  /**
   * Who is there.
   *
   * @param tasks their numbers, such as {@code 12.3}
   */
  record Members(SortedSet<String> tasks, long version) {}

  /** Who has come and who has gone since the members that were known. */
  record Event(SortedSet<String> joined, SortedSet<String> left, Members now) {}

  Members join() throws InterruptedException;

  Members leave() throws InterruptedException;

  Members members() throws InterruptedException;

  /** Waits until the members are not those any more; nothing if they still are after the time. */
  Optional<Event> awaitChange(Members known, Duration patience) throws InterruptedException;
}
