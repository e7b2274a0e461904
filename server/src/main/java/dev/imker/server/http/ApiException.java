package dev.imker.server.http;

import dev.imker.model.ImkerException;
import org.jspecify.annotations.Nullable;

/** A request that cannot be served; converted to an error answer. */
public final class ApiException extends ImkerException {
  /** The server lacks room; the same request may be good later. */
  public static final int NO_ROOM = 507;

  private static final long serialVersionUID = 1;
  private final int status;
  private final String code;
  private final @Nullable String field;

  private ApiException(int status, String code, String message, @Nullable String field) {
    super(message);
    this.status = status;
    this.code = code;
    this.field = field;
  }

  public static ApiException invalid(String field, String message) {
    return new ApiException(400, "invalid", message, field);
  }

  public static ApiException of(int status, String code, String message) {
    return new ApiException(status, code, message, null);
  }

  public static ApiException of(int status, String code, String message, String field) {
    return new ApiException(status, code, message, field);
  }

  public static ApiException notFound(String message) {
    return new ApiException(404, "not_found", message, null);
  }

  /** The same for a part of a request. */
  public ApiException within(String part, String intro) {
    String inner = field == null || field.isEmpty() ? part : part + "." + field;
    return new ApiException(status, code, intro + getMessage(), inner);
  }

  public int status() {
    return status;
  }

  public ErrorView view() {
    return ErrorView.of(code, String.valueOf(getMessage()), field);
  }
}
