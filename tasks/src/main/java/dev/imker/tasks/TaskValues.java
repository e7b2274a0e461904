package dev.imker.tasks;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The values of a job as seen by one task, and those that the task adds. Values are identified by
 * type, or by name in the textual form.
 */
public final class TaskValues {
  private final Map<String, Object> state = new LinkedHashMap<>();
  private final Map<String, Object> made = new LinkedHashMap<>();
  private final Map<String, String> arguments;

  /**
   * @param state values by name; those of the type-based form have the name of their class
   * @param arguments names of values by parameter
   */
  public TaskValues(Map<String, Object> state, Map<String, String> arguments) {
    this.state.putAll(state);
    this.arguments = Map.copyOf(arguments);
  }

  Map<String, String> arguments() {
    return arguments;
  }

  <T> Optional<T> find(Class<T> type) {
    Object exact = state.get(type.getName());
    if (type.isInstance(exact)) {
      return Optional.of(type.cast(exact));
    }
    List<Object> fitting = new ArrayList<>();
    state.values().stream().filter(type::isInstance).forEach(fitting::add);
    return fitting.isEmpty() ? Optional.empty() : Optional.of(type.cast(fitting.getLast()));
  }

  <T> Optional<T> find(Class<T> type, String name) {
    return Optional.ofNullable(state.get(name)).filter(type::isInstance).map(type::cast);
  }

  void put(Object value) {
    put(value.getClass().getName(), value);
  }

  void put(String name, Object value) {
    state.put(name, value);
    made.put(name, value);
  }

  /** What the task has put, by name. */
  public Map<String, Object> made() {
    return Map.copyOf(made);
  }
}
