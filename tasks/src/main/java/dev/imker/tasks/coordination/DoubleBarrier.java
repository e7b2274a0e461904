package dev.imker.tasks.coordination;

/** A barrier at the beginning and at the end of every round. */
public interface DoubleBarrier {
  /** Waits until as many tasks as the barrier has places are inside. */
  void enter() throws InterruptedException;

  /** Waits until all tasks of the round have left, or are gone. */
  void leave() throws InterruptedException;
}
