package dev.imker.server.page;

import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Callers;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.auth.Authenticator;
import dev.imker.server.internal.auth.PasswordLogin;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.HttpHeaders;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The status page and the login that opens it. */
public final class PageRoutes {
  private static final String FOR_EVER = "public, max-age=31536000, immutable";
  private static final String BRIEFLY = "public, max-age=3600";

  /** Of the path before the name of a file: {@code page} and the version. */
  private static final int FILE_SEGMENTS = 2;

  /** A link that was typed or clicked outside a browser, and the page itself. */
  private static final Set<String> OWN_SITES = Set.of("none", "same-origin");

  private static final int MAX_FORM_BYTES = 1000;
  private final Authenticator authenticator;
  private final PasswordLogin passwords;
  private final Object reading = new Object();
  private @Nullable PageFiles files;

  public PageRoutes(Authenticator authenticator, PasswordLogin passwords) {
    this.authenticator = authenticator;
    this.passwords = passwords;
  }

  public List<Endpoint> endpoints() {
    List<Endpoint> endpoints = new ArrayList<>(new HandbookRoutes(this::files).endpoints());
    endpoints.addAll(
        List.of(
            Endpoint.get("/", Access.OPEN, this::start),
            Endpoint.get("/icon.svg", Access.OPEN, e -> send(e, file("icon.svg"), BRIEFLY)),
            Endpoint.get("/page/{version}/{file*}", Access.OPEN, this::file),
            Endpoint.get("/login", Access.OPEN, e -> login(e, e.query("token"))),
            Endpoint.post("/login", Access.OPEN, this::loginByForm),
            Endpoint.post("/logout", Access.OPEN, this::logout)));
    return endpoints;
  }

  // ---------------------------------------------------------------- files

  /** Read at first use: a server that nobody looks at does not need them. */
  private PageFiles files() {
    synchronized (reading) {
      PageFiles known = files;
      if (known == null) {
        known = PageFiles.load();
        files = known;
      }
      return known;
    }
  }

  private void start(Exchange exchange) throws IOException {
    send(exchange, files().document(PageFiles.START), "no-cache");
  }

  private PageFile file(String name) {
    return files()
        .find(name)
        .orElseThrow(() -> ApiException.notFound("The page has no file " + name + "."));
  }

  private void file(Exchange exchange) throws IOException {
    if (!exchange.param("version").equals(files().version())) {
      throw ApiException.notFound("The page has changed; reload it.");
    }
    send(exchange, file(exchange.pathAfter(FILE_SEGMENTS)), FOR_EVER);
  }

  static void send(Exchange exchange, PageFile file, String caching) throws IOException {
    exchange
        .response()
        .putHeader(HttpHeaders.CACHE_CONTROL, caching)
        .putHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT_ENCODING)
        .putHeader(HttpHeaders.ETAG, file.tag());
    if (exchange.header("If-None-Match").filter(known -> known.contains(file.tag())).isPresent()) {
      exchange.empty(304);
      return;
    }
    boolean compressed = exchange.header("Accept-Encoding").orElse("").contains("gzip");
    if (compressed) {
      exchange.response().putHeader(HttpHeaders.CONTENT_ENCODING, "gzip");
    }
    exchange.bytes(200, file.type(), compressed ? file.gzip() : file.content());
  }

  // ---------------------------------------------------------------- login

  /** Either a token, or a user and a password. */
  private void loginByForm(Exchange exchange) throws IOException {
    if (Callers.isForeign(exchange.request())) {
      throw foreign();
    }
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
    byte[] body = exchange.body().readNBytes(MAX_FORM_BYTES);
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

  /** Another page could log somebody in as somebody else, who then works for a stranger. */
  private static ApiException foreign() {
    return ApiException.of(
        403,
        "foreign_page",
        "This request came from a page of another server; open the link yourself.");
  }

  private void login(Exchange exchange, Optional<String> token) throws IOException {
    if (!OWN_SITES.contains(exchange.header("Sec-Fetch-Site").orElse("none"))) {
      throw foreign();
    }
    answer(exchange, token.flatMap(authenticator::login));
  }

  private void answer(Exchange exchange, Optional<String> session) throws IOException {
    if (session.isEmpty()) {
      PageFile sorry = files().document("login-failed.html");
      exchange.bytes(401, sorry.type(), sorry.content());
      return;
    }
    Callers.putCookie(exchange, session.get(), Authenticator.SESSION.toSeconds());
    exchange.redirect(".");
  }

  private void logout(Exchange exchange) throws IOException {
    if (Callers.isForeign(exchange.request())) {
      throw foreign();
    }
    Cookie cookie = exchange.request().getCookie(Callers.COOKIE);
    if (cookie != null) {
      authenticator.logout(cookie.getValue());
    }
    Callers.putCookie(exchange, "", 0);
    exchange.redirect(".");
  }
}
