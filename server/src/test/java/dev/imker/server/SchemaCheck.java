package dev.imker.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Checks JSON against the part of JSON Schema that our document uses. */
final class SchemaCheck {
  private final JsonNode document;
  private final List<String> problems = new ArrayList<>();

  SchemaCheck(JsonNode document) {
    this.document = document;
  }

  List<String> problems(JsonNode schema, JsonNode value) {
    check(schema, value, "$");
    return problems;
  }

  private void check(JsonNode given, JsonNode value, String path) {
    JsonNode schema = resolve(given);
    if (schema.has("oneOf")) {
      long fitting = 0;
      for (JsonNode option : schema.get("oneOf")) {
        fitting += new SchemaCheck(document).problems(option, value).isEmpty() ? 1 : 0;
      }
      require(fitting == 1, path, fitting + " of oneOf fit");
      return;
    }
    require(typeFits(schema.path("type"), value), path, value + " is not " + schema.path("type"));
    if (schema.has("enum")) {
      boolean listed = false;
      for (JsonNode option : schema.get("enum")) {
        listed |= option.equals(value);
      }
      require(listed, path, value + " is not listed");
    }
    if (value.isNumber() && schema.has("minimum")) {
      require(value.asLong() >= schema.get("minimum").asLong(), path, "below minimum: " + value);
    }
    if (value.isTextual() && schema.path("format").asText().equals("date-time")) {
      checkTime(value.asText(), path);
    }
    if (value.isArray()) {
      for (int i = 0; i < value.size(); i++) {
        check(schema.get("items"), value.get(i), path + "[" + i + "]");
      }
    }
    if (value.isObject()) {
      checkObject(schema, value, path);
    }
  }

  private void checkObject(JsonNode schema, JsonNode value, String path) {
    for (JsonNode name : schema.path("required")) {
      require(value.has(name.asText()), path, name + " is missing");
    }
    JsonNode extra = schema.path("additionalProperties");
    for (Map.Entry<String, JsonNode> field : value.properties()) {
      JsonNode property = schema.path("properties").path(field.getKey());
      String where = path + "." + field.getKey();
      if (!property.isMissingNode()) {
        check(property, field.getValue(), where);
      } else if (extra.isObject()) {
        check(extra, field.getValue(), where);
      } else {
        require(!extra.isBoolean() || extra.booleanValue(), where, "is not documented");
      }
    }
  }

  private void checkTime(String text, String path) {
    try {
      Instant.parse(text);
    } catch (DateTimeParseException e) {
      problems.add(path + ": not a time: " + text);
    }
  }

  private JsonNode resolve(JsonNode schema) {
    String ref = schema.path("$ref").asText();
    return ref.isEmpty() ? schema : document.at(ref.substring(1));
  }

  private static boolean typeFits(JsonNode types, JsonNode value) {
    if (types.isMissingNode()) {
      return true;
    }
    if (types.isArray()) {
      for (JsonNode type : types) {
        if (typeFits(type, value)) {
          return true;
        }
      }
      return false;
    }
    return switch (types.asText()) {
      case "string" -> value.isTextual();
      case "integer" -> value.isIntegralNumber();
      case "number" -> value.isNumber();
      case "boolean" -> value.isBoolean();
      case "array" -> value.isArray();
      case "object" -> value.isObject();
      case "null" -> value.isNull();
      default -> false;
    };
  }

  private void require(boolean condition, String path, String problem) {
    if (!condition) {
      problems.add(path + ": " + problem);
    }
  }
}
