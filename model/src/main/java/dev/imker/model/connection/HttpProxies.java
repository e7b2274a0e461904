package dev.imker.model.connection;

import dev.imker.model.ImkerException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP proxies of the environment, with the usual variables: HTTPS_PROXY, HTTP_PROXY and
 * ALL_PROXY, also in lower case, and NO_PROXY with names, suffixes such as .example.org, addresses,
 * and * for everything. Requests to this machine itself never use a proxy.
 */
public final class HttpProxies extends ProxySelector {
  private static final int DEFAULT_PORT = 80;

  private final Optional<Proxy> secure;
  private final Optional<Proxy> plain;
  private final List<String> direct;

  private HttpProxies(Optional<Proxy> secure, Optional<Proxy> plain, List<String> direct) {
    this.secure = secure;
    this.plain = plain;
    this.direct = direct;
  }

  /** Empty if the environment defines none. */
  public static Optional<HttpProxies> of(Map<String, String> environment) {
    Optional<Proxy> all = variable(environment, "ALL_PROXY").map(HttpProxies::proxy);
    Optional<Proxy> secure =
        variable(environment, "HTTPS_PROXY").map(HttpProxies::proxy).or(() -> all);
    Optional<Proxy> plain =
        variable(environment, "HTTP_PROXY").map(HttpProxies::proxy).or(() -> all);
    if (secure.isEmpty() && plain.isEmpty()) {
      return Optional.empty();
    }
    List<String> direct =
        Arrays.stream(variable(environment, "NO_PROXY").orElse("").split(",", -1))
            .map(entry -> entry.strip().toLowerCase(Locale.ROOT))
            .filter(entry -> !entry.isEmpty())
            .toList();
    return Optional.of(new HttpProxies(secure, plain, direct));
  }

  /** One proxy for everything but this machine. */
  public static HttpProxies all(String url) {
    Optional<Proxy> proxy = Optional.of(proxy(url));
    return new HttpProxies(proxy, proxy, List.of());
  }

  private static Optional<String> variable(Map<String, String> environment, String name) {
    String small = environment.get(name.toLowerCase(Locale.ROOT));
    return Optional.ofNullable(small == null ? environment.get(name) : small)
        .map(String::strip)
        .filter(text -> !text.isEmpty());
  }

  private static Proxy proxy(String url) {
    URI uri;
    try {
      uri = URI.create(url.contains("://") ? url : "http://" + url);
    } catch (IllegalArgumentException e) {
      throw new ImkerException("'" + url + "' is not a proxy address; write http://HOST:PORT.", e);
    }
    String host = uri.getHost();
    if (host == null || !"http".equals(uri.getScheme()) || uri.getUserInfo() != null) {
      throw new ImkerException(
          "'"
              + url.replaceAll("//[^@/]*@", "//")
              + "' cannot be used as a proxy: write http://HOST:PORT, without a password.");
    }
    int port = uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort();
    return new Proxy(Proxy.Type.HTTP, InetSocketAddress.createUnresolved(host, port));
  }

  @Override
  public List<Proxy> select(URI target) {
    return List.of(forTarget(target).orElse(Proxy.NO_PROXY));
  }

  private Optional<Proxy> forTarget(URI target) {
    String scheme = target.getScheme();
    String host = target.getHost();
    if (host == null || isDirect(host.toLowerCase(Locale.ROOT))) {
      return Optional.empty();
    }
    return "https".equals(scheme) || "wss".equals(scheme) ? secure : plain;
  }

  private boolean isDirect(String host) {
    String plainHost = host.replaceAll("[\\[\\]]", "");
    if (plainHost.equals("localhost") || plainHost.startsWith("127.") || plainHost.equals("::1")) {
      return true;
    }
    for (String entry : direct) {
      String suffix = entry.startsWith("*.") ? entry.substring(1) : entry;
      String bare = suffix.startsWith(".") ? suffix.substring(1) : suffix;
      if (entry.equals("*") || plainHost.equals(bare) || plainHost.endsWith("." + bare)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void connectFailed(
      @Nullable URI uri, @Nullable SocketAddress address, @Nullable IOException failure) {
    // The caller reports the failure and retries.
  }
}
