package dev.imker.store.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rings the {@link TurnBell} of those who follow once a turn is written. It does so in transactions
 * of its own: PostgreSQL commits those that notify one after the other, whatever databases of a
 * server they are in, and turns would wait for each other's disk. These do not wait for a disk.
 * While nobody listens, it only looks now and then whether anybody has come.
 */
final class TurnRinger implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TurnRinger.class);
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** For this transaction alone, so that no other one of a pooled connection goes without disk. */
  static final String ANNOUNCE =
      "SELECT set_config('synchronous_commit', 'off', true), pg_notify('%s', '')"
          .formatted(ChangeLog.CHANNEL);

  private final PostgresDatabase database;
  private final Semaphore turns = new Semaphore(0);
  private final Thread thread = Thread.ofVirtual().name("imker-ringer").unstarted(this::run);
  private final AtomicLong announced = new AtomicLong();
  private final AtomicLong looked = new AtomicLong();
  private @Nullable Connection connection;
  private volatile boolean heard;
  private volatile long lookAgainNanos = System.nanoTime();

  TurnRinger(PostgresDatabase database) {
    this.database = database;
  }

  /** Rings soon, once for all turns until then; called by one thread. */
  void ring() {
    if (!heard && !isTimeToLook()) {
      return;
    }
    if (thread.getState() == Thread.State.NEW) {
      thread.start();
    }
    turns.release();
  }

  private boolean isTimeToLook() {
    return System.nanoTime() - lookAgainNanos >= 0;
  }

  /** Whether anybody listened when it was last looked. */
  boolean isHeard() {
    return heard;
  }

  /** How often it has rung. */
  long announced() {
    return announced.get();
  }

  /** How often it has looked whether anybody listens. */
  long looked() {
    return looked.get();
  }

  private void run() {
    try {
      while (true) {
        turns.acquire();
        turns.drainPermits();
        try {
          tell();
        } catch (SQLException | RuntimeException e) { // the next turn rings again
          LOG.debug("a turn is not announced: whoever follows looks now and then", e);
          hangUp();
        }
      }
    } catch (InterruptedException e) {
      hangUp();
    }
  }

  private void tell() throws SQLException {
    Connection open = connection;
    if (open == null) {
      open = database.openPlain();
      connection = open;
    }
    if (isTimeToLook()) {
      lookAgainNanos = System.nanoTime() + LOOK_NANOS;
      heard = TurnBell.isHeard(open);
      looked.incrementAndGet();
    }
    if (heard) {
      try (Statement statement = open.createStatement()) {
        statement.execute(ANNOUNCE);
      }
      announced.incrementAndGet();
    }
  }

  private void hangUp() {
    Connection open = connection;
    connection = null;
    PostgresDatabase.closeLost(open);
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
