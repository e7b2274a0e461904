package dev.imker.cli.api;

import dev.imker.model.ImkerException;

/** The server answered with an error; the message is the server's. */
public final class ApiException extends ImkerException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final String code;

  public ApiException(int status, String code, String message) {
    super(message);
    this.status = status;
    this.code = code;
  }

  public int status() {
    return status;
  }

  public String code() {
    return code;
  }
}
