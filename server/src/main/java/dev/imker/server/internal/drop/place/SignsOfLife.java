package dev.imker.server.internal.drop.place;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Tells which servers are gone, from signs that change while they are there. What counts is how
 * long a sign has stayed the same before our eyes, so that clocks of different machines need not
 * agree.
 */
public final class SignsOfLife {
  /** Servers that have not been seen for so long have lost their files. */
  public static final long LOST_MILLIS = 15L * 60 * 1000;

  /** Signs are given so many times before a server that stopped is taken for lost. */
  private static final int SIGNS = 15;

  /** The sign of a server, and since when it has been the same. */
  private record Seen(String sign, long sinceNanos) {}

  private final long lostNanos;
  private final Map<String, Seen> seen = new HashMap<>();

  /** How often to give one. */
  public static long everyMillis(long lostMillis) {
    return Math.max(1, lostMillis / SIGNS);
  }

  public SignsOfLife(long lostMillis) {
    this.lostNanos = TimeUnit.MILLISECONDS.toNanos(lostMillis);
  }

  /**
   * The servers that are gone.
   *
   * @param signs of all servers but this one, by their names
   */
  public List<String> lost(Map<String, String> signs) {
    long now = System.nanoTime();
    seen.keySet().retainAll(signs.keySet());
    List<String> lost = new ArrayList<>();
    signs.forEach(
        (server, sign) -> {
          Seen before = seen.get(server);
          if (before == null || !before.sign.equals(sign)) {
            seen.put(server, new Seen(sign, now));
          } else if (now - before.sinceNanos > lostNanos) {
            lost.add(server);
          }
        });
    return lost;
  }
}
