package dev.imker.server.internal.rest.users;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.server.http.ApiException;
import dev.imker.testbase.Attack;
import dev.imker.wire.pairing.PairingException;
import dev.imker.wire.pairing.PairingSide;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class PairingsTest {
  private static final String CERTIFICATE = "a".repeat(64);
  private static final String ANOTHER = "b".repeat(64);

  private long now = 1_000_000;
  private final InstantSource source = () -> Instant.ofEpochMilli(now);
  private final Pairings pairings =
      new Pairings(() -> CERTIFICATE, source.withZone(ZoneOffset.UTC));

  private record Sent(String id, String second, String proof, PairingSide agent) {}

  private Sent begin(String code, String certificate) throws PairingException {
    PairingSide agent = PairingSide.ofAgent(code, certificate);
    Pairings.Begun begun = pairings.begin(agent.first());
    String second = agent.second(begun.first());
    return new Sent(begun.id(), second, agent.proof(begun.second()), agent);
  }

  private Pairings.Proved finish(Sent sent) {
    return pairings.finish(sent.id, sent.second, sent.proof);
  }

  private static String wrong(String code) {
    return code.startsWith("0") ? "1" + code.substring(1) : "0" + code.substring(1);
  }

  private static void refused(ThrowingCallable call, int status, String words) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(ApiException.class, e -> assertThat(e.status()).isEqualTo(status))
        .hasMessageContaining(words);
  }

  @Test
  void whoever_knows_the_code_gets_what_is_sealed() throws PairingException {
    Sent sent = begin(pairings.open().text(), CERTIFICATE);
    Pairings.Proved proved = finish(sent);
    sent.agent.check(proved.proof());
    assertThat(sent.agent.unseal(proved.side().seal("token"))).isEqualTo("token");
  }

  @Test
  @Attack("try all pairing codes")
  void after_five_wrong_tries_the_code_is_closed() throws PairingException {
    String code = pairings.open().text();
    for (int i = 1; i < Pairings.MAX_WRONG; i++) {
      Sent sent = begin(wrong(code), CERTIFICATE);
      refused(() -> finish(sent), 403, "left");
    }
    Sent open = begin(code, CERTIFICATE);
    Sent last = begin(wrong(code), CERTIFICATE);
    refused(() -> finish(last), 403, "no longer valid");
    refused(() -> finish(open), 409, "no valid pairing code");
    refused(() -> begin(code, CERTIFICATE), 409, "imker join code");
  }

  @Test
  @Attack("replay a recorded pairing")
  void an_exchange_is_worth_something_once() throws PairingException {
    Sent sent = begin(pairings.open().text(), CERTIFICATE);
    finish(sent);
    refused(() -> finish(sent), 404, "has ended");
    Sent next = begin("1234-5678", CERTIFICATE);
    refused(() -> pairings.finish(next.id, sent.second, sent.proof), 400, "unexpected message");
  }

  @Test
  @Attack("intercept the pairing of agent and server with a certificate of one's own")
  void whoever_passes_a_pairing_on_gets_nothing() throws PairingException {
    Sent sent = begin(pairings.open().text(), ANOTHER);
    refused(() -> finish(sent), 403, "not the pairing code");
  }

  @Test
  void codes_end_after_ten_minutes_and_by_the_next_one() throws PairingException {
    Pairings.Code first = pairings.open();
    Sent early = begin(first.text(), CERTIFICATE);
    now = first.expiresMillis();
    refused(() -> finish(early), 409, "no valid pairing code");
    Pairings.Code second = pairings.open();
    Sent of = begin(second.text(), CERTIFICATE);
    pairings.open();
    refused(() -> finish(of), 404, "has ended");
  }

  @Test
  @Attack("keep the server busy with pairings")
  void exchanges_are_counted() {
    pairings.open();
    for (int i = 0; i < Pairings.MAX_EXCHANGES; i++) {
      refused(() -> pairings.begin("nonsense"), 400, "unexpected message");
    }
    refused(() -> pairings.begin("nonsense"), 409, "no valid pairing code");
  }

  @Test
  void there_is_no_code_before_somebody_wants_one() {
    refused(() -> pairings.begin("1.2.3.4.5.6"), 409, "no valid pairing code");
  }
}
