package dev.imker.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.imker.wire.proto.Lease;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;

/** Speaks HTTP with a server, as any client would. */
public final class Rest {
  public static final HttpClient CLIENT =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(60)).build();
  public static final ObjectMapper JSON = new ObjectMapper();
  private final URI address;
  private final String token;

  /** An answer; JSON where it was that. */
  public record Reply(int status, byte[] body, java.net.http.HttpHeaders headers) {
    public JsonNode json() {
      try {
        return JSON.readTree(body);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    public String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    public String errorCode() {
      return json().path("error").path("code").asText();
    }

    public String errorMessage() {
      return json().path("error").path("message").asText();
    }

    public String errorField() {
      return json().path("error").path("field").asText();
    }
  }

  public Rest(URI address, String token) {
    this.address = address;
    this.token = token;
  }

  public String token() {
    return token;
  }

  public HttpRequest.Builder request(String path) {
    HttpRequest.Builder builder =
        HttpRequest.newBuilder(address.resolve(path)).timeout(Duration.ofMinutes(2));
    return token.isEmpty() ? builder : builder.header("Authorization", "Bearer " + token);
  }

  public Reply send(HttpRequest.Builder request) {
    try {
      HttpResponse<byte[]> answer = CLIENT.send(request.build(), BodyHandlers.ofByteArray());
      return new Reply(answer.statusCode(), answer.body(), answer.headers());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  public Reply get(String path) {
    return send(request(path));
  }

  public Reply post(String path, String json) {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(json)));
  }

  public Reply post(String path, String json, String header, String value) {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .header(header, value)
            .POST(BodyPublishers.ofString(json)));
  }

  public Reply put(String path, byte[] body) {
    return send(request(path).PUT(BodyPublishers.ofByteArray(body)));
  }

  public Reply putJson(String path, String json) {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(json)));
  }

  public Reply method(String method, String path) {
    return send(request(path).method(method, BodyPublishers.noBody()));
  }

  /** Submits a job and returns its number. */
  public long submit(String json) {
    Reply reply = post("/api/v1/jobs", json);
    if (reply.status() != 201) {
      throw new AssertionError(reply.status() + " " + reply.text());
    }
    return reply.json().get("id").asLong();
  }

  public JsonNode job(long id) {
    return get("/api/v1/jobs/" + id).json();
  }

  /** Uploads a blob and returns its name. */
  public String upload(byte[] content) {
    String sha256 = sha256(content);
    int status = put("/api/v1/blobs/" + sha256, content).status();
    if (status != 201 && status != 200) {
      throw new AssertionError("upload: " + status);
    }
    return sha256;
  }

  /** Stores a file as an agent does, for a task that it has. */
  String uploadFor(Lease lease, byte[] content) {
    String sha256 = sha256(content);
    int status =
        send(request("/api/v1/blobs/" + sha256)
                .header("Imker-Lease", leaseHeader(lease))
                .PUT(HttpRequest.BodyPublishers.ofByteArray(content)))
            .status();
    if (status / 100 != 2) {
      throw new AssertionError("upload: " + status);
    }
    return sha256;
  }

  static String leaseHeader(Lease lease) {
    return "%d-%d-%d-%x"
        .formatted(lease.getJob(), lease.getIndex(), lease.getToken(), lease.getIncarnation());
  }

  public static String sha256(byte[] content) {
    try {
      return HexFormat.of()
          .formatHex(java.security.MessageDigest.getInstance("SHA-256").digest(content));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
