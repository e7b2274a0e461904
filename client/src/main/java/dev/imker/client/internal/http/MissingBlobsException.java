package dev.imker.client.internal.http;

import dev.imker.model.ImkerException;

/** The server lacks files of a job; they have to be sent again. */
public final class MissingBlobsException extends ImkerException {
  private static final long serialVersionUID = 1L;

  MissingBlobsException(String message) {
    super(message);
  }
}
