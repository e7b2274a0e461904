package dev.imker.server.internal.rest.users;

import dev.imker.model.account.Account;
import dev.imker.model.account.AccountRole;
import dev.imker.model.account.Quota;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.auth.AccountCommands;
import dev.imker.server.internal.auth.Accounts;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.store.AccountReads;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** {@code /api/v1/users}: accounts, for admins. */
public record UserRoutes(Accounts accounts, AccountCommands commands, AccountReads reads) {
  private static final int MAX_BODY_BYTES = 4096;

  public record Users(List<AccountView> users) {}

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/users", Access.ADMIN, this::list),
        Endpoint.post("/api/v1/users", Access.ADMIN, this::add),
        Endpoint.get("/api/v1/users/{user}", Access.ADMIN, this::show),
        Endpoint.put("/api/v1/users/{user}", Access.ADMIN, this::change),
        Endpoint.delete("/api/v1/users/{user}", Access.ADMIN, this::remove));
  }

  private void list(Exchange exchange) throws IOException {
    exchange.json(
        200,
        new Users(accounts.all().stream().map(account -> AccountView.of(account, reads)).toList()));
  }

  private void show(Exchange exchange) throws IOException {
    exchange.json(200, AccountView.of(require(exchange), reads));
  }

  private Account require(Exchange exchange) {
    String name = exchange.param("user");
    return accounts
        .find(name)
        .orElseThrow(() -> ApiException.notFound("There is no user " + name + "."));
  }

  private void add(Exchange exchange) throws IOException, InterruptedException {
    JsonFields body =
        JsonFields.of(
            exchange.json(MAX_BODY_BYTES), "", Set.of("user", "role", "password", "quota"));
    Account account =
        commands.add(
            body.text("user"),
            body.choice("role", AccountRole.class, AccountRole.USER),
            body.text("password", ""),
            quota(body, Quota.NONE));
    exchange.response().putHeader("Location", "/api/v1/users/" + account.name());
    exchange.json(201, AccountView.of(account, reads));
  }

  private void change(Exchange exchange) throws IOException, InterruptedException {
    String name = require(exchange).name();
    JsonFields body =
        JsonFields.of(
            exchange.json(MAX_BODY_BYTES), "", Set.of("role", "password", "quota", "disabled"));
    if (body.has("role")) {
      commands.setRole(name, body.choice("role", AccountRole.class, AccountRole.USER));
    }
    if (body.has("password")) {
      commands.setPassword(name, body.text("password"));
    }
    if (body.has("quota")) {
      commands.setQuota(name, quota(body, require(exchange).quota()));
    }
    if (body.has("disabled")) {
      commands.setDisabled(name, body.flag("disabled", false));
    }
    exchange.json(200, AccountView.of(require(exchange), reads));
  }

  /** Limits that are not named stay as they are; -1 is none. */
  private static Quota quota(JsonFields body, Quota present) {
    if (!body.has("quota")) {
      return present;
    }
    JsonFields given = body.object("quota", Set.of("tasks", "storageBytes", "slots"));
    return new Quota(
        given.number("tasks", present.tasks(), -1, Long.MAX_VALUE),
        given.number("storageBytes", present.storageBytes(), -1, Long.MAX_VALUE),
        given.number("slots", present.slots(), -1, Integer.MAX_VALUE));
  }

  private void remove(Exchange exchange) throws IOException, InterruptedException {
    commands.remove(require(exchange).name());
    exchange.empty(204);
  }
}
