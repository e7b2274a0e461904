package dev.imker.wire.lan;

import dev.imker.model.BlobId;
import dev.imker.model.text.SafeText;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import javax.jmdns.JmDNS;
import javax.jmdns.ServiceInfo;

/** Listens for servers that announce themselves. */
public final class LanSearch {
  private static final int MAX_NAME_CHARS = 60;
  private static final int MAX_POOLS = 20;
  private static final int MAX_URLS = 6;

  private LanSearch() {}

  /** All servers heard within this time, by name. */
  public static List<FoundPool> pools(Set<InetAddress> networks, Duration patience)
      throws InterruptedException {
    ConcurrentLinkedQueue<FoundPool> heard = new ConcurrentLinkedQueue<>();
    List<Thread> listening = new ArrayList<>();
    for (InetAddress network : networks) {
      listening.add(Thread.startVirtualThread(() -> listen(network, patience, heard)));
    }
    for (Thread one : listening) {
      one.join();
    }
    return merged(heard);
  }

  private static void listen(
      InetAddress network, Duration patience, ConcurrentLinkedQueue<FoundPool> heard) {
    try {
      JmDNS dns = JmDNS.create(network, "imker-search");
      for (ServiceInfo info : dns.list(LanAnnouncement.TYPE, patience.toMillis())) {
        pool(info).ifPresent(heard::add);
      }
      // Goodbye messages take seconds, and nothing was announced.
      Thread.ofPlatform().daemon().start(() -> quit(dns));
    } catch (IOException e) {
      return; // without multicast there is no pool to find
    }
  }

  private static void quit(JmDNS dns) {
    try {
      dns.close();
    } catch (IOException e) {
      return; // closed
    }
  }

  private static Optional<FoundPool> pool(ServiceInfo info) {
    String fingerprint = info.getPropertyString(LanAnnouncement.FINGERPRINT);
    String name = info.getPropertyString(LanAnnouncement.NAME);
    List<String> urls = new ArrayList<>();
    for (InetAddress address : info.getInetAddresses()) {
      urls.add("https://" + inUrl(address) + ":" + info.getPort());
    }
    return fingerprint == null || name == null || !BlobId.isValid(fingerprint) || urls.isEmpty()
        ? Optional.empty()
        : Optional.of(new FoundPool(SafeText.line(name, MAX_NAME_CHARS), fingerprint, urls));
  }

  private static String inUrl(InetAddress address) {
    String text = address.getHostAddress();
    return address instanceof Inet6Address ? "[" + text.replace("%", "%25") + "]" : text;
  }

  /** A server in several networks, and all servers of a pool, count as one. */
  private static List<FoundPool> merged(Iterable<FoundPool> heard) {
    Map<String, FoundPool> byCertificate = new LinkedHashMap<>();
    for (FoundPool pool : heard) {
      byCertificate.merge(pool.fingerprint(), pool, LanSearch::both);
    }
    return byCertificate.values().stream()
        .sorted(Comparator.comparing(FoundPool::name).thenComparing(FoundPool::fingerprint))
        .limit(MAX_POOLS)
        .toList();
  }

  private static FoundPool both(FoundPool one, FoundPool other) {
    Set<String> urls = new LinkedHashSet<>(one.urls());
    urls.addAll(other.urls());
    return new FoundPool(one.name(), one.fingerprint(), urls.stream().limit(MAX_URLS).toList());
  }
}
