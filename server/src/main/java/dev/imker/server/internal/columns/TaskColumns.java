package dev.imker.server.internal.columns;

/** The sort keys of the tasks of one job, by position. */
public interface TaskColumns {
  int tasks();

  /** Ordinal of the state. */
  byte state(int index);

  /** Of the attempt that counts, in milliseconds; 0 before the first. */
  long started(int index);

  /** 0 while it runs. */
  long ended(int index);

  int attempts(int index);
}
