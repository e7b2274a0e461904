package dev.imker.client.internal.http;

import dev.imker.model.ImkerException;

/** Another job was submitted under the key. */
public final class KeyTakenException extends ImkerException {
  private static final long serialVersionUID = 1L;

  KeyTakenException(String message) {
    super(message);
  }
}
