package dev.imker.tasks.coordination;

/** A number shared by tasks, initially zero. */
public interface Counter {
  /** What was read. */
  record Reading(long value, long version) {}

  Reading get() throws InterruptedException;

  /** Adds a value and returns the sum. */
  long add(long delta) throws InterruptedException;

  /** Sets it if it has not changed since it was read; returns whether it did. */
  boolean set(Reading read, long value) throws InterruptedException;
}
