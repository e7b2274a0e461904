package dev.imker.client.internal.http;

import dev.imker.model.ImkerException;

/** The server does not have files that a job names: sending them again helps. */
public final class MissingBlobsException extends ImkerException {
  private static final long serialVersionUID = 1L;

  MissingBlobsException(String message) {
    super(message);
  }
}
