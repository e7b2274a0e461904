package dev.imker.server.internal.oidc;

import dev.imker.model.ImkerException;

/** A login was refused; the message says why, and what to do. */
public final class OidcRefusedException extends ImkerException {
  private static final long serialVersionUID = 1;

  OidcRefusedException(String message) {
    super(message);
  }

  OidcRefusedException(String message, Throwable cause) {
    super(message, cause);
  }
}
