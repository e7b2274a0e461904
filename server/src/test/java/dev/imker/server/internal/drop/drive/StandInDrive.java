package dev.imker.server.internal.drop.drive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.server.internal.drop.drive.GoogleStandIn.Call;
import dev.imker.server.internal.drop.drive.GoogleStandIn.Refused;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files of the stand-in, and the calls that change them. */
public final class StandInDrive {
  /** Google gives fewer than asked for whenever it likes. */
  private static final int PAGE = 3;

  private static final Pattern IN_PARENTS = Pattern.compile("'([^']+)' in parents");
  private static final Pattern NAME = Pattern.compile("name = '((?:[^'\\\\]|\\\\.)*)'");
  private static final Pattern PROPERTY =
      Pattern.compile("appProperties has \\{ key='([^']+)' and value='([^']+)' \\}");

  /** A part of a large file that has come, and where it goes. */
  private static final class Upload {
    final String id;
    final ObjectNode meta;
    final ByteArrayOutputStream received = new ByteArrayOutputStream();

    Upload(String id, ObjectNode meta) {
      this.id = id;
      this.meta = meta;
    }
  }

  /** A file. */
  public static final class Item {
    final ObjectNode meta;
    public byte[] content = new byte[0];
    final Map<String, JsonNode> sheets = new LinkedHashMap<>();

    Item(ObjectNode meta) {
      this.meta = meta;
    }

    public String description() {
      return meta.path("description").asText();
    }
  }

  private final Map<String, Item> items = new LinkedHashMap<>();
  private final List<Upload> uploads = new ArrayList<>();
  private int largeUploads;
  private int last;
  private long clock = Instant.parse("2026-01-01T00:00:00Z").toEpochMilli();

  public synchronized Item add(String parent, String name, String type, String content) {
    ObjectNode meta = GoogleStandIn.JSON.createObjectNode();
    meta.put("name", name).put("mimeType", type).putArray("parents").add(parent);
    Item item = create(meta);
    item.content = content.getBytes(StandardCharsets.UTF_8);
    touch(item);
    byPerson(item);
    return item;
  }

  private static void byPerson(Item item) {
    item.meta.putObject("lastModifyingUser").put("me", false);
  }

  /** A person writes something else into a file. */
  public synchronized void edit(String path, String root, String content) {
    Item item = at(root, path);
    item.content = content.getBytes(StandardCharsets.UTF_8);
    touch(item);
    byPerson(item);
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
    meta.put("createdTime", Instant.ofEpochMilli(clock).toString());
    return item;
  }

  private void touch(Item item) {
    clock += 1000;
    item.meta.put("modifiedTime", Instant.ofEpochMilli(clock).toString());
    item.meta.putObject("lastModifyingUser").put("me", true);
    item.meta.put("md5Checksum", md5(item.content));
    item.meta.put("size", String.valueOf(item.content.length));
  }

  private static String md5(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
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
  public synchronized Map<String, Item> tree(String root) {
    Map<String, Item> tree = new TreeMap<>();
    for (Item item : items.values()) {
      String path = path(item, root);
      boolean folder = item.meta.path("mimeType").asText().equals(DriveFiles.FOLDER);
      if (!path.isEmpty() && !folder) {
        tree.put(tree.containsKey(path) ? path + " (again)" : path, item);
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

  public synchronized Item at(String root, String path) {
    Item item = tree(root).get(path);
    if (item == null) {
      throw new IllegalStateException("no file " + path);
    }
    return item;
  }

  public synchronized void move(String path, String root, String target) {
    at(root, path).meta.putArray("parents").add(target);
  }

  public synchronized String folder(String root, String name) {
    for (Item item : items.values()) {
      if (path(item, root).equals(name)) {
        return item.meta.path("id").asText();
      }
    }
    throw new IllegalStateException("no folder " + name);
  }

  /** A folder below another one, made if need be; its id. */
  synchronized String folders(String root, String path) {
    if (path.isEmpty()) {
      return root;
    }
    int slash = path.lastIndexOf('/');
    String parent = folders(root, path.substring(0, Math.max(0, slash)));
    String name = path.substring(slash + 1);
    for (Item item : items.values()) {
      boolean here = item.meta.path("parents").path(0).asText().equals(parent);
      if (here && item.meta.path("name").asText().equals(name) && !path(item, parent).isEmpty()) {
        return item.meta.path("id").asText();
      }
    }
    return add(parent, name, DriveFiles.FOLDER, "").meta.path("id").asText();
  }

  public synchronized void trash(String path, String root) {
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
    List<Item> all = items.values().stream().filter(item -> fits(item, q)).toList();
    int from = Integer.parseInt(call.query().getOrDefault("pageToken", "0"));
    int to = Math.min(all.size(), from + PAGE);
    all.subList(from, to).forEach(item -> found.add(item.meta));
    if (to < all.size()) {
      answer.put("nextPageToken", Integer.toString(to));
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

  /** First the name, then part after part; whoever asks is told how much has come. */
  synchronized byte[] resumable(Call call, String id, GoogleStandIn.Trouble trouble)
      throws IOException {
    String number = call.query().getOrDefault("upload_id", "");
    if (number.isEmpty()) {
      uploads.add(new Upload(id, (ObjectNode) call.json()));
      return "upload/drive/v3/files?uploadType=resumable&upload_id=%d"
          .formatted(uploads.size() - 1)
          .getBytes(StandardCharsets.US_ASCII);
    }
    Upload upload = uploads.get(Integer.parseInt(number));
    String[] range = call.range().replace("bytes ", "").split("/", -1);
    if (range[0].startsWith("*")) {
      throw new GoogleStandIn.Unfinished(upload.received.size());
    }
    int from = Integer.parseInt(range[0].split("-", -1)[0]);
    if (from != upload.received.size()) {
      throw new Refused(400, "bytes from " + upload.received.size() + " on were expected");
    }
    int arriving = trouble.arriving(call.body().length);
    upload.received.write(call.body(), 0, arriving);
    if (arriving < call.body().length) {
      throw new Refused(503, "Backend Error");
    }
    if (range[1].equals("*") || upload.received.size() < Integer.parseInt(range[1])) {
      throw new GoogleStandIn.Unfinished(upload.received.size());
    }
    largeUploads++;
    Item item = upload.id.isEmpty() ? create(upload.meta) : change(call, upload.id, upload.meta);
    item.content = upload.received.toByteArray();
    touch(item);
    return bytes(item.meta);
  }

  /** How many files came in parts. */
  public synchronized int largeUploads() {
    return largeUploads;
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
