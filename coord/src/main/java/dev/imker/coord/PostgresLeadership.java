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
 * <p>Every candidate asks for the same advisory lock, over a connection that it keeps for nothing
 * else. PostgreSQL queues them, gives the lock to the first, and when that one's connection ends,
 * as it does at once when its process dies, wakes exactly the next. Against a leader whose
 * connection stays open although it does nothing, the holder renews a lease; once that has expired,
 * one of the waiting ends the holder's session. A token that is never used again says whose the
 * lease is; how long it lasts, its holder says with each renewal ({@link LeaseLength}).
 *
 * <p>Whoever waits for the lock hears nothing until it is its turn, and nothing either if a
 * firewall has forgotten the connection. So every candidate asks over another connection how its
 * waiting session is doing. If that is gone, or has the lock and the word of it does not arrive, it
 * queues again. A leader that has not reached the database for as long as a lease lasts does not
 * lead any more, whether or not there is another one.
 */
public final class PostgresLeadership implements Leadership {
  private static final Logger LOG = LoggerFactory.getLogger(PostgresLeadership.class);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final int CHECK_SECONDS = 3;
  private static final Duration ANSWER_WITHIN = Duration.ofSeconds(2L * CHECK_SECONDS);

  /** So often those who wait look while a leader renews its lease once. */
  private static final int LOOKS_PER_RENEWAL = 4;

  /** The word that it leads may be on its way at one look, and not at several. */
  private static final int MAX_UNHEARD = 3;

  /** However often it is looked: an answer may take so long on a busy machine. */
  private static final long MIN_UNHEARD_MILLIS = 3_000;

  /** As long as a store waits for a lost database. */
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
   * @param title what others are to know of this candidate: where it can be reached
   */
  public PostgresLeadership(DatabaseAccess database, String title, LeaseTimes times) {
    this(database, title, times, () -> true);
  }

  /**
   * @param able whether this one is a candidate at present; asked before it queues
   */
  public PostgresLeadership(
      DatabaseAccess database, String title, LeaseTimes times, BooleanSupplier able) {
    this.database = database;
    this.title = title;
    this.times = times;
    this.able = able;
  }

  /**
   * @throws CoordinationException if the database stays away for long
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

  /** Takes a place among the candidates; false if that is to be tried again. */
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

  /** The answer comes when it is this one's turn, however long that takes. */
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

  /** Gives back the lease or the place in the queue; the next time is the end of it. */
  private void leavePlace() {
    String former = token;
    token = UUID.randomUUID().toString();
    boolean left = false;
    // The connection may have been lost without anybody's notice; the second one is new.
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

  /** Returns when this one does not lead any more, and why. */
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
   * After an outage of the database nobody has the lock. Whoever still has the lease may take it
   * first, so that a short outage alone changes no leader. Null if another candidate was quicker,
   * or the lease is over.
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

  /** A lease as it was last renewed: when, and for how long. */
  private record Held(long sinceNanos, long millis) {
    boolean isOver() {
      return System.nanoTime() - sinceNanos > TimeUnit.MILLISECONDS.toNanos(millis);
    }
  }

  /** Empty if the database cannot be asked. */
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

  /** Whether this one has a place in the queue, or is about to take one. */
  private boolean isWaiting() throws SQLException {
    int own = session;
    return !waiting
        || withBeat(c -> LeadershipStatements.place(c, own)) == LeadershipStatements.Place.WAITS;
  }

  /** Nothing comes over the connection that waits: leaves it, and whoever queues makes another. */
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

  /** Small statements share a connection, which is made again when it broke. */
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
