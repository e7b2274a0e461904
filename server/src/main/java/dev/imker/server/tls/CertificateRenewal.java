package dev.imker.server.tls;

import dev.imker.model.ImkerException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The certificate of a running server: renewed long before it expires, and when an admin says so.
 * New connections get the new one; those that are there go on.
 */
public final class CertificateRenewal implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateRenewal.class);
  private static final Duration PAUSE = Duration.ofHours(1);

  private final Path folder;
  private final InstantSource clock;
  private volatile ServerCertificate current;
  private volatile @Nullable Consumer<ServerCertificate> port;
  private @Nullable Thread thread;

  public CertificateRenewal(Path folder, InstantSource clock) {
    this.folder = folder;
    this.clock = clock;
    current = ServerCertificate.open(folder, HostName.ofThisMachine(), clock.instant());
  }

  public ServerCertificate current() {
    return current;
  }

  /**
   * Begins to look after it.
   *
   * @param listening is told each new certificate
   */
  public synchronized void start(Consumer<ServerCertificate> listening) {
    port = listening;
    thread = Thread.ofVirtual().name("imker-certificate").start(this::hourly);
  }

  private void hourly() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        Thread.sleep(PAUSE);
        renewIfDue();
      }
    } catch (InterruptedException e) {
      LOG.debug("The certificate is no longer looked after");
    }
  }

  void renewIfDue() {
    if (current.isDue(clock.instant())) {
      try {
        renew();
      } catch (ImkerException e) {
        LOG.warn(
            "The certificate, which expires on {}, was not renewed: {}",
            current.expires(),
            e.getMessage());
      } catch (RuntimeException e) { // or nobody would try again in an hour
        LOG.error("The certificate, which expires on {}, was not renewed", current.expires(), e);
      }
    }
  }

  public synchronized ServerCertificate renew() {
    ServerCertificate renewed =
        ServerCertificate.renew(folder, HostName.ofThisMachine(), clock.instant());
    Consumer<ServerCertificate> listening = port;
    if (listening != null) {
      listening.accept(renewed);
    }
    current = renewed;
    LOG.info("The server has a new certificate, which expires on {}", renewed.expires());
    return renewed;
  }

  @Override
  public synchronized void close() {
    if (thread != null) {
      thread.interrupt();
    }
  }
}
