package dev.imker.server.internal.retention;

import dev.imker.store.PoolStore;
import java.util.Map;
import java.util.TreeMap;

/** The rules of the pool and those of single users, kept in the store. */
public record RuleBook(PoolStore store) {
  private static final String POOL = "retention";
  private static final String USER = "retention.user.";

  public RetentionRules pool() {
    return store.setting(POOL).map(RetentionRules::parse).orElse(RetentionRules.USUAL);
  }

  public RetentionRules of(String user) {
    return store
        .setting(USER + user)
        .filter(text -> !text.isEmpty())
        .map(RetentionRules::parse)
        .orElseGet(this::pool);
  }

  /** Users with rules of their own. */
  public Map<String, RetentionRules> users() {
    Map<String, RetentionRules> rules = new TreeMap<>();
    store
        .settings(USER)
        .forEach(
            (key, text) -> {
              if (!text.isEmpty()) {
                rules.put(key.substring(USER.length()), RetentionRules.parse(text));
              }
            });
    return rules;
  }

  public void setPool(RetentionRules rules) {
    store.putSetting(POOL, rules.text());
  }

  public void setUser(String user, RetentionRules rules) {
    store.putSetting(USER + user, rules.text());
  }
}
