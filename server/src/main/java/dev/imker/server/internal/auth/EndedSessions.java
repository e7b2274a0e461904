package dev.imker.server.internal.auth;

import dev.imker.store.PoolStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Cookies of browsers that have logged out: they are signed and would be good for weeks, so the
 * server remembers their hashes for as long.
 */
final class EndedSessions {
  private static final String SETTING = "logged-out/";

  private final PoolStore store;
  private final Map<String, Long> untilMillis = new ConcurrentHashMap<>();

  EndedSessions(PoolStore store, long nowMillis) {
    this.store = store;
    reload(nowMillis);
  }

  /** Adds what other servers of the pool have noted, and forgets what is over. */
  final void reload(long nowMillis) {
    store
        .settings(SETTING)
        .forEach((key, text) -> untilMillis.put(within(key), Long.parseLong(text)));
    forget(nowMillis);
  }

  private static String within(String key) {
    return key.substring(SETTING.length());
  }

  private void forget(long nowMillis) {
    untilMillis.forEach(
        (hash, until) -> {
          if (until <= nowMillis) {
            store.putSetting(SETTING + hash, "");
            untilMillis.remove(hash);
          }
        });
  }

  void end(String cookie, long nowMillis, long until) {
    String hash = Secrets.hash(cookie);
    untilMillis.put(hash, until);
    store.putSetting(SETTING + hash, Long.toString(until));
    forget(nowMillis);
  }

  boolean hasEnded(String cookie) {
    return !untilMillis.isEmpty() && untilMillis.containsKey(Secrets.hash(cookie));
  }
}
