package dev.imker.charts;

/** Asked often by running work; true means: stop soon. Must be cheap and thread-safe. */
@FunctionalInterface
public interface Cancellation {
  Cancellation NEVER = () -> false;

  boolean requested();

  default void throwIfRequested() {
    if (requested()) {
      throw new CancelledException();
    }
  }
}
