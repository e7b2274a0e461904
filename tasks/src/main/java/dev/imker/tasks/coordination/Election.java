package dev.imker.tasks.coordination;

/** The one among several tasks that leads, until it resigns or dies. */
public interface Election {
  /** Stands for election; returns whether this task leads now. */
  boolean stand() throws InterruptedException;

  /** Waits until this task leads. */
  void lead() throws InterruptedException;

  /**
   * The leading task, such as {@code 12.3}; empty if none stands. This task also stands from now
   * on.
   */
  String leader() throws InterruptedException;

  /** Withdraws from the election. */
  void resign() throws InterruptedException;
}
