package dev.imker.tasks.coordination;

/** The one among several tasks that leads, until it resigns or is gone. */
public interface Election {
  /** Stands for election; whether this task leads now. */
  boolean stand() throws InterruptedException;

  /** Waits until this task leads. */
  void lead() throws InterruptedException;

  /** The task that leads, such as {@code 12.3}; empty if none stands. This task stands from now. */
  String leader() throws InterruptedException;

  /** Stands no longer. */
  void resign() throws InterruptedException;
}
