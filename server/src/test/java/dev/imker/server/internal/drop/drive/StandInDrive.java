package dev.imker.server.internal.drop.drive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.server.internal.drop.drive.GoogleStandIn.Call;
import dev.imker.server.internal.drop.drive.GoogleStandIn.Refused;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files of the stand-in, and the calls that change them. */
final class StandInDrive {
  private static final Pattern IN_PARENTS = Pattern.compile("'([^']+)' in parents");
  private static final Pattern NAME = Pattern.compile("name = '((?:[^'\\\\]|\\\\.)*)'");
  private static final Pattern PROPERTY =
      Pattern.compile("appProperties has \\{ key='([^']+)' and value='([^']+)' \\}");

  /** A file. */
  static final class Item {
    final ObjectNode meta;
    byte[] content = new byte[0];
    final Map<String, JsonNode> sheets = new LinkedHashMap<>();

    Item(ObjectNode meta) {
      this.meta = meta;
    }
  }

  private final Map<String, Item> items = new LinkedHashMap<>();
  private int last;
  private long clock = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

  synchronized Item add(String parent, String name, String type, String content) {
    ObjectNode meta = GoogleStandIn.JSON.createObjectNode();
    meta.put("name", name).put("mimeType", type).putArray("parents").add(parent);
    Item item = create(meta);
    item.content = content.getBytes(StandardCharsets.UTF_8);
    return item;
  }

  private Item create(ObjectNode meta) {
    String id = "id-" + ++last;
    meta.put("id", id).put("trashed", false);
    Item item = new Item(meta);
    if (meta.path("mimeType").asText().equals(DriveFiles.SHEET)) {
      item.sheets.put("Sheet1", GoogleStandIn.JSON.createArrayNode());
    }
    items.put(id, item);
    touch(item);
    return item;
  }

  private void touch(Item item) {
    clock += 1000;
    item.meta.put("modifiedTime", Instant.ofEpochMilli(clock).toString());
  }

  synchronized Item require(String id) {
    Item item = items.get(id);
    if (item == null) {
      throw new Refused(404, "File not found: " + id + ".");
    }
    return item;
  }

  // ---------------------------------------------------------------- what tests look at

  /** All that is not in the trash, by its path below a folder. */
  synchronized Map<String, Item> tree(String root) {
    Map<String, Item> tree = new TreeMap<>();
    for (Item item : items.values()) {
      String path = path(item, root);
      boolean folder = item.meta.path("mimeType").asText().equals(DriveFiles.FOLDER);
      if (!path.isEmpty() && !folder) {
        tree.put(path, item);
      }
    }
    return tree;
  }

  private String path(Item item, String root) {
    if (item.meta.path("trashed").asBoolean()) {
      return "";
    }
    String name = item.meta.path("name").asText();
    String parent = item.meta.path("parents").path(0).asText();
    if (parent.equals(root)) {
      return name;
    }
    Item outer = items.get(parent);
    String before = outer == null ? "" : path(outer, root);
    return before.isEmpty() ? "" : before + "/" + name;
  }

  synchronized Item at(String root, String path) {
    Item item = tree(root).get(path);
    if (item == null) {
      throw new IllegalStateException("no file " + path);
    }
    return item;
  }

  synchronized void move(String path, String root, String target) {
    at(root, path).meta.putArray("parents").add(target);
  }

  synchronized String folder(String root, String name) {
    for (Item item : items.values()) {
      if (path(item, root).equals(name)) {
        return item.meta.path("id").asText();
      }
    }
    throw new IllegalStateException("no folder " + name);
  }

  synchronized void trash(String path, String root) {
    at(root, path).meta.put("trashed", true);
  }

  // ---------------------------------------------------------------- calls of Drive

  synchronized byte[] files(Call call, String id) throws IOException {
    return switch (call.method()) {
      case "GET" ->
          id.isEmpty()
              ? list(call)
              : call.query().getOrDefault("alt", "").equals("media")
                  ? require(id).content
                  : bytes(require(id).meta);
      case "POST" -> bytes(create((ObjectNode) call.json()).meta);
      case "PATCH" -> bytes(change(call, id, call.json()).meta);
      default -> throw new Refused(405, call.method());
    };
  }

  private static byte[] bytes(JsonNode node) throws IOException {
    return GoogleStandIn.JSON.writeValueAsBytes(node);
  }

