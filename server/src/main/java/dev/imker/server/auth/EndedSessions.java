package dev.imker.server.auth;

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

  /** Adds what other servers of the pool have noted. */
  final void reload(long nowMillis) {
    store
        .settings(SETTING)
        .forEach(
            (key, text) -> {
              long until = text.isEmpty() ? 0 : Long.parseLong(text);
              if (until > nowMillis) {
                untilMillis.put(key.substring(SETTING.length()), until);
              }
            });
  }

  void end(String cookie, long until) {
    String hash = Secrets.hash(cookie);
    untilMillis.put(hash, until);
    store.putSetting(SETTING + hash, Long.toString(until));
  }

  boolean hasEnded(String cookie) {
    return !untilMillis.isEmpty() && untilMillis.containsKey(Secrets.hash(cookie));
  }
}
