package dev.imker.coord.tasks;

/** A request has the mark of another one. Nothing was done. */
public final class RepeatedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  RepeatedException(String message) {
    super(message);
  }
}
