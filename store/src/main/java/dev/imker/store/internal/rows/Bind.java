package dev.imker.store.internal.rows;

import org.jspecify.annotations.Nullable;

/** The value for {@code :name} in a statement. */
public record Bind(String name, @Nullable Object value) {
  public static Bind bind(String name, @Nullable Object value) {
    return new Bind(name, value instanceof String text ? Rows.storable(text) : value);
  }
}
