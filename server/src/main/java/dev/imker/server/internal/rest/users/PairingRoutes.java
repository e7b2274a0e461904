package dev.imker.server.internal.rest.users;

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
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * {@code /api/v1/pairing}: whoever proves to know the code that an admin sees gets a join token for
 * one agent ({@link dev.imker.wire.pairing.PairingSide}).
 */
public final class PairingRoutes {
  private static final int MAX_BODY_BYTES = 10_000;
  private static final Duration TOKEN_LIFE = Duration.ofHours(1);

  record CodeView(String code, String expires) {}

  record Paired(String proof, String token) {}

  private final Pairings pairings;
  private final JoinTokens tokens;
  private final Authenticator authenticator;
  private final SchedulerLoop loop;
  private final UnaryOperator<String> words;
  private final Supplier<String> fingerprint;
  private final Clock clock;

  /**
   * @param words makes of a secret all that an agent needs to join
   * @param fingerprint of the server's own certificate; empty if callers do not see that
   */
  public PairingRoutes(
      JoinTokens tokens,
      Authenticator authenticator,
      SchedulerLoop loop,
      UnaryOperator<String> words,
      Supplier<String> fingerprint,
      Clock clock) {
    this.pairings = new Pairings(fingerprint, clock);
    this.tokens = tokens;
    this.authenticator = authenticator;
    this.loop = loop;
    this.words = words;
    this.fingerprint = fingerprint;
    this.clock = clock;
  }

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.post("/api/v1/joins/code", Access.ADMIN, this::open),
        Endpoint.post("/api/v1/pairing", Access.OPEN, this::begin),
        Endpoint.post("/api/v1/pairing/{id}", Access.OPEN, this::finish));
  }

  /** A fresh code for people to read; the one before it ends. */
  public String openCode() {
    return pairings.open().text();
  }

  private void open(Exchange exchange) throws IOException {
    if (fingerprint.get().isEmpty()) {
      throw ApiException.of(
          409,
          "no_certificate",
          "Pairing codes need a server that other machines reach under the pool's own"
              + " certificate; this one is behind a proxy, or only reachable locally. 'imker"
              + " join' shows what to use.");
    }
    Pairings.Code code = pairings.open();
    exchange.json(201, new CodeView(code.text(), Times.iso(code.expiresMillis())));
  }

  private void begin(Exchange exchange) throws IOException {
    JsonFields body = JsonFields.of(exchange.json(MAX_BODY_BYTES), "", Set.of("first"));
    exchange.json(200, pairings.begin(body.text("first")));
  }

  private void finish(Exchange exchange) throws IOException, InterruptedException {
    JsonFields body = JsonFields.of(exchange.json(MAX_BODY_BYTES), "", Set.of("second", "proof"));
    String id = exchange.param("id");
    Pairings.Proved proved = pairings.finish(id, body.text("second"), body.text("proof"));
    long now = clock.millis();
    JoinTokens.Issued issued =
        tokens.issue("paired-" + id.substring(0, 8), 1, now, now + TOKEN_LIFE.toMillis());
    Await.answer(new NodeCommands(loop).keep(issued.change()));
    String token = words.apply(authenticator.joinSecret(issued.entry().id()));
    exchange.json(200, new Paired(proved.proof(), proved.side().seal(token)));
  }
}
