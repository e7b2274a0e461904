package dev.imker.sim.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A mapping of a YAML file with its position and the keys that were requested. */
final class YamlMap {
  private final String where;
  private final Map<?, ?> map;
  private final Set<String> asked = new HashSet<>();

  private YamlMap(String where, Map<?, ?> map) {
    this.where = where;
    this.map = map;
  }

  static YamlMap of(String where, @Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return new YamlMap(where, map);
    }
    throw new SimException(where + ": expected keys and values, got " + shown(value));
  }

  boolean has(String key) {
    asked.add(key);
    return map.get(key) != null;
  }

  @Nullable Object value(String key) {
    asked.add(key);
    return map.get(key);
  }

  YamlMap map(String key) {
    return of(path(key), value(key));
  }

  /** The entries of a list; a single mapping counts as a list of one. */
  List<YamlMap> maps(String key) {
    Object value = value(key);
    if (value == null) {
      return List.of();
    }
    List<YamlMap> maps = new ArrayList<>();
    if (value instanceof List<?> list) {
      for (int i = 0; i < list.size(); i++) {
        maps.add(of(path(key) + "[" + (i + 1) + "]", list.get(i)));
      }
    } else {
      maps.add(of(path(key), value));
    }
    return maps;
  }

  String text(String key, String missing) {
    Object value = value(key);
    return value == null ? missing : value.toString();
  }

  boolean flag(String key, boolean missing) {
    Object value = value(key);
    if (value == null) {
      return missing;
    }
    if (value instanceof Boolean flag) {
      return flag;
    }
    throw wrong(key, "expected true or false, got " + shown(value));
  }

  double number(String key, double min, double max) {
    Object value = value(key);
    if (value instanceof Number number
        && number.doubleValue() >= min
        && number.doubleValue() <= max) {
      return number.doubleValue();
    }
    throw wrong(
        key,
        (value == null ? "is missing" : "got " + shown(value))
            + "; expected a number from "
            + plain(min)
            + " to "
            + plain(max));
  }

  double number(String key, double min, double max, double missing) {
    return has(key) ? number(key, min, max) : missing;
  }

  int whole(String key, int min, int max) {
    double value = number(key, min, max);
    if (value != Math.rint(value)) {
      throw wrong(key, "expected a whole number, got " + value);
    }
    return (int) value;
  }

  int whole(String key, int min, int max, int missing) {
    return has(key) ? whole(key, min, max) : missing;
  }

  /** Fails if there is a key that was never requested. */
  void complete() {
    for (Object key : map.keySet()) {
      if (!asked.contains(String.valueOf(key))) {
        throw new SimException(where + ": '" + key + "' is unknown; use " + new TreeSet<>(asked));
      }
    }
  }

  SimException wrong(String key, String what) {
    return new SimException(path(key) + ": " + what);
  }

  private String path(String key) {
    return where + (where.contains(": ") ? "." : ": ") + key;
  }

  private static String plain(double value) {
    return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
  }

  private static String shown(@Nullable Object value) {
    return value == null ? "nothing" : "'" + value + "'";
  }
}
