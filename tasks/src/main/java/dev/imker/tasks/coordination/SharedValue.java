package dev.imker.tasks.coordination;

import java.time.Duration;
import java.util.Optional;

/** A named text shared by tasks, such as a part of their configuration. */
public interface SharedValue {
  /**
   * What was read.
   *
   * @param text empty if it was never set
   * @param version 0 if it was never set; grows with every change
   */
  record Reading(String text, long version) {}

  Reading get() throws InterruptedException;

  /** Sets it unconditionally. */
  Reading set(String text) throws InterruptedException;

  /** Sets it if it has not changed since it was read; empty if it has. */
  Optional<Reading> set(Reading read, String text) throws InterruptedException;

  /** Waits until it differs from what was read; empty if it did not change within the time. */
  Optional<Reading> awaitChange(Reading read, Duration patience) throws InterruptedException;
}
