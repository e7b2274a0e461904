package dev.imker.wire.connect;

import dev.imker.model.connection.PinnedCertificate;
import dev.imker.wire.WireOptions;
import io.vertx.core.http.WebSocketClientOptions;
import io.vertx.core.http.WebSocketConnectOptions;
import io.vertx.core.net.ProxyOptions;
import io.vertx.core.net.ProxyType;
import io.vertx.core.net.TrustOptions;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP requests that open a WebSocket.
 *
 * @param proxies which proxy leads to a server; null for those of the whole process
 */
record UpgradeRequests(Map<String, String> headers, @Nullable ProxySelector proxies) {
  /**
   * @param fingerprint of the only certificate that is trusted; null: as Java does
   */
  static WebSocketClientOptions client(WireOptions limits, @Nullable String fingerprint) {
    WebSocketClientOptions result =
        new WebSocketClientOptions()
            .setMaxFrameSize(limits.maxFrameBytes())
            .setMaxMessageSize(limits.maxFrameBytes())
            .setTryUsePerFrameCompression(false)
            .setTryUsePerMessageCompression(false)
            .setConnectTimeout((int) limits.handshakeWithin().toMillis())
            .setClosingTimeout(Acceptor.CLOSING_SECONDS)
            .setTcpNoDelay(true);
    if (fingerprint != null) {
      result
          .setTrustOptions(TrustOptions.wrap(new PinnedCertificate(fingerprint)))
          .setVerifyHost(false);
    }
    return result;
  }

  WebSocketConnectOptions to(URI address, long patienceMillis) {
    boolean tls = "wss".equals(address.getScheme());
    int port = address.getPort() >= 0 ? address.getPort() : tls ? 443 : 80;
    String path =
        address.getRawPath() == null || address.getRawPath().isEmpty() ? "/" : address.getRawPath();
    WebSocketConnectOptions request =
        new WebSocketConnectOptions()
            .setHost(address.getHost())
            .setPort(port)
            .setSsl(tls)
            .setURI(address.getRawQuery() == null ? path : path + "?" + address.getRawQuery())
            .setTimeout(patienceMillis);
    headers.forEach(request::putHeader);
    proxy(address, tls).ifPresent(request::setProxyOptions);
    return request;
  }

  /**
   * As for every other connection of this process; looked up each time, because it depends on the
   * server.
   */
  private Optional<ProxyOptions> proxy(URI address, boolean tls) {
    ProxySelector selector = proxies == null ? ProxySelector.getDefault() : proxies;
    if (selector == null) {
      return Optional.empty();
    }
    URI asHttp = URI.create((tls ? "https" : "http") + "://" + address.getRawAuthority() + "/");
    return selector.select(asHttp).stream()
        .filter(proxy -> proxy.type() == Proxy.Type.HTTP)
        .map(proxy -> (InetSocketAddress) proxy.address())
        .findFirst()
        .map(
            proxy ->
                new ProxyOptions()
                    .setType(ProxyType.HTTP)
                    .setHost(proxy.getHostString())
                    .setPort(proxy.getPort()));
  }

  /** The address to which the server redirects. */
  static URI webSocket(URI from, String location) {
    URI to = from.resolve(location);
    String scheme = "https".equals(to.getScheme()) || "wss".equals(to.getScheme()) ? "wss" : "ws";
    String query = to.getRawQuery() == null ? "" : "?" + to.getRawQuery();
    return URI.create(scheme + "://" + to.getRawAuthority() + to.getRawPath() + query);
  }
}
