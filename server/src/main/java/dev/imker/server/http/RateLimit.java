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
 * The request rate limit per caller, so that no caller can monopolise the server: each has a token
 * bucket that fills steadily and holds a few seconds' worth of requests. Known callers are counted
 * by their account, whatever tokens they use, others, also agents that join, by their address.
 * Agents of the pool are not counted: what they do is bound by the leases they have.
 */
public final class RateLimit {
  private static final int BURST_SECONDS = 10;
  private static final int UNKNOWN_PER_SECOND = 100;

  /** Thousands of agents behind one address come back at once when their server does. */
  private static final int JOINS_PER_SECOND = 1000;

  private static final int IPV6_BYTES = 16;
  private static final int MAX_REMEMBERED = 10_000;
  private static final double MILLIS_PER_SECOND = 1000;

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

  /** Counts a request; the seconds until the caller may send the next, 0 if this one is welcome. */
  int retryAfterSeconds(Optional<Identity> caller, String address) {
    if (caller.isEmpty()) {
      int rate = Math.min(UNKNOWN_PER_SECOND, perSecond.getAsInt());
      return take("address " + network(address), rate);
    }
    return switch (caller.get().role()) {
      case AGENT -> 0;
      case JOIN -> take("join " + network(address), JOINS_PER_SECOND);
      default -> take("user " + caller.get().user(), perSecond.getAsInt());
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

  private synchronized int take(String key, int rate) {
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
    bucket.left = Math.min(room, bucket.left + refill);
    bucket.atMillis = nowMillis;
    if (bucket.left >= 1) {
      bucket.left--;
      return 0;
    }
    return Math.max(1, (int) Math.ceil((1 - bucket.left) / rate));
  }
}
