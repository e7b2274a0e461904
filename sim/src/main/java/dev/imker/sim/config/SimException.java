package dev.imker.sim.config;

import dev.imker.model.ImkerException;
import org.jspecify.annotations.Nullable;

/** A simulation cannot be read or run; the message says where and what to do. */
public final class SimException extends ImkerException {
  private static final long serialVersionUID = 1;

  public SimException(String message) {
    super(message);
  }

  public SimException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
