package dev.imker.server.http;

import dev.imker.server.internal.auth.Authenticator;
import dev.imker.server.internal.auth.Identity;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.net.URI;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Identifies the sender of a request by its header, or by the cookie of a logged-in browser. */
public record Callers(Authenticator authenticator) {
  public static final String COOKIE = "imker";
  private static final String BEARER = "bearer ";

  Optional<Identity> identify(HttpServerRequest request) {
    String header = request.getHeader("Authorization");
    if (header != null) {
      return header.toLowerCase(Locale.ROOT).startsWith(BEARER)
          ? authenticator.bearer(header.substring(BEARER.length()).strip())
          : Optional.empty();
    }
    Cookie cookie = request.getCookie(COOKIE);
    return cookie == null || isForeign(request)
        ? Optional.empty()
        : authenticator.cookie(cookie.getValue());
  }

  /**
   * Whether a page of another origin sent a request that may change something. SameSite alone does
   * not tell apart the ports of one host.
   */
  public static boolean isForeign(HttpServerRequest request) {
    String origin = request.getHeader("Origin");
    if (origin == null || request.method().equals(HttpMethod.GET)) {
      return false;
    }
    try {
      return !Objects.equals(URI.create(origin).getAuthority(), request.getHeader("Host"));
    } catch (IllegalArgumentException e) {
      return true;
    }
  }

  /**
   * Has a browser keep who it is; for no time, to forget it. Without a path a cookie belongs to the
   * folder of what was asked for, which is the pool's own wherever a proxy has put it: {@code
   * /login} or {@code /imker/login}.
   */
  public static void putCookie(Exchange exchange, String value, long seconds) {
    putCookie(exchange, value, seconds, null);
  }

  /**
   * @param path where the cookie belongs; null for the folder of what was asked for
   */
  public static void putCookie(
      Exchange exchange, String value, long seconds, @Nullable String path) {
    exchange
        .response()
        .addCookie(
            Cookie.cookie(COOKIE, value)
                .setPath(path)
                .setHttpOnly(true)
                .setSecure(exchange.isSecure())
                .setSameSite(CookieSameSite.STRICT)
                .setMaxAge(seconds));
  }
}
