package dev.imker.wire.lan;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import javax.jmdns.JmDNS;
import javax.jmdns.ServiceInfo;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Announces a server in the local networks of this machine, as {@code _imker._tcp} by mDNS and
 * DNS-SD, and adapts to networks that come and go.
 */
public final class LanAnnouncement implements AutoCloseable {
  static final String TYPE = "_imker._tcp.local.";
  static final String NAME = "name";
  static final String FINGERPRINT = "fingerprint";

  private static final Logger LOG = LoggerFactory.getLogger(LanAnnouncement.class);
  private static final Duration LOOK_INTERVAL = Duration.ofSeconds(20);
  private static final Duration CLOSE_PATIENCE = Duration.ofSeconds(2);

  /** The content of the announcement. */
  public record Server(String name, String host, int port, String fingerprint) {}

  private record Told(Server server, JmDNS dns) {}

  private final Supplier<Server> server;
  private final Supplier<Set<InetAddress>> addresses;
  private final Map<InetAddress, Told> told = new HashMap<>();
  private final Thread thread;

  /** Starts immediately, in the background. */
  public LanAnnouncement(Supplier<Server> server, Supplier<Set<InetAddress>> addresses) {
    this.server = server;
    this.addresses = addresses;
    this.thread = Thread.ofVirtual().name("imker-announcement").start(this::run);
  }

  private void run() {
    try {
      while (true) {
        follow();
        Thread.sleep(LOOK_INTERVAL);
      }
    } catch (InterruptedException e) {
      return; // closed
    }
  }

  private void follow() throws InterruptedException {
    Server now = server.get();
    Set<InetAddress> here = addresses.get();
    told.entrySet()
        .removeIf(
            one -> {
              boolean over = !here.contains(one.getKey()) || !one.getValue().server.equals(now);
              if (over) {
                quit(one.getValue().dns);
              }
              return over;
            });
    for (InetAddress address : here) {
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      if (!told.containsKey(address)) {
        tell(now, address);
      }
    }
  }

  private void tell(Server now, InetAddress address) {
    try {
      JmDNS dns = JmDNS.create(address, now.host);
      told.put(address, new Told(now, dns));
      dns.registerService(
          ServiceInfo.create(
              TYPE,
              now.name,
              now.port,
              0,
              0,
              Map.of(NAME, now.name, FINGERPRINT, now.fingerprint)));
      LOG.info("Announced on the network of {}", address.getHostAddress());
    } catch (IOException e) {
      LOG.info("Not announced on the network of {}: {}", address.getHostAddress(), e.toString());
    }
  }

  private static void quit(JmDNS dns) {
    try {
      dns.close();
    } catch (IOException e) {
      LOG.debug("A part of the announcement did not stop cleanly", e);
    }
  }

  /** Withdraws everything; otherwise others would forget it after a while. */
  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join(CLOSE_PATIENCE);
      if (thread.isAlive()) {
        return;
      }
      List<Thread> quitting = new ArrayList<>();
      told.values().forEach(one -> quitting.add(Thread.startVirtualThread(() -> quit(one.dns))));
      for (Thread one : quitting) {
        one.join(CLOSE_PATIENCE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
