package dev.imker.server.internal.rest.users;

import dev.imker.model.account.Account;
import dev.imker.model.account.ApiToken;
import dev.imker.server.commands.Await;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.auth.AccountCommands;
import dev.imker.server.internal.auth.Accounts;
import dev.imker.server.internal.auth.Authenticator;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.internal.auth.PasswordLogin;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.server.internal.rest.request.RouteParts;
import dev.imker.server.internal.rest.request.Times;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.AccountReads;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Who the caller is: login by password, links for browsers, the own account. */
public final class SessionRoutes {
  private static final int MAX_BODY_BYTES = 4096;
  private static final int USUAL_DAYS = 90;

  /** A fresh token; shown this once. */
  public record LoggedIn(
      String token, String user, String role, String title, @Nullable String expires) {}

  /** A link that logs a browser in, once. */
  public record Link(String link) {}

  public record Me(
      String user,
      String role,
      boolean hasPassword,
      QuotaView quota,
      long liveTasks,
      long storageBytes) {}

  private final Accounts accounts;
  private final AccountCommands commands;
  private final PasswordLogin passwords;
  private final Authenticator authenticator;
  private final AccountReads reads;
  private final SchedulerLoop loop;
  private final Supplier<List<String>> urls;
  private final Clock clock;

  public SessionRoutes(RouteParts parts, AccountCommands commands) {
    accounts = parts.accounts();
    this.commands = commands;
    passwords = parts.passwords();
    authenticator = parts.authenticator();
    reads = parts.store().accounts();
    loop = parts.loop();
    urls = parts.urls();
    clock = parts.clock();
  }

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.post("/api/v1/login", Access.OPEN, this::login),
        Endpoint.post("/api/v1/login/link", Access.LOOK, this::link),
        Endpoint.get("/api/v1/me", Access.LOOK, this::me),
        Endpoint.put("/api/v1/me/password", Access.LOOK, this::changePassword));
  }

  private void login(Exchange exchange) throws IOException, InterruptedException {
    JsonFields body =
        JsonFields.of(
            exchange.json(MAX_BODY_BYTES), "", Set.of("user", "password", "title", "days"));
    String user = body.text("user");
    String password = body.text("password");
    exchange.auditAs(user);
    Account account = check(exchange, passwords, user, password);
    long now = clock.millis();
    long days = body.number("days", USUAL_DAYS, 1, TokenRoutes.MAX_DAYS);
    String title = TokenRoutes.checkTitle(body.text("title", "login " + Times.iso(now)));
    AccountCommands.Issued issued =
        commands.issue(account.name(), title, now + Duration.ofDays(days).toMillis());
    ApiToken token = issued.token();
    exchange.json(
        201,
        new LoggedIn(
            issued.word(),
            account.name(),
            account.role().name(),
            title,
            Times.isoOrNull(token.expiresMillis())));
  }

  /** The account, if the password is right; otherwise complains, and makes guessing slow. */
  static Account check(Exchange exchange, PasswordLogin passwords, String user, String password) {
    long pauseMillis = passwords.pauseMillis(user, exchange.address());
    if (pauseMillis > 0) {
      long seconds = (pauseMillis + 999) / 1000;
      exchange.response().putHeader("Retry-After", Long.toString(seconds));
      throw ApiException.of(
          429, "too_many_tries", "Too many failed logins; try again in " + seconds + " s.");
    }
    return passwords
        .check(user, password, exchange.address())
        .orElseThrow(() -> ApiException.of(401, "unauthorized", "Wrong user or password."));
  }

  private void link(Exchange exchange) throws IOException {
    String ticket = authenticator.loginTicket(exchange.identity());
    exchange.json(201, new Link(urls.get().getFirst() + "/login?token=" + ticket));
  }

  private void me(Exchange exchange) throws IOException, InterruptedException {
    Identity caller = exchange.identity();
    Account account =
        accounts
            .find(caller.user())
            .orElseThrow(() -> ApiException.notFound("There is no account " + caller.user() + "."));
    long live = Await.answer(loop.ask(pool -> pool.liveTasks(caller.user())));
    exchange.json(
        200,
        new Me(
            account.name(),
            caller.role().name(),
            account.hasPassword(),
            QuotaView.of(account.quota()),
            live,
            reads.storageBytes(account.name())));
  }

  private void changePassword(Exchange exchange) throws IOException, InterruptedException {
    JsonFields body = JsonFields.of(exchange.json(MAX_BODY_BYTES), "", Set.of("old", "new"));
    String user = exchange.identity().user();
    boolean has = accounts.find(user).map(Account::hasPassword).orElse(false);
    if (has) {
      check(exchange, passwords, user, body.text("old"));
    }
    exchange.json(200, AccountView.of(commands.setPassword(user, body.text("new")), reads));
  }
}
