package dev.imker.server.internal.rest.pool;

import dev.imker.core.strategy.StrategyException;
import dev.imker.server.commands.Await;
import dev.imker.server.http.Access;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Exchange;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.server.loop.StrategySetting;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** {@code /api/v1/strategy}: who decides which project a free slot works for. */
public record StrategyRoutes(StrategySetting setting) {
  private static final int MAX_BODY_BYTES = 16 << 10;

  public List<Endpoint> endpoints() {
    return List.of(
        Endpoint.get("/api/v1/strategy", Access.LOOK, this::show),
        Endpoint.put("/api/v1/strategy", Access.ADMIN, this::choose));
  }

  private void show(Exchange exchange) throws IOException, InterruptedException {
    exchange.json(200, StrategyView.of(Await.answer(setting.text())));
  }

  private void choose(Exchange exchange) throws IOException, InterruptedException {
    JsonFields fields =
        JsonFields.of(exchange.json(MAX_BODY_BYTES), "", Set.of("name", "parameters"));
    String name = plain("name", fields.text("name"));
    Map<String, String> parameters = new TreeMap<>(fields.map("parameters"));
    parameters.forEach((key, value) -> plain("parameters." + plain("parameters", key), value));
    String text = name + parameters(parameters);
    try {
      exchange.json(200, StrategyView.of(Await.answer(setting.choose(text))));
    } catch (StrategyException e) {
      throw ApiException.invalid("name", String.valueOf(e.getMessage()));
    }
  }

  private static String parameters(Map<String, String> parameters) {
    return parameters.isEmpty()
        ? ""
        : parameters.entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue())
            .collect(Collectors.joining(",", ":", ""));
  }

  /** A word without the signs that separate words in the text of a strategy. */
  private static String plain(String field, String word) {
    if (!word.matches("[A-Za-z0-9_.+-]+")) {
      throw ApiException.invalid(field, field + ": '" + word + "' is not a word or a number.");
    }
    return word;
  }
}
