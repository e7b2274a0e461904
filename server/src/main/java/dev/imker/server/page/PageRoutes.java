package dev.imker.server.page;

import dev.imker.server.auth.Authenticator;
import dev.imker.server.http.Access;
import dev.imker.server.http.Callers;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The status page and the login that opens it. */
public final class PageRoutes {
  private static final String HTML = "text/html; charset=utf-8";
  private static final int MOST_FORM_BYTES = 1000;
  private final Authenticator authenticator;

  public PageRoutes(Authenticator authenticator) {
    this.authenticator = authenticator;
  }

  public List<Endpoint> endpoints() {
    return List.of(
        file("/", "index.html", HTML),
        file("/app.js", "app.js", "text/javascript; charset=utf-8"),
        file("/app.css", "app.css", "text/css; charset=utf-8"),
        file("/icon.svg", "icon.svg", "image/svg+xml"),
        Endpoint.get("/login", Access.OPEN, e -> login(e, e.query("token"))),
        Endpoint.post("/login", Access.OPEN, e -> login(e, formToken(e))));
  }

  private static Endpoint file(String path, String name, String type) {
    byte[] content = resource(name);
    return Endpoint.get(
        path,
        Access.OPEN,
        exchange -> {
          exchange.response().putHeader("Cache-Control", "no-cache");
          exchange.bytes(200, type, content);
        });
  }

  /** The form's only field. */
  private static Optional<String> formToken(Exchange exchange) throws IOException {
    byte[] body = exchange.body().readNBytes(MOST_FORM_BYTES);
    String form = new String(body, StandardCharsets.UTF_8);
    return form.startsWith("token=")
        ? Optional.of(URLDecoder.decode(form.substring(6), StandardCharsets.UTF_8).strip())
        : Optional.empty();
  }

  private void login(Exchange exchange, Optional<String> token) throws IOException {
    Optional<String> session = token.flatMap(authenticator::login);
    if (session.isEmpty()) {
      exchange.bytes(401, HTML, resource("login-failed.html"));
      return;
    }
    exchange
        .response()
        .addCookie(
            Cookie.cookie(Callers.COOKIE, session.get())
                .setPath("/")
                .setHttpOnly(true)
                .setSecure(exchange.request().isSSL())
                .setSameSite(CookieSameSite.STRICT)
                .setMaxAge(Authenticator.SESSION.toSeconds()));
    exchange.redirect("/");
  }

  private static byte[] resource(String name) {
    try (InputStream content = PageRoutes.class.getResourceAsStream(name)) {
      return Objects.requireNonNull(content, name).readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
