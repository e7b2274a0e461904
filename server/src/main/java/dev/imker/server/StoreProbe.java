package dev.imker.server;

import dev.imker.store.PoolStore;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Probes the database from time to time, so that others need not. */
final class StoreProbe implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StoreProbe.class);
  private static final long EVERY_MILLIS = 1_000;

  /** A database under load may take a while. */
  private static final long PATIENCE_MILLIS = 4_000;

  private final PoolStore store;
  private final Thread thread = Thread.ofVirtual().name("imker-probe").unstarted(this::run);
  private volatile long answeredNanos = System.nanoTime();

  StoreProbe(PoolStore store) {
    this.store = store;
    thread.start();
  }

  private void run() {
    try {
      while (!Thread.currentThread().isInterrupted()) {
        ask();
        Thread.sleep(EVERY_MILLIS);
      }
    } catch (InterruptedException e) {
      LOG.debug("The database is no longer probed");
    }
  }

  private void ask() {
    try {
      store.epoch();
      answeredNanos = System.nanoTime();
    } catch (RuntimeException e) {
      LOG.debug("The database does not answer: {}", e.getMessage());
    }
  }

  /** How long it has not answered; 0 while it does. */
  long awayMillis() {
    long silent = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - answeredNanos);
    return silent > PATIENCE_MILLIS ? silent : 0;
  }

  @Override
  public void close() {
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
