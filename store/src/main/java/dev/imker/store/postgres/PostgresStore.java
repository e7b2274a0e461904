package dev.imker.store.postgres;

import dev.imker.store.StoreException;
import dev.imker.store.internal.rows.Dialect;
import dev.imker.store.sql.SqlStore;
import dev.imker.store.sqlite.SqliteSchema;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The pool's state in a PostgreSQL database, which several servers may have open. Only the one that
 * began the newest epoch can write; until it has begun one, a store is for reading, and for small
 * settings.
 */
public final class PostgresStore extends SqlStore {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final PostgresDatabase database;
  private final PostgresWriter writer;
  private final Duration patience;
  private long ownEpoch;

  private PostgresStore(PostgresDatabase database, Duration patience) {
    this(database, new PostgresWriter(database, patience), patience);
  }

  private PostgresStore(PostgresDatabase database, PostgresWriter writer, Duration patience) {
    super(writer, database, Dialect.POSTGRESQL);
    this.database = database;
    this.writer = writer;
    this.patience = patience;
  }

  /**
   * Opens a database and creates what is missing in it. {@code url} is of the form {@code
   * jdbc:postgresql://host:port/database?user=…&password=…}; several hosts with commas between them
   * are tried in turn for the one that can write.
   */
  public static PostgresStore open(String url) {
    return open(url, PATIENCE);
  }

  /** Opens with a different patience: how long to wait for a lost database. */
  static PostgresStore open(String url, Duration patience) {
    PostgresDatabase database = new PostgresDatabase(url);
    PostgresSchema.bringUpToDate(database);
    return new PostgresStore(database, patience);
  }

  /** The schema that this version of the software needs. */
  public static int schemaVersion() {
    return SqliteSchema.VERSION;
  }

  /** The schema that a database has, 0 for an empty one. */
  public static int foundSchema(String url) {
    return PostgresSchema.version(new PostgresDatabase(url));
  }

  /** Whether a failure is temporary because the database cannot be reached or cannot write. */
  public static boolean isAway(Throwable failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException error && PostgresDatabase.isAway(error)) {
        return true;
      }
    }
    return false;
  }

  /** The address without user and password. */
  public static String title(@Nullable String url) {
    return url == null ? "" : PostgresDatabase.withoutSecrets(url);
  }

  @Override
  public long beginEpoch() {
    ownEpoch = writer.beginEpoch(0);
    return ownEpoch;
  }

  @Override
  public long continueEpoch() {
    ownEpoch = writer.beginEpoch(ownEpoch);
    return ownEpoch;
  }

  @Override
  public long awaitEpoch() {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      try {
        return epoch();
      } catch (StoreException e) {
        if (!isAway(e) || Thread.currentThread().isInterrupted() || System.nanoTime() > deadline) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  @Override
  public Optional<Followed> follow() {
    return Optional.of(new ChangeFollower(database));
  }
}
