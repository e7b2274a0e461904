package dev.imker.model;

import org.jspecify.annotations.Nullable;

/** Root of all our failures. The message says what is wrong and what to do about it. */
public class ImkerException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public ImkerException(String message) {
    super(message);
  }

  public ImkerException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
