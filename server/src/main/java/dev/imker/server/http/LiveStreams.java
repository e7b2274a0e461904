package dev.imker.server.http;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The answers that go on for as long as their caller listens. Only a leader has anything to say in
 * them, so they are broken off when this server stops leading: callers look for the next leader
 * instead of listening to one that will never hear of their work again.
 */
final class LiveStreams {
  private final Standing standing;
  private final Set<Exchange> open = ConcurrentHashMap.newKeySet();

  LiveStreams(Standing standing) {
    this.standing = standing;
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
