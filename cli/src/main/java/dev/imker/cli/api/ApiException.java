package dev.imker.cli.api;

import dev.imker.model.ImkerException;

/** The server answered with an error; the message is the server's. */
public final class ApiException extends ImkerException {
  private static final long serialVersionUID = 1;

  private final int status;
  private final String code;
  private final String field;

  /**
   * @param field of the request that is wrong; empty where none is
   */
  public ApiException(int status, String code, String message, String field) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }

  public int status() {
    return status;
  }

  /** Whether the same request may be answered otherwise a little later. */
  boolean isForNow() {
    return status == 429 || isPoolAway();
  }

  /** Whether nobody leads the pool at present, or its database does not answer. */
  public boolean isPoolAway() {
    return status == 307 || (status >= 502 && status <= 504);
  }

  public String code() {
    return code;
  }

  public String field() {
    return field;
  }
}
