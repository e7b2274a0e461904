package dev.imker.server.live.shared;

import dev.imker.model.ImkerException;

/** There is no room for what tasks want to share. */
public final class SharedFullException extends ImkerException {
  private static final long serialVersionUID = 1L;

  SharedFullException(String message) {
    super(message);
  }
}
