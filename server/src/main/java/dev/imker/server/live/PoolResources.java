package dev.imker.server.live;

import dev.imker.model.change.SettingPut;
import dev.imker.store.PoolStore;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Amounts that exist once for all machines, such as licences, as they are kept. Belongs to the
 * loop's thread.
 */
public final class PoolResources {
  private static final String SETTING = "pool-resource/";

  private final SortedMap<String, Double> amounts = new TreeMap<>();

  public PoolResources(PoolStore store) {
    store
        .settings(SETTING)
        .forEach(
            (key, amount) ->
                amounts.put(key.substring(SETTING.length()), Double.parseDouble(amount)));
  }

  public SortedMap<String, Double> all() {
    return Collections.unmodifiableSortedMap(new TreeMap<>(amounts));
  }

  /**
   * @param amount 0: there is none any more
   */
  public SettingPut put(String name, double amount) {
    if (amount > 0) {
      amounts.put(name, amount);
    } else {
      amounts.remove(name);
    }
    return new SettingPut(SETTING + name, amount > 0 ? Double.toString(amount) : "");
  }
}
