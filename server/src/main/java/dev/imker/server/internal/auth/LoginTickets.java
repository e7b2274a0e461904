package dev.imker.server.internal.auth;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Login links that work once. Only their hashes are kept, in memory. */
final class LoginTickets {
  private static final int MAX = 1000;

  private record Ticket(Identity identity, long expiresMillis) {}

  private final Map<String, Ticket> tickets = new ConcurrentHashMap<>();

  String issue(Identity identity, long nowMillis, long validMillis) {
    tickets.values().removeIf(ticket -> ticket.expiresMillis < nowMillis);
    if (tickets.size() >= MAX) {
      tickets.clear();
    }
    String word = "imker-login-" + Secrets.random();
    tickets.put(Secrets.hash(word), new Ticket(identity, nowMillis + validMillis));
    return word;
  }

  Optional<Identity> redeem(String word, long nowMillis) {
    Ticket ticket = tickets.remove(Secrets.hash(word));
    return ticket == null || ticket.expiresMillis < nowMillis
        ? Optional.empty()
        : Optional.of(ticket.identity);
  }
}
