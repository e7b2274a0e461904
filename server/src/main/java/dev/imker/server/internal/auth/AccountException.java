package dev.imker.server.internal.auth;

import dev.imker.model.ImkerException;

/** A change of an account that cannot be; names the field that is wrong. */
public final class AccountException extends ImkerException {
  private static final long serialVersionUID = 1;
  private final String field;
  private boolean unknown;

  AccountException(String field, String message) {
    super(message);
    this.field = field;
  }

  AccountException asUnknown() {
    unknown = true;
    return this;
  }

  public String field() {
    return field;
  }

  public boolean isUnknown() {
    return unknown;
  }
}
