package dev.imker.store.postgres;

import dev.imker.model.JobId;
import dev.imker.store.NonBlockingThread;
import dev.imker.store.PoolStore;
import dev.imker.store.RecoverySink;
import dev.imker.store.StoreException;
import dev.imker.store.internal.live.LiveImage;
import dev.imker.store.internal.rows.SqlWork;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The live state as written by another server: read once, and from then on only the rows named by
 * the {@link ChangeLog}. The log and the rows are read in one snapshot, so memory then equals the
 * database at one moment, whatever has been written since. If the log is not conclusive, everything
 * is read again.
 */
final class ChangeFollower implements PoolStore.Followed {
  private static final Logger LOG = LoggerFactory.getLogger(ChangeFollower.class);

  /** A take-over does not wait for a connection that a firewall has dropped. */
  private static final long PATIENCE_MILLIS = 1_000;

  /** Longer than reading the news takes, so that only a dead network exceeds it. */
  private static final int ANSWER_MILLIS = 5_000;

  /** The inverse of the maximum share of time spent on full reads. */
  private static final long REST = 3;

  /** While a server of an earlier version leads, nothing can be followed for long. */
  private static final long SILENCE_NANOS = TimeUnit.MINUTES.toNanos(1);

  /** The image and the bookmark belong together. */
  private record Known(LiveImage image, ChangeLog.Bookmark mark) {
    boolean isBeforeAnyLeader() {
      return mark.at().epoch() == 0;
    }
  }

  private final PostgresDatabase database;
  private final TurnBell bell;
  private final ReentrantLock lock = new ReentrantLock();
  private @Nullable Connection connection;
  private volatile @Nullable Known known;

  /** Unchanged while turns are applied. */
  private volatile PoolStore.@Nullable Position position;

  private long afreshAgainNanos = System.nanoTime();
  private @Nullable Long saidNanos;
  private volatile PoolStore.Ended ended = PoolStore.Ended.NONE;
  private volatile boolean closed;

  ChangeFollower(PostgresDatabase database) {
    this.database = database;
    this.bell = new TurnBell(database);
  }

  @Override
  public OptionalLong catchUp() {
    NonBlockingThread.check("read from the database");
    lock();
    try {
      return onConnection(this::step);
    } finally {
      lock.unlock();
    }
  }

