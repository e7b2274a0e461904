package dev.imker.server.internal.notify;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;

/**
 * Keeps web hooks from being used to reach into the server's own network: only public addresses
 * pass, and the one that was looked at is the one that is called, whatever the name means a moment
 * later.
 */
final class TargetGuard {
  private TargetGuard() {}

  /** The address to call for a web hook. */
  static InetAddress resolve(URI target, boolean privateToo) {
    String host = target.getHost();
    boolean web = "http".equals(target.getScheme()) || "https".equals(target.getScheme());
    if (host == null || !web || target.getUserInfo() != null) {
      throw new NotDeliveredException(
          "A web hook must be http://HOST/PATH or https://HOST/PATH.", true, null);
    }
    try {
      for (InetAddress address : InetAddress.getAllByName(host.replaceAll("[\\[\\]]", ""))) {
        if (privateToo || isPublic(address)) {
          return address;
        }
      }
    } catch (UnknownHostException e) {
      throw new NotDeliveredException("The host " + host + " is unknown.", false, e);
    }
    throw new NotDeliveredException(
        "%s is in a private network; web hooks go there only if an admin allows it (imker settings set notices.allow-private=true)."
            .formatted(host),
        true,
        null);
  }

  static boolean isPublic(InetAddress address) {
    if (address.isAnyLocalAddress()
        || address.isLoopbackAddress()
        || address.isLinkLocalAddress()
        || address.isSiteLocalAddress()
        || address.isMulticastAddress()) {
      return false;
    }
    byte[] bytes = address.getAddress();
    int first = bytes[0] & 0xff;
    int second = bytes[1] & 0xff;
    return switch (address) {
      case Inet4Address v4 ->
          first != 0
              && first < 240
              && !(first == 100 && second >= 64 && second < 128)
              && !(first == 192 && second == 0)
              && !(first == 198 && (second == 18 || second == 19));
      case Inet6Address v6 -> isPublicV6(v6, bytes, first, second);
      default -> false;
    };
  }

  /** Only global unicast; not unique local, not IPv4 in disguise (mapped, 6to4, NAT64). */
  private static boolean isPublicV6(Inet6Address address, byte[] bytes, int first, int second) {
    boolean sixToFour = first == 0x20 && second == 0x02;
    boolean teredo = first == 0x20 && second == 0x01 && bytes[2] == 0 && bytes[3] == 0;
    return (first & 0xe0) == 0x20 && !sixToFour && !teredo && !address.isIPv4CompatibleAddress();
  }
}
