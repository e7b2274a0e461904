package dev.imker.charts;

/**
 * Told while work runs. A step is one bar of one market under one combination of parameters. May be
 * called from several threads.
 */
@FunctionalInterface
public interface Progress {
  Progress SILENT = (done, total) -> {};

  void advanced(long stepsDone, long stepsTotal);

  /** Nothing more is to come. */
  default void finished() {}
}
