package dev.imker.coord;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leadership by a lock and a lease row in the database that the pool has anyway.
 *
 * <p>Every candidate requests the same advisory lock over a dedicated connection. PostgreSQL queues
 * them, grants the lock to the first, and wakes exactly the next when the holder's connection ends,
 * which happens immediately when its process dies. To replace a leader that hangs with an open
 * connection, the holder renews a lease; once that has expired, one of the waiting candidates
 * terminates the holder's session. A token that is never reused identifies the owner of the lease,
 * who sets its length with each renewal ({@link LeaseLength}).
 *
 * <p>A candidate that waits for the lock hears nothing until its turn, and nothing either if a
 * firewall has dropped the connection. So every candidate checks the state of its waiting session
 * over another connection. If the session is gone, or holds the lock without the candidate learning
 * of it, the candidate queues again. A leader that has not reached the database for the length of a
 * lease no longer leads, whether or not there is another one.
 */
public final class PostgresLeadership implements Leadership {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresLeadership.class);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int CHECK_SECONDS = 3;
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(2L * CHECK_SECONDS);

  /** How often waiting candidates check per renewal of a lease. */
  private static final int LOOKS_PER_RENEWAL = 4;

  /** The notification of leadership may be in transit during one check, but not during several. */
  private static final int MAX_UNHEARD = 3;

  /** The minimum time allowed for an answer on a busy machine, however often it is checked. */
  private static final long MIN_UNHEARD_MILLIS = 3_000;

  /** The time for which a store waits for a lost database. */
  private static final long START_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

  private final DatabaseAccess database;
  private final String title;
  private final LeaseTimes times;
  private final BooleanSupplier able;
  private final ReentrantLock statements = new ReentrantLock();
  private volatile String token = UUID.randomUUID().toString();
  private volatile @Nullable Connection presence;
  private volatile int session;
  private volatile boolean waiting;
  private @Nullable Connection beat;
  private volatile boolean leading;
  private volatile boolean wanted;
  private volatile boolean closed;
  private @Nullable Thread queue;
  private @Nullable Thread pulse;

  /**
   * @param database of PostgreSQL
   * @param title describes this candidate to others: where it can be reached
   */
  public PostgresLeadership(DatabaseAccess database, String title, LeaseTimes times) {
    this(database, title, times, () -> true);
  }

  /**
   * @param able whether this one is currently a candidate; checked before it queues
   */
  public PostgresLeadership(
      DatabaseAccess database, String title, LeaseTimes times, BooleanSupplier able) {
    this.database = database;
    this.title = title;
    this.times = times;
    this.able = able;
  }

  /**
   * @throws CoordinationException if the database is unavailable for long
   */
  @Override
  public void start(Listener listener) {
    long deadline = System.nanoTime() + START_PATIENCE_NANOS;
    while (!enrolled(deadline)) {
      LockSupport.parkNanos(PAUSE_NANOS);
    }
    queue = Thread.ofPlatform().daemon().name("imker-leadership").start(() -> queue(listener));
    pulse = Thread.ofPlatform().daemon().name("imker-leader-pulse").start(this::pulse);
  }

  /** Joins the candidates; false if this has to be retried. */
  private boolean enrolled(long deadline) {
    try {
      return withBeat(
          c -> {
            LeadershipStatements.create(c);
            LeadershipStatements.wait(c, token, title, times.leaseMillis());
            return true;
          });
    } catch (SQLException e) {
      if (closed || System.nanoTime() > deadline) {
        throw new CoordinationException(
            "Cannot elect a leader in the database: " + e.getMessage(), e);
      }
      LOG.warn("Cannot elect a leader yet: {}", e.getMessage());
      return false;
    }
  }

  // ---------------------------------------------------------------- in the queue, and in the lead

  private void queue(Listener listener) {
    while (!closed) {
      if (!able.getAsBoolean()) {
        LockSupport.parkNanos(PAUSE_NANOS);
        continue;
      }
      try (Connection own = connectPresence()) {
        presence = own;
        if (closed) {
          return;
        }
        awaitTurn(own);
        withBeat(
            c -> {
              LeadershipStatements.take(c, token, title, times.leaseMillis());
              return true;
            });
        wanted = true;
        leading = true;
        listener.lead();
        String why = holdOn(own);
        leading = false;
        if (!closed) {
          listener.follow(why);
        }
      } catch (SQLException e) {
        if (!closed) {
          LOG.debug("leadership: {}", e.getMessage());
        }
      } finally {
        leading = false;
        leavePlace();
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** Blocks until it is this candidate's turn, however long that takes. */
  private void awaitTurn(Connection own) throws SQLException {
    session = LeadershipStatements.prepare(own);
    own.setNetworkTimeout(Runnable::run, 0);
    waiting = true;
    try {
      LeadershipStatements.awaitLock(own);
    } finally {
      waiting = false;
    }
    own.setNetworkTimeout(Runnable::run, Math.toIntExact(ANSWER_WITHIN.toMillis()));
  }

  /** Releases the lease or the place in the queue. */
  private void leavePlace() {
    String former = token;
    token = UUID.randomUUID().toString();
    boolean left = false;
    // The connection may have been lost unnoticed; the second one is new.
    for (int i = 0; i < 2 && !left; i++) {
      try {
        left =
            withBeat(
                c -> {
                  LeadershipStatements.giveBack(c, former);
                  return true;
                });
      } catch (SQLException e) {
        LOG.debug("leaving the queue: {}", e.getMessage());
      }
    }
  }

  /** Returns when this one no longer leads, with the reason. */
  private String holdOn(Connection first) {
    Connection own = first;
    LeaseLength length = new LeaseLength(times);
    Held held = new Held(System.nanoTime(), times.leaseMillis());
    try {
      while (!closed && wanted) {
        long dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(times.renewMillis());
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(times.renewMillis()));
        if (!wanted) {
          return "it gave up leadership";
        }
        if (!own.isValid(CHECK_SECONDS)) {
          Connection again = reconnect(own, held);
          if (again == null) {
            return held.isOver()
                ? "the database could not be reached for " + held.millis + " ms"
                : "the connection to the database was lost and another server leads";
          }
          own = again;
        }
        Held next = new Held(System.nanoTime(), length.millis());
        Optional<Boolean> renewed = renew(next.millis);
        if (renewed.isPresent() && !renewed.get()) {
          return "another server has taken the lease";
        }
        if (renewed.isPresent()) {
          held = next;
          length.renewed(Math.max(0, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - dueNanos)));
        } else if (held.isOver()) {
          return "its lease could not be renewed for " + held.millis + " ms";
        }
      }
      return closed ? "it stops" : "it gave up leadership";
    } catch (SQLException e) {
      return "the database failed: " + e.getMessage();
    } finally {
      closeQuietly(own);
    }
  }

  /**
   * After an outage of the database nobody holds the lock. The owner of an unexpired lease may take
   * it first, so that a short outage alone does not change the leader. Null if another candidate
   * was quicker, or the lease has expired.
   */
  private @Nullable Connection reconnect(Connection lost, Held held) {
    closeQuietly(lost);
    while (!closed && wanted && !held.isOver()) {
      try {
        Connection again = connectPresence();
        presence = again;
        session = LeadershipStatements.prepare(again);
        if (LeadershipStatements.tryLock(again)) {
          return again;
        }
        closeQuietly(again);
        return null;
      } catch (SQLException e) {
        LOG.warn("The leadership database is unreachable, trying again: {}", e.getMessage());
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
    return null;
  }

  /** The last renewal of a lease: when, and for how long. */
  private record Held(long sinceNanos, long millis) {
    boolean isOver() {
      return System.nanoTime() - sinceNanos > TimeUnit.MILLISECONDS.toNanos(millis);
    }
  }

  /** Empty if the database cannot be reached. */
  private Optional<Boolean> renew(long millis) {
    try {
      return Optional.of(withBeat(c -> LeadershipStatements.renew(c, token, millis)));
    } catch (SQLException e) {
      LOG.debug("renewing: {}", e.getMessage());
      return Optional.empty();
    }
  }

  // ---------------------------------------------------------------- watching the leader

  private void pulse() {
    int unheard = 0;
    long lookMillis = Math.max(1, times.renewMillis() / LOOKS_PER_RENEWAL);
    while (!closed) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(lookMillis));
      if (closed || leading || !able.getAsBoolean()) {
        unheard = 0;
        continue;
      }
      try {
        unheard = isWaiting() ? 0 : unheard + 1;
        if (unheard >= Math.max(MAX_UNHEARD, MIN_UNHEARD_MILLIS / lookMillis)) {
          queueAgain();
          unheard = 0;
        }
        boolean ended =
            withBeat(
                c -> {
                  LeadershipStatements.wait(c, token, title, times.leaseMillis());
                  return LeadershipStatements.endExpired(c, times.leaseMillis());
                });
        if (ended) {
          LOG.warn("The leader has been silent for the length of its lease; its lease is over");
        }
      } catch (SQLException e) {
        LOG.debug("watching the leader: {}", e.getMessage());
      }
    }
  }

  /** Whether this one is in the queue or about to join it. */
  private boolean isWaiting() throws SQLException {
    int own = session;
    return !waiting
        || withBeat(c -> LeadershipStatements.place(c, own)) == LeadershipStatements.Place.WAITS;
  }

  /** The waiting connection is dead: abandons it, and the next attempt to queue opens another. */
  private void queueAgain() throws SQLException {
    LOG.warn("The connection waiting for leadership is dead; queueing again");
    int own = session;
    withBeat(
        c -> {
          LeadershipStatements.end(c, own);
          return true;
        });
    abort(presence);
  }

  @Override
  public Optional<String> leader() {
    try {
      return withBeat(LeadershipStatements::leader);
    } catch (SQLException e) {
      return Optional.empty();
    }
  }

  @Override
  public List<String> successors() {
    try {
      return withBeat(LeadershipStatements::successors);
    } catch (SQLException e) {
      return List.of();
    }
  }

  @Override
  public void stepDown(String reason) {
    if (leading) {
      LOG.info("Giving up leadership: {}", reason);
      wanted = false;
      LockSupport.unpark(queue);
    }
  }

  @Override
  public void close() {
    closed = true;
    abort(presence);
    LockSupport.unpark(queue);
    LockSupport.unpark(pulse);
    join(queue);
    join(pulse);
    statements.lock();
    try {
      if (beat != null) {
        closeQuietly(beat);
      }
    } finally {
      statements.unlock();
    }
  }

  // ---------------------------------------------------------------- connections

  private interface Work<T> {
    T run(Connection connection) throws SQLException;
  }

  private Connection connectPresence() throws SQLException {
    return database.connect("imker candidate", ANSWER_WITHIN);
  }

  /** Small statements share a connection, which is reopened when it is broken. */
  private <T> T withBeat(Work<T> work) throws SQLException {
    statements.lock();
    try {
      Connection open = beat;
      if (open == null) {
        open = database.connect("imker leadership", ANSWER_WITHIN);
        beat = open;
      }
      boolean done = false;
      try {
        T result = work.run(open);
        done = true;
        return result;
      } finally {
        if (!done) {
          closeQuietly(open);
          beat = null;
        }
      }
    } finally {
      statements.unlock();
    }
  }

  private static void abort(@Nullable Connection connection) {
    if (connection != null) {
      try {
        connection.abort(Runnable::run);
      } catch (SQLException e) {
        LOG.debug("ending a connection", e);
      }
    }
  }

  private static void closeQuietly(Connection connection) {
    try {
      connection.close();
    } catch (SQLException e) {
      LOG.debug("closing a connection", e);
    }
  }

  private static void join(@Nullable Thread thread) {
    if (thread != null) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
