package dev.imker.server;

import dev.imker.model.ImkerException;
import dev.imker.server.http.TrustedProxies;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The public addresses of a server behind a reverse proxy.
 *
 * @param url where agents, users and the pool's other servers reach it; empty if the address it
 *     listens on is the one
 * @param proxies whose word on where requests came from is believed
 * @param joinUrls stand first in join tokens: what leads to any of the pool's servers and leaves
 *     TLS to them
 */
public record PublicFace(Optional<URI> url, TrustedProxies proxies, List<URI> joinUrls) {
  /** Of a server that is reached where it listens. */
  public static final PublicFace OWN = new PublicFace(Optional.empty(), TrustedProxies.NONE);

  /** None, or what a proxy takes off before it passes a request on. */
  private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9_~][A-Za-z0-9._~-]*)*");

  public PublicFace(Optional<URI> url, TrustedProxies proxies) {
    this(url, proxies, List.of());
  }

  /**
   * @throws ImkerException if that is not an address of a server
   */
  public static URI parse(String written) {
    try {
      URI url =
          URI.create(written.endsWith("/") ? written.substring(0, written.length() - 1) : written);
      boolean web = "http".equals(url.getScheme()) || "https".equals(url.getScheme());
      if (web
          && url.getHost() != null
          && PATH.matcher(url.getRawPath()).matches()
          && url.getQuery() == null
          && url.getFragment() == null) {
        return url;
      }
    } catch (IllegalArgumentException e) {
      // Reported below, like an address of another kind.
    }
    throw new ImkerException(
        "'"
            + written
            + "' is not the address of a server: https://HOST, https://HOST:PORT or"
            + " https://HOST/PATH.");
  }
}
