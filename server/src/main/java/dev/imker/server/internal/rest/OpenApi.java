package dev.imker.server.internal.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.server.http.Access;
import dev.imker.server.http.Endpoint;
import dev.imker.server.http.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * The description of the REST interface, made from the routes that exist and the records that they
 * send and take. What these cannot tell, above all words for people, is in {@code api.json}:
 *
 * <ul>
 *   <li>an operation: {@code returns} and {@code body} name schemas, {@code errors} are those with
 *       the usual words, and 401 and 403 go without saying; a name under {@code parameters} is one
 *       of those that several routes share;
 *   <li>a schema: added to what its record tells; null takes something away.
 * </ul>
 */
public final class OpenApi {
  private static final String FILE = "/dev/imker/server/api.json";
  private static final String SCHEMAS = "#/components/schemas/";
  private static final List<String> REFUSALS = List.of("401", "403");

  private final JsonNode said = read();

  private OpenApi() {}

  /**
   * The route that serves it.
   *
   * @param endpoints all routes, this one among them by the time of the first request
   */
  public static Endpoint route(List<Endpoint> endpoints) {
    return Endpoint.get(
        "/api/v1/openapi.json",
        Access.KNOWN,
        exchange -> exchange.bytes(200, "application/json", document(endpoints)));
  }

  static byte[] document(List<Endpoint> endpoints) {
    return Json.bytes(new OpenApi().all(endpoints));
  }

  private static JsonNode read() {
    try (InputStream content = OpenApi.class.getResourceAsStream(FILE)) {
      return Json.MAPPER.readTree(Objects.requireNonNull(content, FILE));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private ObjectNode all(List<Endpoint> endpoints) {
    ObjectNode document = Json.MAPPER.createObjectNode();
    for (String name : List.of("openapi", "info", "security")) {
      document.set(name, said.get(name));
    }
    ObjectNode paths = document.putObject("paths");
    for (Endpoint endpoint : endpoints) {
      String path = endpoint.path().replace("*}", "}");
      String method = endpoint.method().name();
      JsonNode operation = said.get("operations").path(method + " " + path);
      ObjectNode methods = (ObjectNode) paths.get(path);
      (methods == null ? paths.putObject(path) : methods)
          .set(method.toLowerCase(Locale.ROOT), operation(operation, endpoint.access()));
    }
    ObjectNode components = document.putObject("components");
    components.set("securitySchemes", said.get("securitySchemes"));
    components.set("schemas", schemas());
    return document;
  }

  private ObjectNode schemas() {
    ObjectNode schemas = merged(RecordSchemas.all(), said.get("schemas"));
    // A job of one stage may have the fields of the stage beside its own.
    ObjectNode beside = schemas.get("Stage").get("properties").deepCopy();
    beside.remove("name");
    ((ObjectNode) schemas.get("JobSpec").get("properties")).setAll(beside);
    return schemas;
  }

  /** One object laid over another. */
  private static ObjectNode merged(ObjectNode target, JsonNode more) {
    for (Map.Entry<String, JsonNode> field : more.properties()) {
      String name = field.getKey();
      JsonNode value = field.getValue();
      if (value.isNull()) {
        target.remove(name);
      } else if (value.isObject() && target.get(name) instanceof ObjectNode known) {
        merged(known, value);
      } else {
        target.set(name, value);
      }
    }
    return target;
  }

  // ---------------------------------------------------------------- operations

  private ObjectNode operation(JsonNode told, Access access) {
    ObjectNode operation = Json.MAPPER.createObjectNode();
    operation.put("operationId", told.path("id").asText());
    operation.put("summary", told.path("summary").asText());
    operation.putArray("tags").add(told.path("tag").asText());
    if (told.has("description")) {
      operation.set("description", told.get("description"));
    }
    if (told.has("parameters")) {
      ArrayNode parameters = operation.putArray("parameters");
      told.get("parameters")
          .forEach(p -> parameters.add(p.isTextual() ? said.get("parameters").get(p.asText()) : p));
    }
    if (told.has("body")) {
      JsonNode body = told.get("body");
      operation.set(
          "requestBody", body.isTextual() ? json(body.asText()).put("required", true) : body);
    }
    operation.set("responses", responses(told, access));
    operation.put("x-imker-access", access.name().toLowerCase(Locale.ROOT));
    if (access == Access.OPEN) {
      operation.putArray("security");
    }
    return operation;
  }

  private ObjectNode responses(JsonNode told, Access access) {
    ObjectNode responses = Json.MAPPER.createObjectNode();
    if (told.has("returns")) {
      responses.set("200", json(told.get("returns").asText()).put("description", "OK"));
    }
    if (access != Access.OPEN) {
      REFUSALS.forEach(status -> responses.set(status, error(said.get("errors").get(status))));
    }
    for (JsonNode status : told.path("errors")) {
      responses.set(status.asText(), error(said.get("errors").get(status.asText())));
    }
    told.path("without").forEach(status -> responses.remove(status.asText()));
    for (Map.Entry<String, JsonNode> other : told.path("responses").properties()) {
      responses.set(other.getKey(), response(other.getKey(), other.getValue()));
    }
    return responses;
  }

  private static JsonNode response(String status, JsonNode told) {
    if (!told.isTextual()) {
      return told;
    }
    return status.compareTo("400") >= 0
        ? error(told)
        : Json.MAPPER.createObjectNode().set("description", told);
  }

  private static JsonNode error(JsonNode description) {
    return json("Error").set("description", description);
  }

  private static ObjectNode json(String schema) {
    ObjectNode content = Json.MAPPER.createObjectNode();
    content
        .putObject("content")
        .putObject("application/json")
        .putObject("schema")
        .put("$ref", SCHEMAS + schema);
    return content;
  }
}
