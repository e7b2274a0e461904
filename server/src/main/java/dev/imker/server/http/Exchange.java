package dev.imker.server.http;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.server.internal.auth.Identity;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/** A request and its answer, for blocking handlers. */
public final class Exchange {
  private static final long WRITE_PATIENCE_SECONDS = 120;
  private final RoutingContext context;
  private final @Nullable Identity identity;
  private final RequestBody body;
  private final LiveStreams live;
  private final TrustedProxies proxies;
  private volatile @Nullable String claimed;

  /** To be made on the event loop, before anything of the body was delivered. */
  Exchange(
      RoutingContext context,
      @Nullable Identity identity,
      LiveStreams live,
      TrustedProxies proxies) {
    this.context = context;
    this.identity = identity;
    this.live = live;
    this.proxies = proxies;
    body = new RequestBody(context.request());
  }

  /** The caller; only for routes that need a token. */
  public Identity identity() {
    if (identity == null) {
      throw new IllegalStateException("an open route has no caller");
    }
    return identity;
  }

  public Optional<Identity> caller() {
    return Optional.ofNullable(identity);
  }

  /** Who claims to be calling, before that is checked; for the record of who did what. */
  public void auditAs(String user) {
    claimed = user;
  }

  public Optional<String> auditUser() {
    return Optional.ofNullable(claimed);
  }

  /** The address the request came from, as far as trusted proxies say. */
  public String address() {
    SocketAddress remote = context.request().remoteAddress();
    if (remote == null) {
      return "";
    }
    return proxies.client(
        String.valueOf(remote.hostAddress()), allLines("X-Forwarded-For"), allLines("Forwarded"));
  }

  /** Whether the caller speaks TLS, to this server or to a trusted proxy that says so. */
  public boolean isSecure() {
    HttpServerRequest request = context.request();
    SocketAddress remote = request.remoteAddress();
    return request.isSSL()
        || (remote != null
            && proxies.isTrusted(String.valueOf(remote.hostAddress()))
            && "https".equalsIgnoreCase(request.getHeader("X-Forwarded-Proto")));
  }

  public HttpServerRequest request() {
    return context.request();
  }

  public HttpServerResponse response() {
    return context.response();
  }

  RequestBody requestBody() {
    return body;
  }

  // ---------------------------------------------------------------- what was asked

  public String param(String name) {
    return context.pathParam(name);
  }

