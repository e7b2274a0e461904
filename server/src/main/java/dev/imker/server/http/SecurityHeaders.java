package dev.imker.server.http;

import io.vertx.core.http.HttpServerResponse;

/** What every answer tells a browser not to do. */
final class SecurityHeaders {
  private SecurityHeaders() {}

  static void put(HttpServerResponse response) {
    response
        .putHeader(
            "Content-Security-Policy",
            "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'")
        .putHeader("X-Content-Type-Options", "nosniff")
        .putHeader("Referrer-Policy", "no-referrer")
        .putHeader("Cache-Control", "no-store");
  }
}
