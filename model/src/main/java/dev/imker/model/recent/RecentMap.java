package dev.imker.model.recent;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map of bounded size: a new entry replaces the oldest or the least recently used one. */
public final class RecentMap<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1L;
  private static final float LOAD_FACTOR = 0.75f;

  private final int capacity;

  private RecentMap(int capacity, boolean byUse) {
    super(16, LOAD_FACTOR, byUse);
    this.capacity = capacity;
  }

  /** Evicts the oldest entry. */
  public static <K, V> RecentMap<K, V> ofNewest(int capacity) {
    return new RecentMap<>(capacity, false);
  }

  /** Evicts the least recently used entry. */
  public static <K, V> RecentMap<K, V> ofLastUsed(int capacity) {
    return new RecentMap<>(capacity, true);
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    return size() > capacity;
  }
}
