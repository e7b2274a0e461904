package dev.imker.server.internal.rest.request;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.text.NearNames;
import dev.imker.server.http.ApiException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;

/** Reads the fields of a JSON object strictly; every complaint names the field and the cure. */
public final class JsonFields {
  private final JsonNode node;
  private final String path;

  private JsonFields(JsonNode node, String path) {
    this.node = node;
    this.path = path;
  }

  public static JsonFields of(JsonNode node, String path, Set<String> known) {
    if (!node.isObject()) {
      throw ApiException.invalid(
          path, (path.isEmpty() ? "The body" : path) + " must be a JSON object.");
    }
    JsonFields fields = new JsonFields(node, path);
    for (Map.Entry<String, JsonNode> field : node.properties()) {
      if (!known.contains(field.getKey())) {
        throw fields.unknown(field.getKey(), known);
      }
    }
    return fields;
  }

  private ApiException unknown(String name, Set<String> known) {
    String hint =
        NearNames.nearest(name, known)
            .map(near -> "Did you mean " + near + "?")
            .orElse("Known fields: " + String.join(", ", new TreeSet<>(known)) + ".");
    return ApiException.invalid(at(name), "Unknown field " + at(name) + ". " + hint);
  }

  public String at(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  public boolean has(String name) {
    return node.hasNonNull(name);
  }

  public String text(String name, String fallback) {
    return has(name) ? asText(node.get(name), at(name)) : fallback;
  }

  public String text(String name) {
    return asText(required(name), at(name));
  }

  private JsonNode required(String name) {
    if (!has(name)) {
      throw ApiException.invalid(at(name), at(name) + " is missing.");
    }
    return node.get(name);
  }

  static String asText(JsonNode value, String where) {
    if (!value.isTextual()) {
      throw ApiException.invalid(where, where + " must be a string.");
    }
    if (value.textValue().indexOf('\0') >= 0) {
      throw ApiException.invalid(where, where + " must not contain a NUL character.");
    }
    return value.textValue();
  }

  public long number(String name, long fallback, long least, long most) {
    return has(name) ? number(name, least, most) : fallback;
  }

  public long number(String name, long least, long most) {
    JsonNode value = required(name);
    if (!value.isIntegralNumber()
        || !value.canConvertToLong()
        || value.longValue() < least
        || value.longValue() > most) {
      throw ApiException.invalid(
          at(name), "%s must be a whole number from %d to %d.".formatted(at(name), least, most));
    }
    return value.longValue();
  }

  public double amount(String name) {
    return asAmount(required(name), at(name));
  }

  private static double asAmount(JsonNode value, String where) {
    if (!value.isNumber()) {
      throw ApiException.invalid(where, where + " must be a number.");
    }
    return value.doubleValue();
  }

  public boolean flag(String name, boolean fallback) {
    if (!has(name)) {
      return fallback;
    }
    if (!node.get(name).isBoolean()) {
      throw ApiException.invalid(at(name), at(name) + " must be true or false.");
    }
    return node.get(name).booleanValue();
  }

  public JsonFields object(String name, Set<String> known) {
    return of(required(name), at(name), known);
  }

  public List<String> texts(String name, int most) {
    return list(name, most, JsonFields::asText);
  }

  /** Elements of an array; an absent one is empty. */
  public <T> List<T> list(String name, int most, BiFunction<JsonNode, String, T> element) {
    if (!has(name)) {
      return List.of();
    }
    JsonNode array = node.get(name);
    if (!array.isArray()) {
      throw ApiException.invalid(at(name), at(name) + " must be an array.");
    }
    if (array.size() > most) {
      throw ApiException.invalid(
          at(name), "%s has %d elements; %d is the limit.".formatted(at(name), array.size(), most));
    }
    List<T> result = new ArrayList<>(array.size());
    for (int i = 0; i < array.size(); i++) {
      result.add(element.apply(array.get(i), at(name) + "[" + i + "]"));
    }
    return result;
  }

  public Map<String, String> map(String name) {
    return map(name, "strings", JsonFields::asText);
  }

  public Map<String, Double> amounts(String name) {
    return map(name, "numbers", JsonFields::asAmount);
  }

  private <T> Map<String, T> map(
      String name, String what, BiFunction<JsonNode, String, T> element) {
    if (!has(name)) {
      return Map.of();
    }
    JsonNode object = node.get(name);
    if (!object.isObject()) {
      throw ApiException.invalid(at(name), "%s must be an object of %s.".formatted(at(name), what));
    }
    Map<String, T> result = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> entry : object.properties()) {
      result.put(entry.getKey(), element.apply(entry.getValue(), at(name) + "." + entry.getKey()));
    }
    return result;
  }

  public <E extends Enum<E>> E choice(String name, Class<E> type, E fallback) {
    return has(name) ? Choices.parse(type, text(name), at(name)) : fallback;
  }
}
