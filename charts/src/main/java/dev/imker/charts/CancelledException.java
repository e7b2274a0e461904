package dev.imker.charts;

/** Thrown out of a unit of work when its cancellation was asked for. */
public final class CancelledException extends ChartException {
  private static final long serialVersionUID = 1;

  public CancelledException() {
    super("The analysis was cancelled.");
  }
}
