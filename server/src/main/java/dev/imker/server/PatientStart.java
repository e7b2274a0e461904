package dev.imker.server;

import dev.imker.model.ImkerException;
import dev.imker.store.blobs.ObjectBlobs;
import dev.imker.store.postgres.PostgresStore;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Retries the start of a server while its database is away or cannot write, or its file store does
 * not answer, so that the order of starting machines after a power cut does not matter. Permanent
 * errors end it immediately.
 */
final class PatientStart {
  private static final Logger LOG = LoggerFactory.getLogger(PatientStart.class);
  private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long REPORT_NANOS = TimeUnit.SECONDS.toNanos(5);

  private PatientStart() {}

  static <T> T of(Supplier<T> start) {
    long nextReport = System.nanoTime();
    while (true) {
      try {
        return start.get();
      } catch (ImkerException e) {
        String missing = missing(e).orElseThrow(() -> e);
        if (Thread.currentThread().isInterrupted()) {
          throw e;
        }
        if (System.nanoTime() - nextReport >= 0) {
          LOG.warn("Waiting for {} before starting. {}", missing, e.getMessage());
          nextReport = System.nanoTime() + REPORT_NANOS;
        }
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** What may come back by itself; empty if waiting would not help. */
  private static Optional<String> missing(ImkerException failure) {
    if (PostgresStore.isAway(failure)) {
      return Optional.of("the database");
    }
    return ObjectBlobs.isAway(failure) ? Optional.of("the file store") : Optional.empty();
  }
}
