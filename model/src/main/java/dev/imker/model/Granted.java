package dev.imker.model;

import dev.imker.model.job.Requirements;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What an attempt holds of its machine and of the pool for as long as it has its lease.
 *
 * @param variant which of the alternatives that its task asks for, from 0
 * @param amounts by name; memory and disk in bytes, all others in hundredths
 * @param items for resources with named items: which ones
 */
public record Granted(
    int variant, SortedMap<String, Long> amounts, SortedMap<String, List<String>> items) {
  /** What a task without any needs gets. */
  public static final Granted ONE_CORE =
      new Granted(
          0,
          new TreeMap<>(java.util.Map.of("cores", (long) Requirements.HUNDREDTHS)),
          new TreeMap<>());

  public Granted {
    amounts = Collections.unmodifiableSortedMap(new TreeMap<>(amounts));
    SortedMap<String, List<String>> copies = new TreeMap<>();
    items.forEach((name, pieces) -> copies.put(name, List.copyOf(pieces)));
    items = Collections.unmodifiableSortedMap(copies);
  }

  /** Whether it is one core and nothing else. */
  public boolean isPlain() {
    return equals(ONE_CORE);
  }

  /** The items of a resource; empty if it has no named items. */
  public List<String> items(String name) {
    return items.getOrDefault(name, List.of());
  }

  /** The amount of a resource; 0 if none. */
  public long of(String name) {
    return amounts.getOrDefault(name, 0L);
  }

  /** An amount as people write it, without needless decimals. */
  public static String inWords(long hundredths) {
    return BigDecimal.valueOf(hundredths, 2).stripTrailingZeros().toPlainString();
  }

  /** The stored form; empty for a task without any needs. */
  public String text() {
    if (isPlain()) {
      return "";
    }
    List<String> parts = new ArrayList<>();
    parts.add(Integer.toString(variant));
    amounts.forEach(
        (name, amount) -> {
          List<String> pieces = items(name);
          parts.add(name + "=" + amount + (pieces.isEmpty() ? "" : "@" + String.join(",", pieces)));
        });
    return String.join(" ", parts);
  }

  /**
   * @throws IllegalArgumentException if it is not what {@link #text} wrote
   */
  public static Granted parse(String text) {
    if (text.isEmpty()) {
      return ONE_CORE;
    }
    String[] parts = text.split(" ", -1);
    SortedMap<String, Long> amounts = new TreeMap<>();
    SortedMap<String, List<String>> items = new TreeMap<>();
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      int at = parts[i].indexOf('@', Math.max(0, equals));
      if (equals < 1) {
        throw new IllegalArgumentException("'" + text + "' is not what an attempt was given");
      }
      String name = parts[i].substring(0, equals);
      amounts.put(
          name, Long.parseLong(parts[i].substring(equals + 1, at < 0 ? parts[i].length() : at)));
      if (at >= 0) {
        items.put(name, List.of(parts[i].substring(at + 1).split(",", -1)));
      }
    }
    return new Granted(Integer.parseInt(parts[0]), amounts, items);
  }
}
