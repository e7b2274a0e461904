package dev.imker.server.live.shared;

import dev.imker.model.InputException;

/** A question bears a mark that it cannot have. */
public final class MarkException extends InputException {
  private static final long serialVersionUID = 1L;

  MarkException(String message) {
    super(message);
  }
}
