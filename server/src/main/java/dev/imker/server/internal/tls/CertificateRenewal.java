package dev.imker.server.internal.tls;

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
 * New connections get the new one; those that are there go on. The authority may be replaced too,
 * on any server of the pool.
 */
public final class CertificateRenewal implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CertificateRenewal.class);
  private static final Duration PAUSE = Duration.ofMinutes(1);

  /** How the servers of a pool have the same authority. */
  public interface Sharing {
    /** A pool of one server. */
    Sharing NONE =
        new Sharing() {
          @Override
          public void fetch() {}

          @Override
          public void publish() {}
        };

    /** Puts the pool's authority into the folder. */
    void fetch();

    /** Makes that of the folder the pool's. */
    void publish();
  }

  private final Path folder;
  private final InstantSource clock;
  private final Sharing sharing;
  private volatile ServerCertificate current;
  private volatile @Nullable Consumer<ServerCertificate> port;
  private @Nullable Thread thread;

  public CertificateRenewal(Path folder, InstantSource clock, Sharing sharing) {
    this.folder = folder;
    this.clock = clock;
    this.sharing = sharing;
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
    thread = Thread.ofVirtual().name("imker-certificate").start(this::lookAfter);
  }

  private void lookAfter() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        Thread.sleep(PAUSE);
        renewIfDue();
      }
    } catch (InterruptedException e) {
      LOG.debug("The certificate is no longer renewed");
    }
  }

  /** Looks for a certificate that expires soon, and for an authority that another server made. */
  public synchronized void renewIfDue() {
    try {
      sharing.fetch();
      ServerCertificate due =
          ServerCertificate.open(folder, HostName.ofThisMachine(), clock.instant());
      if (!due.equals(current)) {
        show(due);
      }
    } catch (ImkerException e) {
      if (current.isDue(clock.instant())) {
        LOG.warn(
            "The certificate, which expires on {}, was not renewed: {}",
            current.expires(),
            e.getMessage());
      }
    } catch (RuntimeException e) { // or nobody would try again
      LOG.error("The certificate, which expires on {}, was not renewed", current.expires(), e);
    }
  }

  public synchronized ServerCertificate renew() {
    return show(ServerCertificate.renew(folder, HostName.ofThisMachine(), clock.instant()));
  }

  /** Gives the pool a new authority, to which the old one leads those who trust it. */
  public synchronized ServerCertificate replaceAuthority() {
    sharing.fetch();
    ServerCertificate.replaceAuthority(folder, clock.instant());
    sharing.publish();
    LOG.warn(
        "The pool has a new certificate authority; clients that trust the old one are still"
            + " accepted");
    return renew();
  }

  /** Ends the time in which earlier authorities are good as well. */
  public synchronized ServerCertificate forgetPreviousAuthority() {
    sharing.fetch();
    ServerCertificate.forgetPreviousAuthority(folder);
    sharing.publish();
    LOG.warn("Earlier certificate authorities are no longer valid");
    return renew();
  }

  private ServerCertificate show(ServerCertificate renewed) {
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