  private void lock() {
    try {
      if (!lock.tryLock(ANSWER_MILLIS, TimeUnit.MILLISECONDS)) {
        throw new StoreException("The pool is being loaded. Ask the leader, or try again.");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("The server is stopping; try again later.", e);
    }
  }

  private OptionalLong step(Connection c) throws SQLException {
    Known present = known;
    if (present == null) {
      readAfresh(c);
      return OptionalLong.of(0);
    }
    ChangeLog.News news = ChangeLog.since(c, present.mark);
    if (news.doubt() == null) {
      apply(c, present.image, news);
      return OptionalLong.of(news.turns());
    }
    if (System.nanoTime() - afreshAgainNanos < 0) {
      return OptionalLong.empty();
    }
    if (!present.isBeforeAnyLeader()
        && (saidNanos == null || System.nanoTime() - saidNanos > SILENCE_NANOS)) {
      saidNanos = System.nanoTime();
      LOG.warn("Reloading the pool: {}", news.doubt());
    }
    known = null;
    readAfresh(c);
    return OptionalLong.of(0);
  }

  private void apply(Connection c, LiveImage image, ChangeLog.News news) throws SQLException {
    if (news.turns() == 0) {
      return;
    }
    known = null; // a partly applied image is useless
    image.refresh(c, news.touched());
    ended = ended.and(image.takeEnded());
    known = new Known(image, news.now());
    position = news.now().at();
  }

  private void readAfresh(Connection c) throws SQLException {
    long begun = System.nanoTime();
    c.setNetworkTimeout(Runnable::run, Math.toIntExact(PostgresDatabase.ANSWER_WITHIN.toMillis()));
    ChangeLog.Bookmark mark = ChangeLog.newest(c);
    LiveImage image = LiveImage.read(c);
    c.setNetworkTimeout(Runnable::run, ANSWER_MILLIS);
    known = new Known(image, mark);
    position = mark.at();
    long took = System.nanoTime() - begun;
    afreshAgainNanos = begun + Math.max(TimeUnit.SECONDS.toNanos(1), REST * took);
    LOG.debug("read the pool at turn {} in {} ms", mark.at(), took / 1_000_000);
  }

  @Override
  public boolean catchUpWith(long epoch) {
    boolean locked = false;
    try {
      locked = lock.tryLock(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
      Known present = known;
      if (!locked) {
        LOG.warn("The pool is read from the database: following it hangs");
        return false;
      }
      if (present == null) {
        LOG.info("The pool is read from the database: it was not followed yet"); // as at a start
        return false;
      }
      try (Connection c = database.openReader()) {
        return isUpTo(c, present, epoch);
      }
    } catch (SQLException | RuntimeException e) {
      LOG.warn("The pool is read from the database: following it failed: {}", e.getMessage());
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    } finally {
      if (locked) {
        lock.unlock();
      }
    }
  }

  private boolean isUpTo(Connection c, Known present, long epoch) throws SQLException {
    if (present.isBeforeAnyLeader()) {
      return false; // as little to read as there is to say
    }
    if (present.mark.mark().isEmpty()) {
      // As of a pool that was restored, moved here or led by an earlier version.
      LOG.info("The pool is read from the database: no log of what was written came with it");
      return false;
    }
    ChangeLog.News news = ChangeLog.since(c, present.mark);
    if (news.doubt() != null || news.now().at().epoch() != epoch) {
      LOG.warn(
          "The pool is read from the database: {}",
          news.doubt() != null ? news.doubt() : "the log is at turn " + news.now().at());
      return false;
    }
    apply(c, present.image, news);
    return true;
  }

  private <T> T onConnection(SqlWork<T> work) {
    boolean done = false;
    try {
      Connection open = connection;
      if (open == null) {
        if (closed) {
          throw new StoreException("The store is closed.");
        }
        open = database.openReader();
        open.setNetworkTimeout(Runnable::run, ANSWER_MILLIS);
        connection = open;
      }
      T result = work.run(open);
      open.rollback();
      done = true;
      return result;
    } catch (SQLException e) {
      throw database.explain("be read", e);
    } finally {
      if (!done || closed) {
        hangUp();
      }
    }
  }

  private void hangUp() {
    Connection open = connection;
    connection = null;
    PostgresDatabase.closeLost(open);
  }

  @Override
  public Optional<PoolStore.Position> position() {
    return Optional.ofNullable(position);
  }

  @Override
  public void load(RecoverySink recovery) {
    lock();
    try {
      image().tell(recovery);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean load(JobId job, RecoverySink recovery) {
    lock();
    try {
      return image().tell(job, recovery);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String taskLimits(JobId job) {
    lock();
    try {
      return image().limits(job);
    } finally {
      lock.unlock();
    }
  }

  private LiveImage image() {
    Known present = known;
    if (present == null) {
      throw new StoreException("The pool has not been loaded yet; try again.");
    }
    return present.image;
  }

  @Override
  public PoolStore.Checked check() {
    NonBlockingThread.check("read from the database");
    try (Connection c = database.openReader()) {
      LiveImage.Sums own;
      PoolStore.Position at;
      lock();
      try {
        at = goOn(c);
        own = image().sums();
      } finally {
        lock.unlock();
      }
      LiveImage fresh = LiveImage.read(c); // of the same snapshot, while following goes on
      List<String> subjects = own.differences(fresh.sums());
      return new PoolStore.Checked(
          at, fresh.jobCount(), fresh.taskCount(), subjects.isEmpty() ? subjects : inWords());
    } catch (SQLException e) {
      throw database.explain("be read", e);
    }
  }

  /** Moves to the snapshot of a connection. */
  private PoolStore.Position goOn(Connection c) throws SQLException {
    if (step(c).isEmpty()) {
      throw new StoreException("What is known of the pool is being read afresh; try again.");
    }
    return Objects.requireNonNull(known).mark.at();
  }

  /** Nobody may move on before everything has been compared. */
  private List<String> inWords() throws SQLException {
    lock();
    try (Connection c = database.openReader()) {
      var _ = goOn(c);
      List<String> differences = image().differences(LiveImage.read(c));
      return differences.isEmpty()
          ? List.of("What was known differed, and does no more: its rows were written again.")
          : differences;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public PoolStore.Ended ended() {
    return ended;
  }

  @Override
  public boolean awaitTurn(long millis) throws InterruptedException {
    return bell.await(millis);
  }

  @Override
  public void awaitNone() {
    bell.hangUp();
  }

  @Override
  public void forget() {
    known = null;
    position = null;
  }

  @Override
  public void close() {
    closed = true;
    forget();
    bell.close();
    if (lock.tryLock()) {
      try {
        hangUp();
      } finally {
        lock.unlock();
      }
    }
  }
}