  private byte[] list(Call call) throws IOException {
    String q = call.query().getOrDefault("q", "");
    String rest =
        PROPERTY
            .matcher(NAME.matcher(IN_PARENTS.matcher(q).replaceAll("")).replaceAll(""))
            .replaceAll("")
            .replace("trashed = false", "")
            .replace(" and ", "")
            .strip();
    if (!rest.isEmpty()) {
      throw new Refused(400, "Invalid Value: " + rest);
    }
    ObjectNode answer = GoogleStandIn.JSON.createObjectNode();
    ArrayNode found = answer.putArray("files");
    for (Item item : items.values()) {
      if (fits(item, q)) {
        found.add(item.meta);
      }
    }
    return bytes(answer);
  }

  private static boolean fits(Item item, String q) {
    Matcher parent = IN_PARENTS.matcher(q);
    Matcher name = NAME.matcher(q);
    Matcher property = PROPERTY.matcher(q);
    boolean fits = !item.meta.path("trashed").asBoolean();
    if (parent.find()) {
      fits &= item.meta.path("parents").toString().contains("\"" + parent.group(1) + "\"");
    }
    if (name.find()) {
      fits &= item.meta.path("name").asText().equals(name.group(1).replaceAll("\\\\(.)", "$1"));
    }
    if (property.find()) {
      fits &=
          item.meta
              .path("appProperties")
              .path(property.group(1))
              .asText()
              .equals(property.group(2));
    }
    return fits;
  }

  private Item change(Call call, String id, JsonNode change) {
    Item item = require(id);
    change
        .properties()
        .forEach(
            field -> {
              if (field.getKey().equals("appProperties")) {
                mark(item.meta, field.getValue());
              } else {
                item.meta.set(field.getKey(), field.getValue());
              }
            });
    List<String> parents = new ArrayList<>();
    item.meta.path("parents").forEach(p -> parents.add(p.asText()));
    parents.removeAll(List.of(call.query().getOrDefault("removeParents", "").split(",", -1)));
    String added = call.query().getOrDefault("addParents", "");
    if (!added.isEmpty()) {
      require(added);
      parents.add(added);
    }
    ArrayNode now = item.meta.putArray("parents");
    parents.forEach(now::add);
    return item;
  }

  /** A property with the value null goes away. */
  private static void mark(ObjectNode meta, JsonNode properties) {
    ObjectNode own = meta.withObject("/appProperties");
    properties
        .properties()
        .forEach(
            p -> {
              if (p.getValue().isNull()) {
                own.remove(p.getKey());
              } else {
                own.set(p.getKey(), p.getValue());
              }
            });
  }

  /** The first part of a multipart upload tells what the second one is. */
  synchronized byte[] upload(Call call, String id) throws IOException {
    if (!call.query().getOrDefault("uploadType", "").equals("multipart")) {
      throw new Refused(400, "only multipart uploads are expected");
    }
    String boundary = call.type().replaceFirst(".*boundary=\"?([^\";]+)\"?.*", "$1");
    String text = new String(call.body(), StandardCharsets.ISO_8859_1);
    String[] parts = text.split("\r?\n?--" + Pattern.quote(boundary), -1);
    JsonNode meta =
        GoogleStandIn.JSON.readTree(body(parts[1]).getBytes(StandardCharsets.ISO_8859_1));
    Item item = id.isEmpty() ? create((ObjectNode) meta) : change(call, id, meta);
    item.content = body(parts[2]).getBytes(StandardCharsets.ISO_8859_1);
    touch(item);
    return bytes(item.meta);
  }

  private static String body(String part) {
    return part.substring(part.indexOf("\r\n\r\n") + 4);
  }

  // ---------------------------------------------------------------- calls of Sheets

  synchronized byte[] sheets(Call call) throws IOException {
    String last = call.path().getLast();
    boolean values = last.equals("values:batchUpdate");
    Item item = require(values ? call.path().get(2) : last.replace(":batchUpdate", ""));
    if (!item.meta.path("mimeType").asText().equals(DriveFiles.SHEET)) {
      throw new Refused(400, "This operation is not supported for this document");
    }
    if (values) {
      for (JsonNode range : call.json().path("data")) {
        String title = range.path("range").asText().replaceFirst("^'(.*)'!A1$", "$1");
        if (!item.sheets.containsKey(title)) {
          throw new Refused(400, "Unable to parse range: " + range.path("range").asText());
        }
        item.sheets.put(title, range.path("values"));
      }
    } else {
      for (JsonNode request : call.json().path("requests")) {
        JsonNode added = request.at("/addSheet/properties/title");
        if (!added.isMissingNode()) {
          item.sheets.put(added.asText(), GoogleStandIn.JSON.createArrayNode());
        } else if (request.has("deleteSheet")) {
          item.sheets.remove("Sheet1");
        }
      }
    }
    return "{}".getBytes(StandardCharsets.UTF_8);
  }
}
