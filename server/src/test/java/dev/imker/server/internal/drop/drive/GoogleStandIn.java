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
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The calls of Google's token, Drive, Docs and Sheets services that Imker makes, as they are
 * documented: paths, parameters, bodies, status codes. Requests that Google would refuse are
 * refused here too.
 */
public final class GoogleStandIn implements AutoCloseable {
  static final ObjectMapper JSON = new ObjectMapper();
  private static final String TOKEN = "ya29.stand-in";
  private static final String ACCOUNT = "imker@project.iam.gserviceaccount.com";

  private static final int OK = 200;
  private static final int UNFINISHED = 308;
  private static final int TOO_MANY = 429;
  private static final int INTERNAL = 500;
  private static final int BUSY = 503;

  public final StandInDrive drive = new StandInDrive();
  private volatile Trouble trouble = new Trouble() {};
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

  /** Puts a file somewhere below a folder. */
  public void file(String root, String path, String text) {
    drive.add(folderAt(root, path), path.substring(path.lastIndexOf('/') + 1), "text/plain", text);
  }

  /** The folder that a path is in, made if need be. */
  public String folderAt(String root, String path) {
    return drive.folders(root, path.substring(0, Math.max(0, path.lastIndexOf('/'))));
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

  /** A part of a large file has come. */
  static final class Unfinished extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final int received;

    Unfinished(int received) {
      super("308 Resume Incomplete");
      this.received = received;
    }
  }

  /** What Google does besides what was asked for. */
  public interface Trouble {
    /** Throws if the request is refused; may wait. */
    default void before(Call call) {}

    /** The status of the answer to what was done; other than 200, the answer is lost. */
    default int after(Call call) {
      return OK;
    }

    /** How much of a part of a large file arrives before the connection is given up. */
    default int arriving(int bytes) {
      return bytes;
    }
  }

  /** Every so many requests are not answered: too many, busy, or done but the answer is lost. */
  public static Trouble every(int requests) {
    AtomicInteger count = new AtomicInteger();
    return new Trouble() {
      @Override
      public void before(Call call) {
        int number = count.incrementAndGet();
        if (number % (3 * requests) == 0) {
          throw new Refused(TOO_MANY, "Rate Limit Exceeded");
        }
        if (number % (3 * requests) == requests) {
          throw new Refused(BUSY, "Backend Error");
        }
      }

      @Override
      public int after(Call call) {
        return count.get() % (3 * requests) == 2 * requests ? INTERNAL : OK;
      }

      @Override
      public int arriving(int bytes) {
        return count.get() % 2 == 0 ? bytes / 2 : bytes;
      }
    };
  }

  /** From now on. */
  public void trouble(Trouble next) {
    trouble = next;
  }

  private static boolean resumable(Call call) {
    return call.path.getFirst().equals("upload")
        && call.query.getOrDefault("uploadType", "").equals("resumable")
        && !call.query.containsKey("upload_id");
  }

  private static String answerText(byte[] answer) {
    return new String(answer, StandardCharsets.US_ASCII);
  }

  /**
   * A request.
   *
   * @param range its header Content-Range
   */
  public record Call(
      String method,
      List<String> path,
      Map<String, String> query,
      String type,
      String range,
      byte[] body) {
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
          trouble.before(call);
          answer = answer(call);
        }
        status = trouble.after(call);
        if (resumable(call)) {
          exchange.getResponseHeaders().set("Location", root() + answerText(answer));
          answer = new byte[0];
        }
      } catch (Unfinished e) {
        status = UNFINISHED;
        answer = new byte[0];
        if (e.received > 0) {
          exchange.getResponseHeaders().set("Range", "bytes=0-" + (e.received - 1));
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
    String range = exchange.getRequestHeaders().getFirst("Content-Range");
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
        range == null ? "" : range,
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
      String id = call.path.size() > 4 ? call.path.get(4) : "";
      return call.query.getOrDefault("uploadType", "").equals("resumable")
          ? drive.resumable(call, id, trouble)
          : drive.upload(call, id);
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
