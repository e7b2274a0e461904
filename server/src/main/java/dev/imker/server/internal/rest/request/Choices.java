package dev.imker.server.internal.rest.request;

import dev.imker.server.http.ApiException;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** Words that stand for the values of an enum, in either case. */
public final class Choices {
  private Choices() {}

  public static <E extends Enum<E>> E parse(Class<E> type, String text, String field) {
    try {
      return Enum.valueOf(type, text.strip().toUpperCase(Locale.ROOT));
    } catch (IllegalArgumentException e) {
      String all =
          Arrays.stream(type.getEnumConstants()).map(Enum::name).collect(Collectors.joining(", "));
      throw ApiException.invalid(field, field + "=" + text + ": must be one of " + all + ".");
    }
  }

  /** A list with commas; an empty text is an empty set. */
  public static <E extends Enum<E>> Set<E> parseAll(Class<E> type, String text, String field) {
    Set<E> result = EnumSet.noneOf(type);
    for (String word : text.split(",", -1)) {
      if (!word.isBlank()) {
        result.add(parse(type, word, field));
      }
    }
    return result;
  }
}
