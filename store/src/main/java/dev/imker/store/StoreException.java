package dev.imker.store;

import dev.imker.model.ImkerException;

/** The store could not execute the operation; nothing was written. */
public class StoreException extends ImkerException {
  private static final long serialVersionUID = 1L;

  public StoreException(String message) {
    super(message);
  }

  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
