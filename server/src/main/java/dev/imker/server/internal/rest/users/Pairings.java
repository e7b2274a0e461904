package dev.imker.server.internal.rest.users;

import dev.imker.server.http.ApiException;
import dev.imker.wire.pairing.PairingException;
import dev.imker.wire.pairing.PairingSide;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The code by which machines without a token join, while there is one: for ten minutes, five wrong
 * tries and fifty exchanges, one after the other, so that strangers cost neither the secret nor a
 * processor.
 */
final class Pairings {
  static final Duration LIFE = Duration.ofMinutes(10);
  static final int MAX_WRONG = 5;
  static final int MAX_EXCHANGES = 50;

  record Code(String text, long expiresMillis) {}

  record Begun(String id, String first, String second) {}

  /** An exchange whose other side has proved that it knows the code. */
  record Proved(PairingSide side, String proof) {}

  private final Supplier<String> fingerprint;
  private final Clock clock;
  private final Map<String, PairingSide> underWay = new LinkedHashMap<>();
  private @Nullable Code code;
  private int wrong;
  private int begun;

  /**
   * @param fingerprint of the certificate that callers see
   */
  Pairings(Supplier<String> fingerprint, Clock clock) {
    this.fingerprint = fingerprint;
    this.clock = clock;
  }

  /** A fresh code; the one before it is worth nothing from now on. */
  synchronized Code open() {
    Code fresh = new Code(PairingSide.randomCode(), clock.millis() + LIFE.toMillis());
    underWay.clear();
    wrong = 0;
    begun = 0;
    code = fresh;
    return fresh;
  }

  synchronized Begun begin(String first) {
    Code now = current();
    if (++begun > MAX_EXCHANGES) {
      close();
      throw closed();
    }
    PairingSide side = PairingSide.ofServer(now.text, fingerprint.get());
    String id = UUID.randomUUID().toString();
    try {
      Begun answer = new Begun(id, side.first(), side.second(first));
      underWay.put(id, side);
      return answer;
    } catch (PairingException e) {
      throw nonsense(e);
    }
  }

  /** Every exchange ends here, whatever comes of it. */
  synchronized Proved finish(String id, String second, String proof) {
    current();
    PairingSide side = underWay.remove(id);
    if (side == null) {
      throw ApiException.notFound("There is no such exchange, or it has ended; start another one.");
    }
    String own;
    try {
      own = side.proof(second);
    } catch (PairingException e) {
      throw nonsense(e);
    }
    try {
      side.check(proof);
      return new Proved(side, own);
    } catch (PairingException e) {
      throw wrongCode();
    }
  }

  private ApiException wrongCode() {
    wrong++;
    if (wrong >= MAX_WRONG) {
      close();
      return ApiException.of(
          403,
          "wrong_code",
          "That is not the pairing code, and after %d wrong attempts it is no longer valid; 'imker join code'"
                  .formatted(MAX_WRONG)
              + " creates another one.");
    }
    int left = MAX_WRONG - wrong;
    return ApiException.of(
        403,
        "wrong_code",
        "That is not the pairing code; %d %s left. If you typed it correctly, this is another pool:"
                .formatted(left, left == 1 ? "try is" : "tries are")
            + " compare the fingerprint.");
  }

  private Code current() {
    Code now = code;
    if (now == null || clock.millis() >= now.expiresMillis) {
      close();
      throw closed();
    }
    return now;
  }

  private void close() {
    code = null;
    underWay.clear();
  }

  private static ApiException closed() {
    return ApiException.of(
        409,
        "no_code",
        "This pool has no valid pairing code now; 'imker join code' or its web page shows"
            + " a new one.");
  }

  private static ApiException nonsense(PairingException e) {
    return ApiException.of(400, "invalid", "Not an exchange of a pairing: " + e.getMessage() + ".");
  }
}
