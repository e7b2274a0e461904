package dev.imker.tasks.coordination;

/** A barrier at the start and at the end of every round. */
public interface DoubleBarrier {
  /** Waits until as many tasks as the size of the barrier have entered. */
  void enter() throws InterruptedException;

  /** Waits until all tasks of the round have left or died. */
  void leave() throws InterruptedException;
}
