package dev.imker.charts;

import dev.imker.model.ImkerException;
import org.jspecify.annotations.Nullable;

/** A failure the user can mend: the message names the place, the cause and the remedy. */
public class ChartException extends ImkerException {
  private static final long serialVersionUID = 1;

  public ChartException(String message) {
    super(message);
  }

  public ChartException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
