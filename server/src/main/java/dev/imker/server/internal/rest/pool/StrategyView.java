package dev.imker.server.internal.rest.pool;

import dev.imker.core.strategy.catalogue.Strategies;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The strategy of the pool, and those there are.
 *
 * @param text as {@code imker sim --strategy} takes it
 * @param parameters all of them, with the values in use
 */
public record StrategyView(
    String name, String text, Map<String, String> parameters, List<Kind> available) {
  /** A strategy that can be chosen. */
  public record Kind(String name, String summary, List<Parameter> parameters) {}

  public record Parameter(String name, String defaultValue, String meaning) {}

  static StrategyView of(String text) {
    List<Kind> kinds = Strategies.all().stream().map(StrategyView::view).toList();
    int colon = text.indexOf(':');
    String name = colon < 0 ? text : text.substring(0, colon);
    Map<String, String> values = new LinkedHashMap<>();
    for (Kind kind : kinds) {
      if (kind.name.equals(name)) {
        kind.parameters.forEach(p -> values.put(p.name, p.defaultValue));
      }
    }
    if (colon >= 0) {
      for (String part : text.substring(colon + 1).split(",", -1)) {
        int equals = part.indexOf('=');
        values.put(part.substring(0, equals), part.substring(equals + 1));
      }
    }
    return new StrategyView(name, text, values, kinds);
  }

  private static Kind view(Strategies.Kind kind) {
    return new Kind(
        kind.name(),
        kind.summary(),
        kind.parameters().stream()
            .map(p -> new Parameter(p.name(), p.defaultValue(), p.meaning()))
            .toList());
  }
}
