package dev.imker.server.loop;

import dev.imker.model.ImkerException;
import org.jspecify.annotations.Nullable;

/** The pool cannot take or answer anything for now. What was asked for has not happened. */
public final class PoolUnavailableException extends ImkerException {
  private static final long serialVersionUID = 1;

  public PoolUnavailableException(String message) {
    super(message);
  }

  public PoolUnavailableException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
