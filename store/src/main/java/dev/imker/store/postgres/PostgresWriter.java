package dev.imker.store.postgres;

import static dev.imker.store.internal.rows.Bind.bind;

import dev.imker.model.change.Change;
import dev.imker.store.CommitUnsureException;
import dev.imker.store.DeposedException;
import dev.imker.store.NonBlockingThread;
import dev.imker.store.StoreException;
import dev.imker.store.internal.live.Touched;
import dev.imker.store.internal.rows.Dialect;
import dev.imker.store.internal.rows.Names;
import dev.imker.store.internal.rows.Rows;
import dev.imker.store.internal.rows.SqlWork;
import dev.imker.store.internal.write.ChangeWriter;
import dev.imker.store.sql.SqlStore;
import dev.imker.store.sql.Writer;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The single connection that writes to PostgreSQL. A lost connection is re-established and the
 * transaction repeated within the configured patience.
 *
 * <p>Every transaction begins by incrementing the turn in the single row of the pool, provided that
 * the epoch is still its own and the turn is the last known one. This has three effects. It fences:
 * a server whose successor has begun an epoch can never write again. It makes repeating safe: if
 * the answer to a commit was lost, the turn tells whether it happened. And because the row is
 * locked until the end, a commit in progress on the lost connection is completed before the turn is
 * read. The same statement records in the {@link ChangeLog} what the transaction touches.
 */
