package dev.imker.server.internal.tls;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bouncycastle.asn1.x509.GeneralName;

/** A name or an address under which this machine may be reached. */
public record HostName(String text, boolean isAddress) {
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
    List<HostName> addresses = new ArrayList<>();
    try {
      for (NetworkInterface card : Collections.list(NetworkInterface.getNetworkInterfaces())) {
        for (InetAddress address : Collections.list(card.getInetAddresses())) {
          if (!address.isLoopbackAddress() && !address.isLinkLocalAddress()) {
            addresses.add(new HostName(address.getHostAddress().replaceAll("%.*", ""), true));
          }
        }
      }
    } catch (SocketException e) {
      return List.of();
    }
    return addresses;
  }
}
