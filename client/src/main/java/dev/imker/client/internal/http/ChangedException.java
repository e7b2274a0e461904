package dev.imker.client.internal.http;

import dev.imker.model.ImkerException;

/** The object was changed concurrently. */
public final class ChangedException extends ImkerException {
  private static final long serialVersionUID = 1L;

  ChangedException(String message) {
    super(message);
  }
}
