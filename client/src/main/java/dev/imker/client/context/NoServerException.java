package dev.imker.client.context;

import dev.imker.model.ImkerException;

/** No server is known, or the known one does not answer. */
public final class NoServerException extends ImkerException {
  private static final long serialVersionUID = 1;

  public NoServerException(String message) {
    super(message);
  }

  public NoServerException(String message, Throwable cause) {
    super(message, cause);
  }
}