final class PostgresWriter implements Writer {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresWriter.class);
  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 500;
  private static final long NO_EPOCH = 0;
  private static final byte[] NOTHING = Touched.by(List.of()).bytes();
  private static final String CONFIRM =
      "UPDATE pool SET turn = turn WHERE epoch = :epoch AND turn = :turn AND incarnation ="
          + " :incarnation";
  private static final String STOP_OTHERS =
      """
      SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = :name AND datname = current_database() AND usename = current_user
        AND pid <> pg_backend_pid()
      """;

  private record Mark(long epoch, long turn, long incarnation) {}

  /** The result of a transaction whose commit was not answered. */
  private record Unsure<T>(T result) {}

  private final PostgresDatabase database;
  private final Duration patience;
  private final TurnRinger ringer;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Connection connection;
  private @Nullable ChangeWriter changeWriter;
  private long epoch = NO_EPOCH;
  private long incarnation;
  private long turn;
  private volatile boolean closed;

  PostgresWriter(PostgresDatabase database, Duration patience) {
    this.database = database;
    this.patience = patience;
    this.ringer = new TurnRinger(database);
  }

  @Override
  public void write(List<Change> changes) {
    transaction(
        "write changes",
        changes,
        c -> {
          if (epoch == NO_EPOCH) {
            throw new StoreException(
                "This server has not become the leader, so it must not write.");
          }
          writer().write(changes);
          return changes.size();
        });
  }

  @Override
  public <T> T transaction(String doing, List<Change> changes, SqlWork<T> work) {
    NonBlockingThread.check(doing);
    byte[] touched = Touched.by(changes).bytes();
    lock.lock();
    try {
      return persist(doing, touched, work);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Begins an epoch, whoever had the last one; from then on, nobody else can write.
   *
   * @param since if positive, only if no epoch was begun since this one
   */
  long beginEpoch(long since) {
    lock.lock();
    try {
      epoch = NO_EPOCH;
      SqlStore.Term begun =
          persist(
              "begin an epoch",
              NOTHING,
              c -> {
                stopOthers(c);
                Mark found = mark(c);
                if (since > 0 && found.epoch != since) {
                  throw new DeposedException(since, found.epoch);
                }
                Rows.update(c, "UPDATE pool SET turn = 0");
                SqlStore.Term next = SqlStore.nextTerm(c);
                ChangeLog.begin(c, next.epoch(), found.turn);
                return next;
              });
      epoch = begun.epoch();
      incarnation = begun.incarnation();
      turn = 0;
      return epoch;
    } finally {
      lock.unlock();
    }
  }

  /** They have lost their epoch anyway, but may hold locks while they hang. */
  private static void stopOthers(Connection c) throws SQLException {
    Rows.list(c, row -> row.getBoolean(1), STOP_OTHERS, bind("name", PostgresDatabase.WRITER_NAME));
    Rows.first(c, row -> row.getLong(1), "SELECT epoch FROM pool FOR UPDATE");
  }

  private <T> T persist(String doing, byte[] touched, SqlWork<T> work) {
    long deadline = System.nanoTime() + patience.toNanos();
    long pauseMillis = FIRST_PAUSE_MILLIS;
    @Nullable Unsure<T> unsure = null;
    while (true) {
      boolean fenced = false;
      try {
        Connection c = connection();
        fenced = fence(c, touched, unsure != null);
        if (!fenced) {
          confirm(c);
          turn++;
          ringer.ring();
          LOG.info("A commit that was not acknowledged is on disk");
          return Objects.requireNonNull(unsure).result;
        }
        T result = work.run(c);
        unsure = new Unsure<>(result);
        c.commit();
        turn += epoch == NO_EPOCH ? 0 : 1;
        ringer.ring();
        return result;
      } catch (SQLException e) {
        // Rejected when it was already clear that no earlier attempt succeeded: nothing happened.
        unsure = fenced && !database.isGone(e) ? null : unsure;
        hangUp();
        boolean over =
            closed || Thread.currentThread().isInterrupted() || System.nanoTime() > deadline;
        if (!database.isPassing(e) || over) {
          throw unsure != null ? unsure(doing, e) : database.explain(doing, e);
        }
        LOG.warn("The database is unreachable, trying again: {}", e.getMessage());
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauseMillis));
        pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
      } catch (RuntimeException e) {
        rollBack();
        throw e;
      }
    }
  }

  /** Increments the turn; false if exactly that happened before, in an unanswered commit. */
  private boolean fence(Connection c, byte[] touched, boolean unsure) throws SQLException {
    if (epoch == NO_EPOCH || ChangeLog.append(c, epoch, turn, incarnation, touched)) {
      return true;
    }
    Mark found = mark(c);
    if (found.epoch != epoch || found.incarnation != incarnation) {
      throw new DeposedException(epoch, found.epoch);
    }
    if (unsure && found.turn == turn + 1) {
      return false;
    }
    if (found.turn < turn) {
      throw wentBack(found.turn);
    }
    turn = found.turn;
    if (!ChangeLog.append(c, epoch, turn, incarnation, touched)) {
      throw new StoreException("Another server writes with the same epoch, " + epoch + ".");
    }
    return true;
  }

  /**
   * A commit that is visible after a crash of the database may not be on its replica yet. A later
   * commit that is answered is on the replica only together with it.
   */
  private void confirm(Connection c) throws SQLException {
    if (Rows.update(
            c,
            CONFIRM,
            bind("epoch", epoch),
            bind("turn", turn + 1),
            bind("incarnation", incarnation))
        != 1) {
      throw new StoreException("Another server writes with the same epoch, " + epoch + ".");
    }
    c.commit();
  }

  private StoreException wentBack(long found) {
    long lost = turn - found;
    turn = found;
    return new StoreException(
        "The database "
            + database.title()
            + " lacks the last "
            + lost
            + " commits that it had confirmed. Perhaps a replica that had not received them"
            + " was promoted. Use synchronous replication (synchronous_standby_names) to"
            + " prevent this.");
  }

  private static Mark mark(Connection c) throws SQLException {
    return Rows.first(
            c,
            row -> new Mark(row.getLong(1), row.getLong(2), row.getLong(3)),
            "SELECT epoch, turn, incarnation FROM pool")
        .orElseThrow();
  }

  private CommitUnsureException unsure(String doing, SQLException e) {
    return new CommitUnsureException(
        "The database "
            + database.title()
            + " was lost while it was to "
            + doing
            + " ("
            + e.getMessage()
            + "); whether that happened will be known when it is back.",
        e);
  }

  private Connection connection() throws SQLException {
    Connection open = connection;
    if (open == null) {
      if (closed) {
        throw new StoreException("The store is closed.");
      }
      open = database.openWriter();
      connection = open;
      changeWriter = new ChangeWriter(open, Dialect.POSTGRESQL, new Names(open));
    }
    return open;
  }

  private ChangeWriter writer() {
    if (changeWriter == null) {
      throw new IllegalStateException("no connection");
    }
    return changeWriter;
  }

  private void rollBack() {
    try {
      if (connection != null && changeWriter != null) {
        connection.rollback();
        changeWriter.discard();
      }
    } catch (SQLException e) {
      LOG.debug("rollback failed, reconnecting", e);
      hangUp();
    }
  }

  /** The next transaction uses a new connection. */
  private void hangUp() {
    Connection open = connection;
    connection = null;
    changeWriter = null;
    PostgresDatabase.closeLost(open);
  }

  @Override
  public void close() {
    closed = true;
    ringer.close();
    lock.lock();
    try {
      hangUp();
    } finally {
      lock.unlock();
    }
  }
}
