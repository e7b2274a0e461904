package dev.imker.server.internal.rest.users;

import dev.imker.model.ImkerException;
import dev.imker.model.job.SecretReference;
import dev.imker.server.commands.Await;
import dev.imker.server.commands.NodeCommands;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.auth.JobSecrets;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.server.internal.rest.request.RouteParts;
import dev.imker.server.internal.rest.request.Times;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Set;

/** {@code /api/v1/secrets}: what the caller's own jobs name and nobody reads again. */
public final class SecretRoutes {
  private static final int MIN_CHARS = 4;
  private static final int MAX_CHARS = 32_000;
  private static final int MAX_BODY_BYTES = 200_000;
  private static final int MAX_SECRETS = 1000;

  /** A secret without its value. */
  public record SecretView(String name, String set) {}

  /** The caller's secrets. */
  public record SecretViews(List<SecretView> secrets) {}

  private final JobSecrets secrets;
  private final NodeCommands book;
  private final Clock clock;

  public SecretRoutes(RouteParts parts) {
    this.secrets = parts.secrets();
    this.book = new NodeCommands(parts.loop());
    this.clock = parts.clock();
  }

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/secrets", Access.WORK, this::list),
        Endpoint.put("/api/v1/secrets/{name}", Access.WORK, this::set),
        Endpoint.delete("/api/v1/secrets/{name}", Access.WORK, this::delete));
  }

  private void list(Exchange exchange) throws IOException {
    exchange.json(
        200,
        new SecretViews(
            secrets.of(exchange.identity().user()).entrySet().stream()
                .map(entry -> new SecretView(entry.getKey(), Times.iso(entry.getValue())))
                .toList()));
  }

  private void set(Exchange exchange) throws IOException, InterruptedException {
    String user = exchange.identity().user();
    String name = exchange.param("name");
    if (!SecretReference.NAME.matcher(name).matches()) {
      throw ApiException.invalid(
          "name", "The name of a secret has at most 64 letters, digits, dots, - and _.");
    }
    String value = JsonFields.of(exchange.json(MAX_BODY_BYTES), "", Set.of("value")).text("value");
    if (value.length() < MIN_CHARS || value.length() > MAX_CHARS || value.indexOf('\0') >= 0) {
      throw ApiException.invalid(
          "value",
          "A secret must have %d to %d characters and no NUL; shorter ones could not be masked in logs."
              .formatted(MIN_CHARS, MAX_CHARS));
    }
    if (secrets.of(user).size() >= MAX_SECRETS) {
      throw ApiException.of(
          409, "too_many", "You have %d secrets; delete some.".formatted(MAX_SECRETS));
    }
    try {
      Await.answer(book.keep(secrets.put(user, name, value, clock.millis())));
    } catch (ImkerException e) {
      throw ApiException.of(409, "no_key", String.valueOf(e.getMessage()));
    }
    exchange.empty(204);
  }

  private void delete(Exchange exchange) throws IOException, InterruptedException {
    String user = exchange.identity().user();
    String name = exchange.param("name");
    if (!secrets.of(user).containsKey(name)) {
      throw ApiException.notFound(
          "You have no secret '%s'; 'imker secret ls' lists all.".formatted(name));
    }
    Await.answer(book.keep(JobSecrets.remove(user, name)));
    exchange.empty(204);
  }
}
