package dev.imker.server.http;

import dev.imker.server.internal.auth.Identity;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Answers that continue for as long as their caller listens. Only a leader has anything to send, so
 * they are closed when this server stops leading, and callers look for the next leader.
 */
final class LiveStreams {
  static final int MAX_PER_USER = 500;

  private final Standing standing;
  private final Set<Exchange> open = ConcurrentHashMap.newKeySet();

  LiveStreams(Standing standing) {
    this.standing = standing;
  }

  /** Refuses one more of a caller who has many already. */
  void require(Exchange exchange) {
    String user = exchange.caller().map(Identity::user).orElse("");
    long others =
        open.stream()
            .filter(other -> other.caller().map(Identity::user).orElse("").equals(user))
            .count();
    if (others >= MAX_PER_USER) {
      throw ApiException.of(
          429,
          "too_many_streams",
          "You already have %d live streams open, which is the limit; close one first."
              .formatted(others));
    }
  }

  void begun(Exchange exchange) {
    open.add(exchange);
    if (!standing.leads()) { // it stopped leading after the request was let in
      exchange.breakOff();
    }
  }

  void ended(Exchange exchange) {
    open.remove(exchange);
  }

  void breakOffAll() {
    open.forEach(Exchange::breakOff);
  }
}
