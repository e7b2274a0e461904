package dev.imker.client.internal.http;

import dev.imker.model.ImkerException;

/** Somebody else has changed meanwhile what was to be changed. */
public final class ChangedException extends ImkerException {
  private static final long serialVersionUID = 1L;

  ChangedException(String message) {
    super(message);
  }
}
