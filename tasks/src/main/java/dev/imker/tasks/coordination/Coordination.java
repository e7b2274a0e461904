package dev.imker.tasks.coordination;

/**
 * Coordinates related tasks. Names are shared by the tasks of a planned job, by all calls of an
 * executor, and by the tasks that these spawn; others are invisible.
 *
 * <p>A task that dies, or whose work was given to another machine, no longer counts: its locks go
 * to the next task, and barriers do not wait for it. While a task waits on its own thread, its slot
 * is free for others, so that those it waits for can run.
 *
 * <p>Calls that share a task (see the chunks of an executor) are one member, one after the other:
 * calls that wait for each other need chunks of one.
 */
public interface Coordination {
  /** Lets tasks work in rounds: all start together, and the next round waits for all to end. */
  DoubleBarrier barrier(String name, int size);

  TaskLock lock(String name);

  Election election(String name);

  Counter counter(String name);

  /** A named text that all can read, change and watch. */
  SharedValue value(String name);

  Group group(String name);

  TaskQueue queue(String name);

  /** An implementation that forwards requests. */
  static Coordination over(Asker asker) {
    return new AskedCoordination(asker);
  }
}
