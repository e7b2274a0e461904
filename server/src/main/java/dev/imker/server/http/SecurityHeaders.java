package dev.imker.server.http;

import io.vertx.core.http.HttpServerResponse;

/** Security headers of every answer. */
final class SecurityHeaders {
  /** Scripts and styles only as files of this server; images also as the page makes them. */
  private static final String POLICY =
      "default-src 'self'; img-src 'self' blob:; object-src 'none'; frame-ancestors 'none';"
          + " base-uri 'none'; form-action 'self'";

  private SecurityHeaders() {}

  static void put(HttpServerResponse response) {
    response
        .putHeader("Content-Security-Policy", POLICY)
        .putHeader("X-Content-Type-Options", "nosniff")
        .putHeader(
            "Referrer-Policy", "same-origin") // without any, forms of our own say Origin: null
        .putHeader("Cache-Control", "no-store");
  }
}
