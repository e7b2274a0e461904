package dev.imker.wire.connect;

import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Determines which of several servers is asked next, and with which patience. Owned by the
 * connector's loop.
 */
final class ServerRound {

  /** How often an answering server is asked who leads before others are. */
  private static final int MAX_QUESTIONS = 8;

  /** How long a server may take to answer at first, if there are others to ask. */
  private static final long FIRST_PATIENCE_MILLIS = 2_000;

  /** How long a server that hung is avoided, while others detect that it hangs. */
  private static final long AVOID_NANOS = TimeUnit.SECONDS.toNanos(5);

  private List<URI> addresses;
  private int next;
  private int tried;
  private int questions;
  private @Nullable URI present;
  private @Nullable URI silent;
  private long silentNanos;

  ServerRound(List<URI> addresses) {
    this.addresses = List.copyOf(addresses);
  }

  /** Other addresses; the next one stays the next if it is among them. */
  void replace(List<URI> fresh) {
    if (!fresh.isEmpty() && !fresh.equals(addresses)) {
      URI kept = addresses.get(next);
      addresses = List.copyOf(fresh);
      next = Math.max(0, fresh.indexOf(kept));
    }
  }

  /** The server to ask now. */
  URI next() {
    if (isAvoided(addresses.get(next))) {
      turn();
    }
    return addresses.get(next);
  }

  /** A server that hung a moment ago would probably let another connection hang as well. */
  boolean isAvoided(URI address) {
    return addresses.size() > 1
        && address.equals(silent)
        && System.nanoTime() - silentNanos < AVOID_NANOS;
  }

  /**
   * Others may know more than a server that does not answer; the longer nobody answers, the slower
   * the attempts.
   */
  long patienceMillis(long mostMillis) {
    return addresses.size() == 1
        ? mostMillis
        : Math.min(mostMillis, FIRST_PATIENCE_MILLIS * (1 + tried / addresses.size()));
  }

  void connected(URI address) {
    present = address;
    tried = 0;
    questions = 0;
    next = Math.max(addresses.indexOf(address), 0);
  }

  /** The server of the last connection hangs. */
  void wentSilent() {
    silent = present;
    silentNanos = System.nanoTime();
  }

  /** Nobody answered; returns whether to ask another server before waiting for this one. */
  boolean failed() {
    questions = 0;
    turn();
    return ++tried % addresses.size() != 0;
  }

  /** A server answered but does not know the leader (yet); it is left if it never does. */
  void answeredWithoutLeader() {
    tried = 0;
    if (++questions % MAX_QUESTIONS == 0) {
      turn();
    }
  }

  void refused() {
    turn();
  }

  private void turn() {
    next = (next + 1) % addresses.size();
  }
}
