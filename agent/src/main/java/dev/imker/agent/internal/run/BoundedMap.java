package dev.imker.agent.internal.run;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A small map for several threads that forgets its oldest entries. */
final class BoundedMap<K, V> {
  private final Map<K, V> entries;

  BoundedMap(int most) {
    this.entries =
        new LinkedHashMap<>() {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > most;
          }
        };
  }

  synchronized void put(K key, V value) {
    entries.put(key, value);
  }

  synchronized @Nullable V get(K key) {
    return entries.get(key);
  }

  synchronized @Nullable V remove(K key) {
    return entries.remove(key);
  }
}