  /** What a path has after a prefix of so many segments, decoded. */
  public String pathAfter(int segments) {
    String path = context.request().path();
    int at = 0;
    for (int i = 0; i <= segments && at >= 0; i++) {
      at = path.indexOf('/', at + (i == 0 ? 0 : 1));
    }
    String rest = at < 0 ? "" : path.substring(at + 1);
    return URLDecoder.decode(rest.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  public Optional<String> query(String name) {
    return Optional.ofNullable(context.queryParams().get(name)).filter(text -> !text.isEmpty());
  }

  public long queryNumber(String name, long fallback, long least, long most) {
    Optional<String> text = query(name);
    if (text.isEmpty()) {
      return fallback;
    }
    try {
      long value = Long.parseLong(text.get());
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Reported below, like a number out of bounds.
    }
    throw ApiException.invalid(
        name,
        "%s=%s: must be a whole number from %d to %d.".formatted(name, text.get(), least, most));
  }

  public boolean queryFlag(String name) {
    return switch (query(name).orElse("false")) {
      case "true" -> true;
      case "false" -> false;
      default -> throw ApiException.invalid(name, name + " must be true or false.");
    };
  }

  public Optional<String> header(String name) {
    return Optional.ofNullable(context.request().getHeader(name));
  }

  /** A header that may have several lines, as if it were one. */
  private String allLines(String name) {
    return String.join(",", context.request().headers().getAll(name));
  }

  /** The body as it comes, whatever its size. */
  public InputStream body() {
    return body;
  }

  public JsonNode json(int limitBytes) throws IOException {
    return json(limitBytes, Optional.empty());
  }

  /** The body as JSON; the fallback stands for an empty one. */
  public JsonNode json(int limitBytes, Optional<JsonNode> fallback) throws IOException {
    long announced = announcedLength();
    if (announced > limitBytes) {
      throw tooLarge(limitBytes);
    }
    byte[] bytes = body.readNBytes(limitBytes + 1);
    if (bytes.length > limitBytes) {
      throw tooLarge(limitBytes);
    }
    if (bytes.length == 0 && fallback.isPresent()) {
      return fallback.get();
    }
    requireJsonType();
    return Json.parse(bytes);
  }

  /** How long the body is to be as far as was said, 0 if nothing was. */
  public long announcedLength() {
    try {
      return Long.parseLong(header("Content-Length").orElse("0"));
    } catch (NumberFormatException e) {
      throw ApiException.of(400, "invalid", "Content-Length is not a number.", "Content-Length");
    }
  }

  private void requireJsonType() {
    String type = header("Content-Type").orElse("application/json").toLowerCase(Locale.ROOT);
    if (!type.replaceAll(";.*", "").strip().equals("application/json")) {
      throw ApiException.of(
          415, "unsupported_type", "Send JSON with Content-Type: application/json.");
    }
  }

  private static ApiException tooLarge(long limitBytes) {
    return ApiException.of(
        413,
        "too_large",
        "The body is larger than " + limitBytes + " bytes. Send large data as blobs.");
  }

  // ---------------------------------------------------------------- the answer

  public void json(int status, Object view) throws IOException {
    bytes(status, "application/json", Json.bytes(view));
  }

  /** An answer with a tag of its content; a caller that has the same already gets 304. */
  public void taggedJson(Object view) throws IOException {
    byte[] content = Json.bytes(view);
    CRC32C first = new CRC32C();
    first.update(content);
    String tag = "\"%08x-%x\"".formatted(first.getValue(), Arrays.hashCode(content));
    response().putHeader(HttpHeaders.ETAG, tag);
    if (header("If-None-Match").filter(known -> known.contains(tag)).isPresent()) {
      empty(304);
    } else {
      bytes(200, "application/json", content);
    }
  }

  public void bytes(int status, String type, byte[] content) throws IOException {
    HttpServerResponse response = response();
    response.setStatusCode(status).putHeader(HttpHeaders.CONTENT_TYPE, type);
    await(response.end(Buffer.buffer(content)));
  }

  public void empty(int status) throws IOException {
    await(response().setStatusCode(status).end());
  }

  public void redirect(String location) throws IOException {
    response().putHeader(HttpHeaders.LOCATION, location);
    empty(303);
  }

  /** Starts an answer of unknown length; {@link #write} continues it and {@link #end} ends it. */
  public void startStream(int status, String type) throws IOException {
    HttpServerResponse response = response();
    response.setStatusCode(status).setChunked(true).putHeader(HttpHeaders.CONTENT_TYPE, type);
    await(response.writeHead());
  }

  /**
   * Starts an answer that goes on for as long as the caller listens and this server leads: when it
   * stops leading, the connection is broken off.
   */
  public void startLiveStream(String type) throws IOException {
    live.require(this);
    startStream(200, type);
    live.begun(this);
  }

  /** Ends the answer so that the caller cannot take it for complete; from any thread. */
  void breakOff() {
    response().reset();
  }

  /** Returns when the connection has taken the bytes: a slow reader slows the writer. */
  public void write(byte[] bytes) throws IOException {
    await(response().write(Buffer.buffer(bytes)));
  }

  public void end() throws IOException {
    await(response().end());
  }

  public void file(int status, String type, Path file, long offset, long length)
      throws IOException {
    HttpServerResponse response = response();
    response.setStatusCode(status).putHeader(HttpHeaders.CONTENT_TYPE, type);
    response.putHeader(HttpHeaders.CONTENT_LENGTH, Long.toString(length));
    if (length == 0) {
      await(response.end());
      return;
    }
    join(response.sendFile(file.toString(), offset, length), Long.MAX_VALUE);
  }

  public boolean isGone() {
    return response().closed();
  }

  private static void await(Future<Void> written) throws IOException {
    join(written, WRITE_PATIENCE_SECONDS);
  }

  private static void join(Future<Void> written, long seconds) throws IOException {
    try {
      written.toCompletionStage().toCompletableFuture().get(seconds, TimeUnit.SECONDS);
    } catch (ExecutionException | CancellationException e) {
      throw new IOException("the caller is gone", e);
    } catch (TimeoutException e) {
      throw new IOException("the caller does not read", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while writing", e);
    }
  }
}
