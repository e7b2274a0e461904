package dev.imker.wire.lan;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InterfaceAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** The addresses of this machine in local networks, one for each network interface. */
public final class LanAddresses {
  private LanAddresses() {}

  /** Empty if they cannot be determined. */
  public static Set<InetAddress> all() {
    Set<InetAddress> all = new LinkedHashSet<>();
    try {
      for (NetworkInterface card : NetworkInterface.networkInterfaces().toList()) {
        if (card.isUp()
            && card.supportsMulticast()
            && !card.isLoopback()
            && !card.isPointToPoint()) {
          card.getInterfaceAddresses().stream()
              .map(InterfaceAddress::getAddress)
              .min(Comparator.comparing(address -> !(address instanceof Inet4Address)))
              .ifPresent(all::add);
        }
      }
    } catch (SocketException e) {
      return Set.of();
    }
    return all;
  }

  /** The addresses at which a server that listens on the given host is reachable. */
  public static Set<InetAddress> of(String host) {
    try {
      InetAddress listens = InetAddress.getByName(host);
      if (listens.isAnyLocalAddress()) {
        return all();
      }
      NetworkInterface card = NetworkInterface.getByInetAddress(listens);
      boolean local = listens.isLoopbackAddress() || card == null || card.isLoopback();
      return local ? Set.of() : Set.copyOf(List.of(listens));
    } catch (UnknownHostException | SocketException e) {
      return Set.of();
    }
  }
}
