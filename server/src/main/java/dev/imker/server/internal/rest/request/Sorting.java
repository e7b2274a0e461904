package dev.imker.server.internal.rest.request;

import dev.imker.server.http.Exchange;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The order asked for with {@code sort}; a minus before it turns it round.
 *
 * @param key null is the usual one
 */
public record Sorting<E extends Enum<E>>(@Nullable E key, boolean descending) {
  /**
   * @param usual how the order without {@code sort} is written
   */
  public static <E extends Enum<E>> Sorting<E> read(
      Exchange exchange, Class<E> type, String usual) {
    String text = exchange.query("sort").orElse("").strip().toLowerCase(Locale.ROOT);
    boolean descending = text.startsWith("-");
    String name = descending ? text.substring(1) : text;
    return name.isEmpty() || text.equals(usual)
        ? new Sorting<>(null, false)
        : new Sorting<>(Choices.parse(type, name, "sort"), descending);
  }
}
