package dev.imker.server.internal.rest.users;

import dev.imker.model.ImkerException;
import dev.imker.model.change.SettingPut;
import dev.imker.model.connection.JoinLines;
import dev.imker.server.commands.Await;
import dev.imker.server.commands.NodeCommands;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.auth.Authenticator;
import dev.imker.server.internal.auth.JoinTokens;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.server.internal.rest.request.Times;
import dev.imker.server.loop.SchedulerLoop;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** {@code /api/v1/joins}: the tokens by which new agents join. */
public final class JoinRoutes {
  private static final int MAX_BODY_BYTES = 1000;
  private static final int MAX_AGENTS = 1_000_000;
  private static final int MAX_HOURS = 24 * 3650;

  /** A token without its secret; -1 agents is any number, no time is for ever. */
  record JoinView(
      String title, long agents, long joined, @Nullable String expires, boolean revoked) {}

  /**
   * @param token the pool's own; none if that was revoked
   * @param line what makes a machine join by it
   */
  record Joins(
      List<JoinView> joins,
      @Nullable String token,
      @Nullable String line,
      @Nullable String windowsLine) {}

  /** A fresh one; shown this once. */
  record Made(String title, String token, String line, String windowsLine) {}

  private final JoinTokens tokens;
  private final Authenticator authenticator;
  private final SchedulerLoop loop;
  private final UnaryOperator<String> words;
  private final Function<String, JoinLines> lines;
  private final Clock clock;

  /**
   * @param words makes of a secret all that an agent needs to join
   * @param lines makes of it what a machine without Imker runs
   */
  public JoinRoutes(
      JoinTokens tokens,
      Authenticator authenticator,
      SchedulerLoop loop,
      UnaryOperator<String> words,
      Function<String, JoinLines> lines,
      Clock clock) {
    this.tokens = tokens;
    this.authenticator = authenticator;
    this.loop = loop;
    this.words = words;
    this.lines = lines;
    this.clock = clock;
  }

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/joins", Access.ADMIN, this::list),
        Endpoint.post("/api/v1/joins", Access.ADMIN, this::make),
        Endpoint.delete("/api/v1/joins/{title}", Access.ADMIN, this::revoke));
  }

  private void list(Exchange exchange) throws IOException, InterruptedException {
    List<JoinView> views = new ArrayList<>();
    boolean poolIsOpen = true;
    for (JoinTokens.Entry entry : tokens.all()) {
      long joined = Await.answer(loop.ask(pool -> pool.agents().keys().joinedBy(entry.id())));
      views.add(
          new JoinView(
              entry.title(),
              entry.maxAgents(),
              joined,
              Times.isoOrNull(entry.expiresMillis()),
              entry.revoked()));
      poolIsOpen &= !(entry.title().equals(JoinTokens.POOL) && entry.revoked());
    }
    JoinLines line = lines.apply("");
    exchange.json(
        200,
        poolIsOpen
            ? new Joins(views, words.apply(""), line.shell(), line.powerShell())
            : new Joins(views, null, null, null));
  }

  private void make(Exchange exchange) throws IOException, InterruptedException {
    JsonFields body =
        JsonFields.of(exchange.json(MAX_BODY_BYTES), "", Set.of("title", "agents", "hours"));
    String title = TokenRoutes.checkTitle(body.text("title"));
    if (title.equals(JoinTokens.POOL)) {
      put(JoinTokens.reopenPool());
      exchange.json(201, made(title, ""));
      return;
    }
    long agents = body.number("agents", -1, -1, MAX_AGENTS);
    long hours = body.number("hours", 0, 0, MAX_HOURS);
    long now = clock.millis();
    long expires = hours == 0 ? -1 : now + Duration.ofHours(hours).toMillis();
    try {
      JoinTokens.Issued issued = tokens.issue(title, agents, now, expires);
      put(issued.change());
      String secret = authenticator.joinSecret(issued.entry().id());
      exchange.json(201, made(title, secret));
    } catch (ImkerException e) {
      throw ApiException.of(409, "exists", String.valueOf(e.getMessage()));
    }
  }

  private Made made(String title, String secret) {
    JoinLines line = lines.apply(secret);
    return new Made(title, words.apply(secret), line.shell(), line.powerShell());
  }

  private void revoke(Exchange exchange) throws IOException, InterruptedException {
    String title = exchange.param("title");
    put(
        tokens
            .revoke(title)
            .orElseThrow(
                () ->
                    ApiException.notFound(
                        "There is no join token '" + title + "'; 'imker join' lists all.")));
    exchange.empty(204);
  }

  private void put(SettingPut change) throws InterruptedException {
    Await.answer(new NodeCommands(loop).keep(change));
  }
}
