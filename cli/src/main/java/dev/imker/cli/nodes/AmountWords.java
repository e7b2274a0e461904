package dev.imker.cli.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.terminal.Texts;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** What is taken of what there is: {@code cores 3/4 memory 10.0/23.0 GB gpus 0.5/1}. */
public final class AmountWords {
  private static final List<String> FIRST = List.of("cores", "memory", "gpus", "disk");
  private static final double GIGABYTE = 1L << 30;

  private AmountWords() {}

  /** All on one line; disk only where some of it is taken. */
  static String of(JsonNode amounts) {
    List<String> parts = new ArrayList<>();
    for (String name : FIRST) {
      JsonNode amount = amounts.path(name);
      if (amount.isObject() && (!name.equals("disk") || amount.path("taken").asLong() > 0)) {
        parts.add(of(name, amount));
      }
    }
    for (Map.Entry<String, JsonNode> other : amounts.properties()) {
      if (!FIRST.contains(other.getKey())) {
        parts.add(of(other.getKey(), other.getValue()));
      }
    }
    return String.join("  ", parts);
  }

  /** What an attempt had: {@code cores 2, memory 1.0 GB, gpus 1 (0), the second alternative}. */
  public static String had(JsonNode had) {
    List<String> parts = new ArrayList<>();
    for (Map.Entry<String, JsonNode> amount : had.path("amounts").properties()) {
      String name = amount.getKey();
      boolean bytes = name.equals("memory") || name.equals("disk");
      JsonNode items = had.path("items").path(name);
      parts.add(
          name
              + " "
              + (bytes ? Texts.bytes(amount.getValue().asLong()) : number(amount.getValue()))
              + (items.isEmpty()
                  ? ""
                  : items
                      .valueStream()
                      .map(JsonNode::asText)
                      .collect(Collectors.joining(", ", " (", ")"))));
    }
    return String.join(", ", parts)
        + (had.has("alternative")
            ? "; alternative " + had.path("alternative").asText() + " of its needs"
            : "");
  }

  private static String of(String name, JsonNode amount) {
    if (name.equals("memory") || name.equals("disk")) {
      return String.format(
          Locale.ROOT,
          "%s %.1f/%.1f GB",
          name,
          amount.path("taken").asDouble() / GIGABYTE,
          amount.path("has").asDouble() / GIGABYTE);
    }
    return "%s %s/%s".formatted(name, number(amount.path("taken")), number(amount.path("has")));
  }

  static String number(JsonNode value) {
    return BigDecimal.valueOf(value.asDouble())
        .setScale(2, RoundingMode.HALF_UP)
        .stripTrailingZeros()
        .toPlainString();
  }
}
