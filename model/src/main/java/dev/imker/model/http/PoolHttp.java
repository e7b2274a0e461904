package dev.imker.model.http;

import dev.imker.model.connection.ServerList;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Requests to the current leader of a pool. A server that is away or hangs is left for the next
 * one; a standby names the leader. Both apply only within the caller's patience and if repeating
 * the request is safe. Thread-safe.
 */
public final class PoolHttp implements AutoCloseable {
  private static final Duration CONNECT_PATIENCE = Duration.ofSeconds(10);
  private static final int MAX_HOPS = 3;

  private final ServerList servers;
  private final String token;
  private final HttpExchanges http;
  private final HangProbe probe;

  /**
   * @param token of the caller; empty if there is none
   * @param fingerprint of the only certificate that is trusted; empty to trust what Java trusts
   * @param proxies which proxy leads to a server; null for those of the whole process
   */
  public PoolHttp(
      Collection<URI> addresses,
      String token,
      String fingerprint,
      @Nullable ProxySelector proxies) {
    this(addresses, token, fingerprint, proxies, HangProbe.PROBE_AFTER, HangProbe.FIRST_PATIENCE);
  }

  PoolHttp(
      Collection<URI> addresses,
      String token,
      String fingerprint,
      @Nullable ProxySelector proxies,
      Duration lookAfter,
      Duration probePatience) {
    this.servers = new ServerList(addresses.stream().map(URI::toString).toList());
    this.token = token;
    this.http = new HttpExchanges(fingerprint, proxies, CONNECT_PATIENCE);
    this.probe = new HangProbe(http, servers, this::request, lookAfter, probePatience);
  }

  /** The known servers and the current one. */
  public ServerList servers() {
    return servers;
  }

  /**
   * The complete answer, whatever its status.
   *
   * @param patience how long to wait for servers that are away, from the first failure on
   */
  public Answer send(Call call, Duration patience) throws NoAnswerException, InterruptedException {
    return attempt(
        call,
        patience,
        answer -> {
          try (InputStream body = answer.body()) {
            return new Answer(answer.statusCode(), answer.headers(), body.readAllBytes());
          }
        });
  }

  /** The status and headers of an answer; the caller reads and has to close its body. */
  public HttpResponse<InputStream> open(Call call, Duration patience)
      throws NoAnswerException, InterruptedException {
    return attempt(call, patience, answer -> answer);
  }

  private interface Reader<T> {
    T read(HttpResponse<InputStream> answer) throws IOException;
  }

  private <T> T attempt(Call call, Duration patience, Reader<T> reader)
      throws NoAnswerException, InterruptedException {
    Retries retries = new Retries(patience);
    int hops = 0;
    while (true) {
      String server = servers.current();
      try {
        HttpResponse<InputStream> answer = exchange(server, call);
        learn(answer.headers());
        if (hops++ < MAX_HOPS && goesToLeader(answer)) {
          answer.body().close();
          continue;
        }
        boolean again = retries.mayRepeat(call, answer);
        if (again || answer.statusCode() == 307 || answer.statusCode() == 503) {
          servers.leave(server); // for the next call at least
        }
        if (!again) {
          return reader.read(answer);
        }
        answer.body().close();
      } catch (IOException e) {
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
        servers.leave(server);
        if (http.isClosed() || isDistrust(e) || !retries.mayRepeat(call, e)) {
          throw new NoAnswerException(server, call, e);
        }
      }
      hops = 0;
      retries.pause();
    }
  }

  private HttpResponse<InputStream> exchange(String server, Call call)
      throws IOException, InterruptedException {
    probe.requireAnswering(server);
    HttpRequest.Builder request = request(server, call.path()).method(call.method(), call.body());
    call.headers().forEach(request::setHeader);
    return http.open(
        request.build(), call.maxSilence(), silence -> probe.whyDead(server, call, silence));
  }

  private HttpRequest.Builder request(String server, String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path));
    return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
  }

  private void learn(HttpHeaders headers) {
    headers
        .firstValue("Imker-Servers")
        .ifPresent(addresses -> servers.learn(Arrays.asList(addresses.split(","))));
  }

  private boolean goesToLeader(HttpResponse<?> answer) {
    Optional<String> location = answer.headers().firstValue("Location");
    if (answer.statusCode() != 307 || location.isEmpty()) {
      return false;
    }
    URI leader = URI.create(location.get());
    return servers.goTo(leader.getScheme() + "://" + leader.getRawAuthority());
  }

  /** Waiting does not help if it is the wrong server. */
  private static boolean isDistrust(IOException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof GeneralSecurityException) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void close() {
    http.close();
  }
}
