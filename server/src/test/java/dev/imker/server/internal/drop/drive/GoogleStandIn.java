package dev.imker.server.internal.drop.drive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;

/**
 * The calls of Google's token, Drive, Docs and Sheets services that Imker makes, as they are
 * documented: paths, parameters, bodies, status codes. Requests that Google would refuse are
 * refused here too.
 */
public final class GoogleStandIn implements AutoCloseable {
  static final ObjectMapper JSON = new ObjectMapper();
  private static final String TOKEN = "ya29.stand-in";
  private static final String ACCOUNT = "imker@project.iam.gserviceaccount.com";

  final StandInDrive drive = new StandInDrive();
  private final HttpServer server;
  private final KeyPair keys;

  public GoogleStandIn() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    keys = generator.generateKeyPair();
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  String root() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/";
  }

  /** A folder at the top; its id. */
  public String folder(String name) {
    return drive.add("", name, DriveFiles.FOLDER, "").meta.path("id").asText();
  }

  /** Makes the inbox that people put documents into. */
  public void prepare(String root) {
    drive.add(root, "inbox", DriveFiles.FOLDER, "");
  }

  /** Writes a document into the inbox. */
  public void document(String root, String name, String text) {
    drive.add(drive.folder(root, "inbox"), name, DriveFiles.DOCUMENT, text);
  }

  /** All files below a folder. */
  public Set<String> names(String root) {
    return drive.tree(root).keySet();
  }

  public GoogleRoots roots() {
    return new GoogleRoots(root(), root(), root());
  }

  /** A key as Google hands it out. */
  public Path key(Path folder) throws IOException {
    String pem =
        "-----BEGIN PRIVATE KEY-----\n"
            + Base64.getMimeEncoder(64, new byte[] {'\n'})
                .encodeToString(keys.getPrivate().getEncoded())
            + "\n-----END PRIVATE KEY-----\n";
    ObjectNode key = JSON.createObjectNode();
    key.put("type", "service_account")
        .put("project_id", "project")
        .put("private_key_id", "1")
        .put("private_key", pem)
        .put("client_email", ACCOUNT)
        .put("client_id", "1")
        .put("token_uri", root() + "token");
    return Files.writeString(folder.resolve("key.json"), key.toString());
  }

  // ---------------------------------------------------------------- requests

  /** Refused as Google would. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final int status;

    Refused(int status, String message) {
      super(message);
      this.status = status;
    }
  }

  record Call(
      String method, List<String> path, Map<String, String> query, String type, byte[] body) {
    JsonNode json() throws IOException {
      return JSON.readTree(body);
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    byte[] answer;
    int status = 200;
    String type = "application/json";
    try (exchange) {
      try {
        Call call = call(exchange);
        if (call.path.getFirst().equals("token")) {
          answer = token(call);
        } else {
          requireToken(exchange);
          answer = answer(call);
        }
      } catch (Refused e) {
        status = e.status;
        ObjectNode error = JSON.createObjectNode();
        error
            .putObject("error")
            .put("code", status)
            .put("message", String.valueOf(e.getMessage()))
            .putArray("errors");
        answer = JSON.writeValueAsBytes(error);
      }
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(status, answer.length == 0 ? -1 : answer.length);
      exchange.getResponseBody().write(answer);
    }
  }

  private static Call call(HttpExchange exchange) throws IOException {
    String raw = exchange.getRequestURI().getRawPath().substring(1);
    String method = exchange.getRequestHeaders().getFirst("X-HTTP-Method-Override");
    String type = exchange.getRequestHeaders().getFirst("Content-Type");
    byte[] body = exchange.getRequestBody().readAllBytes();
    if ("gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"))) {
      body =
          new java.util.zip.GZIPInputStream(new java.io.ByteArrayInputStream(body)).readAllBytes();
    }
    return new Call(
        method == null ? exchange.getRequestMethod() : method,
        List.of(raw.split("/", -1)),
        query(exchange.getRequestURI().getRawQuery()),
        type == null ? "" : type,
        body);
  }

  private static Map<String, String> query(@org.jspecify.annotations.Nullable String raw) {
    Map<String, String> query = new HashMap<>();
    for (String pair : raw == null ? new String[0] : raw.split("&", -1)) {
      int equals = pair.indexOf('=');
      query.put(
          pair.substring(0, equals),
          URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
    }
    return query;
  }

  private static void requireToken(HttpExchange exchange) {
    String given = exchange.getRequestHeaders().getFirst("Authorization");
    if (!("Bearer " + TOKEN).equals(given)) {
      throw new Refused(401, "Request had invalid authentication credentials.");
    }
  }

  /** Gives a token for an assertion that the account's key has signed. */
  private byte[] token(Call call) throws IOException {
    Map<String, String> form = query(new String(call.body, StandardCharsets.UTF_8));
    String[] parts = form.getOrDefault("assertion", "..").split("\\.", -1);
    try {
      Signature check = Signature.getInstance("SHA256withRSA");
      check.initVerify(keys.getPublic());
      check.update((parts[0] + "." + parts[1]).getBytes(StandardCharsets.US_ASCII));
      JsonNode claims = JSON.readTree(Base64.getUrlDecoder().decode(parts[1]));
      boolean valid =
          check.verify(Base64.getUrlDecoder().decode(parts[2]))
              && claims.path("iss").asText().equals(ACCOUNT)
              && claims.path("scope").asText().contains("auth/drive")
              && claims.path("aud").asText().endsWith("token");
      if (!valid) {
        throw new Refused(400, "invalid_grant");
      }
    } catch (java.security.GeneralSecurityException e) {
      throw new Refused(400, "invalid_grant");
    }
    return JSON.writeValueAsBytes(
        Map.of("access_token", TOKEN, "expires_in", 3600, "token_type", "Bearer"));
  }

  private byte[] answer(Call call) throws IOException {
    String path = String.join("/", call.path);
    if (path.startsWith("drive/v3/files")) {
      return drive.files(call, call.path.size() > 3 ? call.path.get(3) : "");
    }
    if (path.startsWith("upload/drive/v3/files")) {
      return drive.upload(call, call.path.size() > 4 ? call.path.get(4) : "");
    }
    if (path.startsWith("v1/documents/")) {
      return document(drive.require(call.path.get(2)));
    }
    if (path.startsWith("v4/spreadsheets/")) {
      return drive.sheets(call);
    }
    throw new Refused(404, "Not found: " + path);
  }

  /** A document is a list of paragraphs of text runs. */
  private static byte[] document(StandInDrive.Item item) throws IOException {
    if (!item.meta.path("mimeType").asText().equals(DriveFiles.DOCUMENT)) {
      throw new Refused(400, "This operation is not supported for this document");
    }
    ObjectNode document = JSON.createObjectNode();
    document.put("documentId", item.meta.path("id").asText());
    ArrayNode content = document.putObject("body").putArray("content");
    content.addObject().put("endIndex", 1).putObject("sectionBreak");
    for (String line : new String(item.content, StandardCharsets.UTF_8).split("(?<=\n)", -1)) {
      content
          .addObject()
          .putObject("paragraph")
          .putArray("elements")
          .addObject()
          .putObject("textRun")
          .put("content", line);
    }
    return JSON.writeValueAsBytes(document);
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
