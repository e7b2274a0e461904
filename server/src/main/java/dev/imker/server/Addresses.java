package dev.imker.server;

import dev.imker.server.internal.tls.HostName;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** The addresses at which a server that listens on a host is reachable. */
final class Addresses {
  private static final int MAX = 6;

  private Addresses() {}

  static boolean isLoopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private static boolean isWildcard(String host) {
    return host.equals("0.0.0.0") || host.equals("::");
  }

  /** For programs on this machine. */
  static String local(String scheme, String host, int port) {
    return url(scheme, isWildcard(host) ? "localhost" : host, port);
  }

  /** For agents, those that reach farthest first. */
  static List<String> reachable(String scheme, String host, int port) {
    if (!isWildcard(host)) {
      return List.of(url(scheme, host, port));
    }
    return HostName.ofThisMachine().stream()
        .limit(MAX)
        .map(name -> url(scheme, name.text(), port))
        .toList();
  }

  private static String url(String scheme, String host, int port) {
    String inUrl = host.contains(":") ? "[" + host + "]" : host;
    return scheme + "://" + inUrl + ":" + port;
  }
}
