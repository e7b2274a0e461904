package dev.imker.tasks.coordination;

/** A number that tasks share. It begins with zero. */
public interface Counter {
  /** What was read. */
  record Reading(long value, long version) {}

  Reading get() throws InterruptedException;

  /** Adds to it; the sum. */
  long add(long delta) throws InterruptedException;

  /** Sets it if nobody has changed it since it was read; whether that was so. */
  boolean set(Reading read, long value) throws InterruptedException;
}
