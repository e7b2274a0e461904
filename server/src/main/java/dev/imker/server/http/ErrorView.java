package dev.imker.server.http;

import org.jspecify.annotations.Nullable;

/** The body of error answers. */
public record ErrorView(Detail error) {
  /**
   * @param code stable, for programs
   * @param message what is wrong and what to do, for people
   * @param field the part of the request that is wrong, where there is one
   */
  public record Detail(String code, String message, @Nullable String field) {}

  static ErrorView of(String code, String message, @Nullable String field) {
    return new ErrorView(new Detail(code, message, field));
  }
}
