package dev.imker.server.internal.tls;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bouncycastle.asn1.x509.GeneralName;

/** A name or an address under which this machine may be reached. */
public record HostName(String text, boolean isAddress) {
  /** Of a block kept for documentation, so behind the default route everywhere. */
  private static final String FAR_AWAY = "198.51.100.1";

  GeneralName alternative() {
    return new GeneralName(isAddress ? GeneralName.iPAddress : GeneralName.dNSName, text);
  }

  /** All names and addresses of this machine, those that reach farthest first. */
  public static List<HostName> ofThisMachine() {
    Set<HostName> names = new LinkedHashSet<>(ownAddresses());
    try {
      String host = InetAddress.getLocalHost().getHostName();
      if (host.matches("[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?")) {
        names.add(new HostName(host, false));
      }
    } catch (UnknownHostException e) {
      // A machine whose own name does not resolve is reached by its addresses.
    }
    names.add(new HostName("localhost", false));
    names.add(new HostName("127.0.0.1", true));
    names.add(new HostName("::1", true));
    return List.copyOf(names);
  }

  private static List<HostName> ownAddresses() {
    List<InetAddress> addresses = new ArrayList<>();
    try {
      for (NetworkInterface card : Collections.list(NetworkInterface.getNetworkInterfaces())) {
        for (InetAddress address : Collections.list(card.getInetAddresses())) {
          if (!address.isLoopbackAddress() && !address.isLinkLocalAddress()) {
            addresses.add(address);
          }
        }
      }
    } catch (SocketException e) {
      return List.of();
    }
    return farthestFirst(addresses, towardsTheWorld());
  }

  /**
   * Bridges of containers and virtual machines have addresses too, which no other machine reaches;
   * the one by which this machine sends to others comes first, then what every machine speaks.
   */
  static List<HostName> farthestFirst(List<InetAddress> addresses, Optional<InetAddress> route) {
    return addresses.stream()
        .sorted(
            Comparator.comparing((InetAddress address) -> !route.equals(Optional.of(address)))
                .thenComparing(address -> !(address instanceof Inet4Address)))
        .map(address -> new HostName(address.getHostAddress().replaceAll("%.*", ""), true))
        .toList();
  }

  /** The address that packets to far machines leave from; asks the routing table, sends nothing. */
  private static Optional<InetAddress> towardsTheWorld() {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(new InetSocketAddress(FAR_AWAY, 9));
      return Optional.of(socket.getLocalAddress()).filter(address -> !address.isAnyLocalAddress());
    } catch (IOException | UncheckedIOException e) {
      // Without a route out, as in a network of its own, all are alike.
      return Optional.empty();
    }
  }
}
