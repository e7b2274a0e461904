package dev.imker.server.page;

import dev.imker.server.auth.Authenticator;
import dev.imker.server.auth.PasswordLogin;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The status page and the login that opens it. */
public final class PageRoutes {
  private static final String HTML = "text/html; charset=utf-8";
  private static final int MOST_FORM_BYTES = 1000;
  private final Authenticator authenticator;
  private final PasswordLogin passwords;

  public PageRoutes(Authenticator authenticator, PasswordLogin passwords) {
    this.authenticator = authenticator;
    this.passwords = passwords;
  }

  public List<Endpoint> endpoints() {
    return List.of(
        file("/", "index.html", HTML),
        file("/app.js", "app.js", "text/javascript; charset=utf-8"),
        file("/app.css", "app.css", "text/css; charset=utf-8"),
        file("/icon.svg", "icon.svg", "image/svg+xml"),
        Endpoint.get("/login", Access.OPEN, e -> login(e, e.query("token"))),
        Endpoint.post("/login", Access.OPEN, this::loginByForm));
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

  /** Either a token, or a user and a password. */
  private void loginByForm(Exchange exchange) throws IOException {
    Map<String, String> form = form(exchange);
    String user = form.getOrDefault("user", "");
    if (user.isEmpty()) {
      login(exchange, Optional.ofNullable(form.get("token")));
      return;
    }
    exchange.auditAs(user);
    boolean mayTry = passwords.pauseMillis(user, exchange.address()) == 0;
    String password = form.getOrDefault("password", "");
    answer(
        exchange,
        mayTry
            ? passwords.check(user, password, exchange.address()).map(authenticator::session)
            : Optional.empty());
  }

  private static Map<String, String> form(Exchange exchange) throws IOException {
    byte[] body = exchange.body().readNBytes(MOST_FORM_BYTES);
    Map<String, String> fields = new HashMap<>();
    for (String field : new String(body, StandardCharsets.UTF_8).split("&", -1)) {
      int equals = field.indexOf('=');
      if (equals > 0) {
        String value = URLDecoder.decode(field.substring(equals + 1), StandardCharsets.UTF_8);
        fields.put(field.substring(0, equals), value.strip());
      }
    }
    return fields;
  }

  private void login(Exchange exchange, Optional<String> token) throws IOException {
    answer(exchange, token.flatMap(authenticator::login));
  }

  private static void answer(Exchange exchange, Optional<String> session) throws IOException {
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
