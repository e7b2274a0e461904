package dev.imker.agent.internal.cache;

import dev.imker.model.ImkerException;

/** A blob could not be transferred. */
public final class BlobException extends ImkerException {
  private static final long serialVersionUID = 1L;

  /** Whether a retry, here or on another node, may help. */
  private final boolean temporary;

  private BlobException(String message, boolean temporary, Throwable cause) {
    super(message, cause);
    this.temporary = temporary;
  }

  private BlobException(String message, boolean temporary) {
    super(message);
    this.temporary = temporary;
  }

  static BlobException temporary(String message) {
    return new BlobException(message, true);
  }

  static BlobException temporary(String message, Throwable cause) {
    return new BlobException(message, true, cause);
  }

  static BlobException forGood(String message) {
    return new BlobException(message, false);
  }

  public boolean isTemporary() {
    return temporary;
  }
}
