package dev.imker.core.resource;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers the kinds of resources. Memory and disk are counted in bytes, all others in hundredths.
 */
public final class ResourceKinds {
  static final int CORES = 0;
  static final int MEMORY = 1;
  static final int DISK = 2;
  static final int GPUS = 3;

  private static final List<String> BUILT_IN = List.of("cores", "memory", "disk", "gpus");

  private final List<String> names = new ArrayList<>(BUILT_IN);
  private final Map<String, Integer> numbers = new HashMap<>();

  public ResourceKinds() {
    for (int i = 0; i < names.size(); i++) {
      numbers.put(names.get(i), i);
    }
  }

  int count() {
    return names.size();
  }

  String name(int kind) {
    return names.get(kind);
  }

  /** The number of a name; a new one if it was never heard. */
  int of(String name) {
    return numbers.computeIfAbsent(
        name,
        key -> {
          names.add(key);
          return names.size() - 1;
        });
  }
}
