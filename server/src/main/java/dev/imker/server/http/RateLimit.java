package dev.imker.server.http;

import dev.imker.model.recent.RecentMap;
import dev.imker.server.internal.auth.Identity;
import java.net.InetAddress;
import java.time.Clock;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;

/**
 * How many requests each caller may send, so that one cannot take the server from the others: each
 * has a bucket of requests that fills steadily and holds those of some seconds. Known callers are
 * counted by their account, whatever tokens they use, others, also agents that join, by their
 * address. Agents of the pool are not counted: what they do is bound by the leases they have.
 *
 * <p>A known caller that is ahead of its share by little waits for its turn here. To send it away
 * would cost it a whole second, which is the least that HTTP can say, for what takes a millisecond.
 */
public final class RateLimit {
  private static final int BURST_SECONDS = 10;
  private static final int UNKNOWN_PER_SECOND = 100;

  /** Thousands of agents behind one address come back at once when their server does. */
  private static final int JOINS_PER_SECOND = 1000;

  private static final int IPV6_BYTES = 16;
  private static final int MAX_REMEMBERED = 10_000;
  private static final double MILLIS_PER_SECOND = 1000;

  /** So far ahead of its share a caller may be that waits. */
  private static final int HELD_SECONDS = 1;

  /**
   * What becomes of a request.
   *
   * @param waitMillis until it is served
   * @param retrySeconds until the caller may come again; 0 if it is served
   */
  record Turn(long waitMillis, int retrySeconds) {
    boolean isRefused() {
      return retrySeconds > 0;
    }
  }

  private static final class Bucket {
    double left;
    long atMillis;
  }

  private final Clock clock;
  private final IntSupplier perSecond;
  private final Map<String, Bucket> buckets = RecentMap.ofLastUsed(MAX_REMEMBERED);

  /**
   * @param perSecond requests of one account
   */
  public RateLimit(Clock clock, IntSupplier perSecond) {
    this.clock = clock;
    this.perSecond = perSecond;
  }

  /**
   * Counts a request.
   *
   * @param mayWait whether it can be served later
   */
  Turn take(Optional<Identity> caller, String address, boolean mayWait) {
    if (caller.isEmpty()) {
      int rate = Math.min(UNKNOWN_PER_SECOND, perSecond.getAsInt());
      return take("address " + network(address), rate, 0);
    }
    return switch (caller.get().role()) {
      case AGENT -> new Turn(0, 0);
      case JOIN -> take("join " + network(address), JOINS_PER_SECOND, 0);
      default ->
          take("user " + caller.get().user(), perSecond.getAsInt(), mayWait ? HELD_SECONDS : 0);
    };
  }

  /** Whoever has an IPv6 address has 2^64 of them: those count as one. */
  private static String network(String address) {
    if (!address.contains(":")) {
      return address;
    }
    try {
      byte[] bytes = InetAddress.ofLiteral(address).getAddress();
      return bytes.length == IPV6_BYTES ? HexFormat.of().formatHex(bytes, 0, 8) : address;
    } catch (IllegalArgumentException e) {
      return address;
    }
  }

  private synchronized Turn take(String key, int rate, int heldSeconds) {
    long nowMillis = clock.millis();
    double room = (double) rate * BURST_SECONDS;
    Bucket bucket =
        buckets.computeIfAbsent(
            key,
            absent -> {
              Bucket full = new Bucket();
              full.left = room;
              full.atMillis = nowMillis;
              return full;
            });
    double refill = Math.max(0, nowMillis - bucket.atMillis) / MILLIS_PER_SECOND * rate;
    // The rate may have been lowered since: what was waited for under the former one is no debt.
    bucket.left = Math.clamp(bucket.left + refill, -(double) rate * HELD_SECONDS, room);
    bucket.atMillis = nowMillis;
    double lacking = 1 - bucket.left - (double) rate * heldSeconds;
    if (lacking > 0) {
      return new Turn(0, Math.max(1, (int) Math.ceil(lacking / rate)));
    }
    bucket.left--;
    return new Turn((long) Math.ceil(Math.max(0, -bucket.left) / rate * MILLIS_PER_SECOND), 0);
  }
}
