package dev.imker.server.http;

import dev.imker.model.connection.PinnedCertificate;
import io.vertx.core.Future;
import io.vertx.core.MultiMap;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.TrustOptions;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards requests of browsers to the leader, because a page may only talk to the server it came
 * from. Programs are redirected to the leader instead.
 */
public final class LeaderRelay {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderRelay.class);

  /** Set on what is passed on, so that two servers that take each other for the leader stop. */
  private static final String MARK = "Imker-Relayed";

  private static final int CONNECT_MILLIS = 3_000;
  private static final int COPY_BYTES = 64 << 10;
  private static final Set<String> LOGIN = Set.of("/login", "/logout");

  /** What belongs to one connection only; the origin is checked before anything is passed on. */
  private static final List<String> OF_CONNECTION =
      List.of("Connection", "Keep-Alive", "Transfer-Encoding", "TE", "Upgrade", "Host", "Origin");

  private final HttpClient client;

  /**
   * @param fingerprint of the authority that all servers of the pool have, if they use TLS
   */
  public LeaderRelay(Vertx vertx, Optional<String> fingerprint) {
    HttpClientOptions options = new HttpClientOptions().setConnectTimeout(CONNECT_MILLIS);
    fingerprint.ifPresent(
        pin ->
            options
                .setTrustOptions(TrustOptions.wrap(new PinnedCertificate(pin)))
                .setVerifyHost(false));
    client = vertx.createHttpClient(options);
  }

  static boolean takes(HttpServerRequest request) {
    return request.getHeader(HttpHeaders.AUTHORIZATION) == null
        && request.getHeader(MARK) == null
        && !request.canUpgradeToWebSocket()
        && (request.getCookie(Callers.COOKIE) != null || LOGIN.contains(request.path()));
  }

  /** Returns when the answer has been passed back. */
  void pass(String leader, Exchange exchange) {
    HttpServerRequest request = exchange.request();
    if (Callers.isForeign(request)) {
      throw ApiException.of(
          403,
          "foreign_page",
          "This request came from a page of another server; open the link yourself.");
    }
    MultiMap headers = MultiMap.caseInsensitiveMultiMap().addAll(request.headers());
    OF_CONNECTION.forEach(headers::remove);
    headers.set(MARK, "1");
    headers.remove("Forwarded");
    headers.set("X-Forwarded-For", exchange.address());
    headers.set("X-Forwarded-Proto", exchange.isSecure() ? "https" : "http");
    RequestOptions target =
        new RequestOptions()
            .setMethod(request.method())
            .setAbsoluteURI(leader + request.uri())
            .setHeaders(headers);
    try {
      HttpClientRequest passed = client.request(target).await();
      Future<Void> answered =
          passed.response().compose(answer -> answer(answer, exchange.response(), passed));
      send(exchange.body(), headers, passed);
      answered.await();
    } catch (Exception e) { // whatever it was: await() declares nothing
      LOG.debug("Cannot forward {} to {}: {}", request.path(), leader, e.getMessage());
      throw ErrorAnswers.notLeading(Optional.empty());
    }
  }

  private static void send(InputStream body, MultiMap headers, HttpClientRequest passed)
      throws IOException {
    byte[] buffer = new byte[COPY_BYTES];
    boolean sized = headers.contains(HttpHeaders.CONTENT_LENGTH);
    for (int n = body.read(buffer); n >= 0; n = body.read(buffer)) {
      if (!sized) {
        passed.setChunked(true);
      }
      passed.write(Buffer.buffer(Arrays.copyOf(buffer, n))).await();
    }
    passed.end().await();
  }

  private static Future<Void> answer(
      HttpClientResponse answer, HttpServerResponse response, HttpClientRequest passed) {
    response.setStatusCode(answer.statusCode());
    response.headers().setAll(answer.headers());
    OF_CONNECTION.forEach(response.headers()::remove);
    response.setChunked(answer.getHeader(HttpHeaders.CONTENT_LENGTH) == null);
    // Whoever follows events goes away without a word.
    response.closeHandler(_ -> passed.reset());
    return answer.pipeTo(response);
  }
}
