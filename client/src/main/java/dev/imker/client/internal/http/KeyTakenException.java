package dev.imker.client.internal.http;

import dev.imker.model.ImkerException;

/** The key belongs to another job. */
public final class KeyTakenException extends ImkerException {
  private static final long serialVersionUID = 1L;

  KeyTakenException(String message) {
    super(message);
  }
}
