package dev.imker.client.plan;

import java.util.Map;
import java.util.NoSuchElementException;

/**
 * The resulting values of a planned job.
 *
 * @param byName all initial values and values produced by its tasks; those of the type-based form
 *     have the name of their class
 */
public record Wanted(Map<String, Object> byName) {
  public Wanted {
    byName = Map.copyOf(byName);
  }

  public <T> T get(Class<T> type) {
    Object exact = byName.get(type.getName());
    if (type.isInstance(exact)) {
      return type.cast(exact);
    }
    return byName.values().stream()
        .filter(type::isInstance)
        .map(type::cast)
        .findFirst()
        .orElseThrow(() -> new NoSuchElementException("The job left no " + type.getName() + "."));
  }

  public <T> T get(Class<T> type, String name) {
    Object value = byName.get(name);
    if (!type.isInstance(value)) {
      throw new NoSuchElementException(
          "The job left no " + type.getName() + " named " + name + ".");
    }
    return type.cast(value);
  }
}
