package dev.imker.server.internal.rest.users;

import dev.imker.model.account.ApiToken;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.auth.AccountCommands;
import dev.imker.server.internal.auth.Accounts;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.internal.auth.Role;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.server.internal.rest.request.Times;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * {@code /api/v1/tokens}: words that stand for an account; an admin sees to those of others too.
 */
public record TokenRoutes(Accounts accounts, AccountCommands commands, Clock clock) {
  static final int MAX_DAYS = 3650;
  private static final int MAX_BODY_BYTES = 4096;

  /** A token without its secret. */
  public record TokenView(
      String user, String title, String created, @Nullable String expires, boolean expired) {}

  public record Tokens(List<TokenView> tokens) {}

  /** A fresh token; shown this once. */
  record Fresh(String token, String user, String title, @Nullable String expires) {}

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/tokens", Access.LOOK, this::list),
        Endpoint.post("/api/v1/tokens", Access.LOOK, this::create),
        Endpoint.delete("/api/v1/tokens/{title}", Access.LOOK, this::revoke));
  }

  static String checkTitle(String title) {
    if (!title.matches("[\\p{L}\\p{N}][\\p{L}\\p{N} ._:@-]{0,99}")) {
      throw ApiException.invalid(
          "title",
          "title=%s: the name of a token has letters, digits, spaces and . _ : @ -, at most 100."
              .formatted(title));
    }
    return title;
  }

  private String account(Exchange exchange, String wanted) {
    Identity caller = exchange.identity();
    if (!wanted.equals(caller.user()) && caller.role() != Role.ADMIN) {
      throw ApiException.of(403, "forbidden", "Only an admin manages the tokens of others.");
    }
    if (accounts.find(wanted).isEmpty()) {
      throw ApiException.notFound("There is no user " + wanted + ".");
    }
    return wanted;
  }

  private void list(Exchange exchange) throws IOException {
    String user = account(exchange, exchange.query("user").orElse(exchange.identity().user()));
    exchange.json(200, new Tokens(accounts.tokens(user).stream().map(this::view).toList()));
  }

  private TokenView view(ApiToken token) {
    return new TokenView(
        token.account(),
        token.title(),
        Times.iso(token.createdMillis()),
        Times.isoOrNull(token.expiresMillis()),
        token.isOver(clock.millis()));
  }

  private void create(Exchange exchange) throws IOException, InterruptedException {
    JsonFields body =
        JsonFields.of(exchange.json(MAX_BODY_BYTES), "", Set.of("title", "days", "user"));
    String user = account(exchange, body.text("user", exchange.identity().user()));
    String title = checkTitle(body.text("title"));
    long expires =
        body.has("days")
            ? clock.millis() + Duration.ofDays(body.number("days", 1, MAX_DAYS)).toMillis()
            : ApiToken.NEVER;
    AccountCommands.Issued issued = commands.issue(user, title, expires);
    exchange.json(201, new Fresh(issued.word(), user, title, Times.isoOrNull(expires)));
  }

  private void revoke(Exchange exchange) throws IOException, InterruptedException {
    String user = account(exchange, exchange.query("user").orElse(exchange.identity().user()));
    String title = exchange.param("title");
    if (!commands.revoke(user, title)) {
      throw ApiException.notFound("%s has no token '%s'.".formatted(user, title));
    }
    exchange.empty(204);
  }
}
