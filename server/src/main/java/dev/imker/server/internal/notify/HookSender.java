package dev.imker.server.internal.notify;

import dev.imker.server.http.Json;
import dev.imker.server.internal.settings.PoolSettings;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Calls web hooks. The body is JSON; {@code Imker-Signature} is {@code v1=} and the HMAC-SHA256 of
 * the time stamp, a dot and the body, with the secret of a user.
 */
final class HookSender {
  private static final long PATIENCE_MILLIS = 20_000;

  private final HttpClient http;
  private final PoolSettings settings;
  private final UnaryOperator<String> secretOf;

  HookSender(Vertx vertx, PoolSettings settings, UnaryOperator<String> secretOf) {
    http =
        vertx.createHttpClient(
            new HttpClientOptions().setKeepAlive(false).setConnectTimeout((int) PATIENCE_MILLIS));
    this.settings = settings;
    this.secretOf = secretOf;
  }

  /** Calls a hook; returns when it answered that it has it. */
  void send(
      String delivery, String address, String user, Map<String, Object> about, long nowSeconds)
      throws InterruptedException {
    URI target = uri(address);
    boolean privateToo = settings.get("notices.allow-private", "false").equals("true");
    InetAddress where = TargetGuard.resolve(target, privateToo);
    byte[] body = Json.bytes(about);
    String signature = signature(secretOf.apply(user), nowSeconds, body);
    RequestOptions options = options(target, where);
    options.putHeader("Content-Type", "application/json");
    options.putHeader("User-Agent", "Imker");
    options.putHeader("Imker-Delivery", delivery);
    options.putHeader("Imker-Timestamp", Long.toString(nowSeconds));
    options.putHeader("Imker-Signature", "v1=" + signature);
    int status = call(options, body);
    if (status < 200 || status > 299) {
      throw new NotDeliveredException("The web hook responded with " + status + ".", false, null);
    }
  }

  private static URI uri(String address) {
    try {
      return URI.create(address);
    } catch (IllegalArgumentException e) {
      throw new NotDeliveredException("'" + address + "' is not an address.", true, e);
    }
  }

  private static RequestOptions options(URI target, InetAddress where) {
    boolean tls = "https".equals(target.getScheme());
    int port = target.getPort() < 0 ? (tls ? 443 : 80) : target.getPort();
    String path =
        target.getRawPath() == null || target.getRawPath().isEmpty() ? "/" : target.getRawPath();
    return new RequestOptions()
        .setMethod(HttpMethod.POST)
        .setServer(SocketAddress.inetSocketAddress(port, where.getHostAddress()))
        .setHost(target.getHost())
        .setPort(port)
        .setSsl(tls)
        .setTimeout(PATIENCE_MILLIS)
        .setURI(target.getRawQuery() == null ? path : path + "?" + target.getRawQuery());
  }

  private int call(RequestOptions options, byte[] body) throws InterruptedException {
    try {
      return http.request(options)
          .compose(request -> request.send(Buffer.buffer(body)))
          .map(response -> response.statusCode())
          .toCompletionStage()
          .toCompletableFuture()
          .get(2 * PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw new NotDeliveredException(
          "The web hook cannot be reached: " + e.getMessage(), false, e);
    } catch (TimeoutException e) {
      throw new NotDeliveredException("The web hook does not answer.", false, e);
    }
  }

  static String signature(String secret, long seconds, byte[] body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
      mac.update((seconds + ".").getBytes(StandardCharsets.US_ASCII));
      return HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java has HmacSHA256", e);
    }
  }
}
