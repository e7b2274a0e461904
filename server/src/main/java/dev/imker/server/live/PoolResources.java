package dev.imker.server.live;

import dev.imker.model.change.SettingPut;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Amounts that exist once for all machines, such as licences, as they are kept. Belongs to the
 * loop's thread.
 */
public final class PoolResources {
  private static final String SETTING = "pool-resource/";

  private final SortedMap<String, Double> amounts = new TreeMap<>();

  /**
   * @param settings all whose keys begin with a prefix
   */
  public PoolResources(Function<String, Map<String, String>> settings) {
    settings
        .apply(SETTING)
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
