package dev.imker.jobfile.internal.form;

import dev.imker.jobfile.findings.Spot;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The fields of a form that were given and are readable. */
public final class Filled {
  private record Value(Spot spot, @Nullable Object value) {}

  private final Spot spot;
  private final Map<String, Value> values;

  private Filled(Spot spot, Map<String, Value> values) {
    this.spot = spot;
    this.values = values;
  }

  static Filled empty(Spot spot) {
    return new Filled(spot, new java.util.LinkedHashMap<>());
  }

  void put(String name, Spot where, @Nullable Object value) {
    values.put(name, new Value(where, value));
  }

  public Spot spot() {
    return spot;
  }

  /** Whether the field was given, readable or not. */
  public boolean has(Field<?> field) {
    return values.containsKey(field.name());
  }

  /** The position of the field, or of the form if the field was not given. */
  public Spot spot(Field<?> field) {
    Value value = values.get(field.name());
    return value == null
        ? new Spot(
            spot.place(), spot.field().isEmpty() ? field.name() : spot.field() + "." + field.name())
        : value.spot;
  }

  @SuppressWarnings("unchecked")
  public // a field's value was read by its own kind
  <T> @Nullable T get(Field<T> field) {
    Value value = values.get(field.name());
    return value == null ? null : (T) value.value;
  }

  public <T> T get(Field<T> field, T fallback) {
    T value = get(field);
    return value == null ? fallback : value;
  }
}
