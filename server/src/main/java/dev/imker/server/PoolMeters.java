package dev.imker.server;

import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.server.internal.tls.CertificateRenewal;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.server.members.Membership;
import dev.imker.store.blobs.BlobStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Metrics of a server's role in its pool, its database and its disk. */
final class PoolMeters {
  private static final Logger LOG = LoggerFactory.getLogger(PoolMeters.class);

  /** All files have to be looked at for it. */
  private static final Duration BLOBS_VALID = Duration.ofMinutes(10);

  private final BlobStore blobs;
  private final AtomicBoolean counting = new AtomicBoolean();
  private volatile long blobBytes;
  private volatile long blobCount;
  private volatile long countedNanos = System.nanoTime() - BLOBS_VALID.toNanos();

  private PoolMeters(BlobStore blobs) {
    this.blobs = blobs;
  }

  static void bind(
      MeterRegistry registry,
      Membership membership,
      SchedulerLoop loop,
      BlobStore blobs,
      Path dataFolder) {
    gauge(registry, "imker.leader", "1 on the server that leads", () -> membership.leads() ? 1 : 0);
    gauge(registry, "imker.epoch", "Current epoch as known to this server", loop::epoch);
    gauge(
        registry,
        "imker.database.up",
        "1 while this server reaches its database",
        () -> membership.reachesDatabase() ? 1 : 0);
    gauge(
        registry,
        "imker.servers",
        "Number of servers in the pool",
        () -> membership.runningServers());
    gauge(
        registry,
        "imker.standby.lag.seconds",
        "Longest time since any running server was last heard from",
        membership::longestSilenceSeconds);
    File disk = dataFolder.toFile();
    gauge(
        registry,
        "imker.disk.free.bytes",
        "Free space on the disk of the data folder",
        disk::getUsableSpace);
    gauge(
        registry,
        "imker.disk.size.bytes",
        "Size of the disk of the data folder",
        disk::getTotalSpace);
    PoolMeters meters = new PoolMeters(blobs);
    gauge(registry, "imker.blobs.bytes", "Total size of all files", () -> meters.count(true));
    gauge(registry, "imker.blobs", "All files", () -> meters.count(false));
  }

  static void bind(MeterRegistry registry, CertificateRenewal certificate) {
    gauge(
        registry,
        "imker.certificate.expiry.timestamp.seconds",
        "Expiry time of the server's certificate, in seconds since 1970",
        () -> certificate.current().expires().getEpochSecond());
  }

  private interface Figure {
    double now();
  }

  private static void gauge(
      MeterRegistry registry, String name, String description, Figure figure) {
    Gauge.builder(name, figure::now)
        .description(description)
        .strongReference(true)
        .register(registry);
  }

  /** What was counted last; counts again beside it if that is old. */
  private long count(boolean bytes) {
    if (System.nanoTime() - countedNanos > BLOBS_VALID.toNanos()
        && counting.compareAndSet(false, true)) {
      Thread.ofVirtual().name("imker-blob-count").start(this::countAll);
    }
    return bytes ? blobBytes : blobCount;
  }

  private void countAll() {
    try {
      long[] sum = new long[2];
      blobs.forEach(
          (BlobId blob) -> {
            sum[0] += blobs.size(blob).orElse(0);
            sum[1]++;
          });
      blobBytes = sum[0];
      blobCount = sum[1];
    } catch (ImkerException e) {
      LOG.debug("counting files: {}", e.getMessage());
    } finally {
      countedNanos = System.nanoTime();
      counting.set(false);
    }
  }
}
