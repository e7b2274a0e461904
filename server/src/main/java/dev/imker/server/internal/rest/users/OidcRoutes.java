package dev.imker.server.internal.rest.users;

import dev.imker.model.ImkerException;
import dev.imker.model.account.Account;
import dev.imker.model.recent.RecentMap;
import dev.imker.model.text.SafeText;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Callers;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.auth.AccountCommands;
import dev.imker.server.internal.auth.Authenticator;
import dev.imker.server.internal.oidc.DeviceLogins;
import dev.imker.server.internal.oidc.OidcAccounts;
import dev.imker.server.internal.oidc.OidcPerson;
import dev.imker.server.internal.oidc.OidcProvider;
import dev.imker.server.internal.oidc.OidcRefusedException;
import dev.imker.server.internal.oidc.OidcSettings;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.server.internal.rest.request.RouteParts;
import dev.imker.server.internal.rest.request.Times;
import dev.imker.server.internal.settings.PoolSettings;
import io.vertx.core.http.Cookie;
import io.vertx.core.http.CookieSameSite;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Login at a provider of OpenID Connect: of a browser by code flow with PKCE, of a command by
 * device flow. The browser keeps the state of its login in a cookie; nonce and verifier follow from
 * the state and a secret of the server, so that nothing has to be kept for logins that never end.
 */
public final class OidcRoutes {
  private static final String COOKIE = "imker-oidc";
  private static final Duration PATIENCE = Duration.ofMinutes(10);
  private static final int MAX_USED = 10_000;
  private static final int MAX_BODY_BYTES = 4096;

  /** Whether there is a provider, and what it is called. */
  public record Provider(boolean configured, String title) {}

  /** What somebody opens and enters in a browser, and what the command asks with meanwhile. */
  public record Begun(
      String handle, String userCode, String address, int seconds, int intervalSeconds) {}

  /** Nobody has confirmed yet. */
  public record Waiting(boolean waiting) {}

  private final PoolSettings settings;
  private final OidcProvider provider;
  private final OidcAccounts accounts;
  private final AccountCommands commands;
  private final Authenticator authenticator;
  private final Supplier<List<String>> urls;
  private final Clock clock;
  private final DeviceLogins devices;

  /** States that came back once. */
  private final Set<String> used =
      Collections.synchronizedSet(Collections.newSetFromMap(RecentMap.ofNewest(MAX_USED)));

  public OidcRoutes(RouteParts parts, AccountCommands commands) {
    settings = new PoolSettings(parts.store(), parts.secrets());
    provider = new OidcProvider(parts.clock());
    accounts = new OidcAccounts(parts.accounts(), commands, parts.store());
    this.commands = commands;
    authenticator = parts.authenticator();
    urls = parts.urls();
    clock = parts.clock();
    devices = new DeviceLogins(clock);
  }

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/login/oidc", Access.OPEN, this::show),
        Endpoint.post("/api/v1/login/oidc/device", Access.OPEN, this::begin),
        Endpoint.post("/api/v1/login/oidc/poll", Access.OPEN, this::poll),
        Endpoint.get("/login/oidc", Access.OPEN, this::leave),
        Endpoint.get("/login/oidc/callback", Access.OPEN, this::comeBack));
  }

  private void show(Exchange exchange) throws IOException {
    Optional<OidcSettings> now = OidcSettings.of(settings);
    exchange.json(200, new Provider(now.isPresent(), now.map(OidcSettings::title).orElse("")));
  }

  private OidcSettings require() {
    return OidcSettings.of(settings)
        .orElseThrow(
            () ->
                ApiException.notFound(
                    "OpenID Connect login is not configured for this pool (settings"
                        + " oidc.issuer and oidc.client-id)."));
  }

  // ---------------------------------------------------------------- browsers

  private String redirect() {
    return base() + "/login/oidc/callback";
  }

  /** Where browsers reach the pool, without a slash at its end. */
  private String base() {
    return settings.get("server.url", urls.get().getFirst()).replaceFirst("/$", "");
  }

  /** A path of the pool as browsers see it, below what a proxy has put in front. */
  private String seenAt(String path) {
    return URI.create(base()).getRawPath() + path;
  }

  private String nonce(String state) {
    return authenticator.derived("oidc nonce:" + state);
  }

  private String verifier(String state) {
    return authenticator.derived("oidc verifier:" + state);
  }

  private void leave(Exchange exchange) throws IOException {
    OidcSettings now = require();
    String state = clock.millis() + "." + Authenticator.random();
    remember(exchange, state, PATIENCE.toSeconds());
    exchange.redirect(
        provider.loginPage(now, redirect(), state, nonce(state), verifier(state)).toString());
  }

  /** Lax, because the browser comes back from another site. */
  private void remember(Exchange exchange, String state, long seconds) {
    exchange
        .response()
        .addCookie(
            Cookie.cookie(COOKIE, state)
                .setPath(seenAt("/login/oidc"))
                .setHttpOnly(true)
                .setSecure(exchange.isSecure())
                .setSameSite(CookieSameSite.LAX)
                .setMaxAge(seconds));
  }

  private void comeBack(Exchange exchange) throws IOException, InterruptedException {
    OidcSettings now = require();
    String state = exchange.query("state").orElse("");
    Cookie begun = exchange.request().getCookie(COOKIE);
    remember(exchange, "", 0);
    try {
      if (begun == null || state.isEmpty() || !begun.getValue().equals(state)) {
        throw ApiException.of(
            403, "foreign_login", "This login was not started in this browser; start again.");
      }
      if (isOver(state) || !used.add(state)) {
        throw ApiException.of(
            403, "login_over", "This login took too long, or was completed twice; start again.");
      }
      OidcPerson person = person(exchange, now, state);
      exchange.auditAs(person.name());
      Account account = accounts.admit(now, person);
      exchange.auditAs(account.name());
      Callers.putCookie(
          exchange,
          authenticator.session(account, now.lasts()),
          now.lasts().toSeconds(),
          seenAt("/"));
      exchange.redirect("../..");
    } catch (ApiException e) {
      sorry(exchange, e.status(), e);
    } catch (OidcRefusedException e) {
      sorry(exchange, 401, e);
    } catch (ImkerException e) {
      sorry(exchange, 503, e);
    }
  }

  private boolean isOver(String state) {
    try {
      long age = clock.millis() - Long.parseLong(state.replaceFirst("\\..*", ""));
      return age < 0 || age > PATIENCE.toMillis();
    } catch (NumberFormatException e) {
      return true;
    }
  }

  private OidcPerson person(Exchange exchange, OidcSettings now, String state)
      throws InterruptedException {
    Optional<String> error = exchange.query("error");
    boolean another = exchange.query("iss").filter(iss -> !iss.equals(now.issuer())).isPresent();
    if (error.isPresent() || another) {
      throw ApiException.of(
          401,
          "unauthorized",
          another
              ? "A different identity provider answered; start the login again."
              : "The identity provider rejected the login: "
                  + SafeText.line(error.get(), 100)
                  + ".");
    }
    return provider.redeem(
        now, redirect(), exchange.query("code").orElse(""), nonce(state), verifier(state));
  }

  /** In plain words: a browser shows it, and nothing in it is taken for more. */
  private void sorry(Exchange exchange, int status, ImkerException why) throws IOException {
    String text = why.getMessage() + "\n\nThe page of the pool: " + base() + "/\n";
    exchange.bytes(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
  }

  // ---------------------------------------------------------------- commands

  private void begin(Exchange exchange) throws IOException, InterruptedException {
    OidcSettings now = require();
    if (!devices.hasRoom(exchange.address())) {
      exchange.response().putHeader("Retry-After", "60");
      throw ApiException.of(
          429, "too_many_tries", "Too many logins from your address are waiting; try again later.");
    }
    try {
      OidcProvider.Device device = provider.begin(now);
      String handle = Authenticator.random();
      devices.begin(handle, exchange.address(), device);
      exchange.json(
          201,
          new Begun(
              handle,
              device.userCode(),
              device.address(),
              device.seconds(),
              device.intervalSeconds()));
    } catch (OidcRefusedException e) {
      throw ApiException.of(409, "not_possible", String.valueOf(e.getMessage()));
    }
  }

  private void poll(Exchange exchange) throws IOException, InterruptedException {
    OidcSettings now = require();
    JsonFields body =
        JsonFields.of(exchange.json(MAX_BODY_BYTES), "", Set.of("handle", "title", "hours"));
    String handle = body.text("handle");
    if (!devices.has(handle)) {
      throw ApiException.of(401, "unauthorized", "This login has expired; start again.");
    }
    try {
      Optional<String> code = devices.due(handle);
      Optional<OidcPerson> person =
          code.isPresent() ? provider.poll(now, code.get()) : Optional.empty();
      if (person.isEmpty()) {
        exchange.json(202, new Waiting(true));
        return;
      }
      devices.end(handle);
      exchange.auditAs(person.get().name());
      Account account = accounts.admit(now, person.get());
      exchange.auditAs(account.name());
      long millis = clock.millis();
      long hours = body.number("hours", now.lasts().toHours(), 1, TokenRoutes.MAX_DAYS * 24L);
      long expires = millis + Math.min(now.lasts().toMillis(), Duration.ofHours(hours).toMillis());
      String title = TokenRoutes.checkTitle(body.text("title", "login " + Times.iso(millis)));
      AccountCommands.Issued issued = commands.issue(account.name(), title, expires);
      exchange.json(
          201,
          new SessionRoutes.LoggedIn(
              issued.word(), account.name(), account.role().name(), title, Times.iso(expires)));
    } catch (OidcRefusedException e) {
      devices.end(handle);
      throw ApiException.of(401, "unauthorized", String.valueOf(e.getMessage()));
    }
  }
}
