package dev.imker.server.loop.follow;

import dev.imker.model.ImkerException;
import dev.imker.store.PoolStore;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what a server knows of the pool up to date, turn by turn, while another one leads. While
 * this one leads it rests, and what it knew is forgotten.
 */
public final class Follower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Follower.class);

  /** Without being told of turns, it looks for them so often. */
  private static final long LOOK_MILLIS = 500;

  private final PoolStore.Followed followed;
  private final LongSupplier nanoTime;
  private final Thread thread = Thread.ofVirtual().name("imker-follow").unstarted(this::run);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition told = lock.newCondition();
  private boolean follows;
  private boolean failing;
  private volatile boolean closed;
  private volatile long behindTurns;
  private volatile long upToDateNanos;

  public Follower(PoolStore.Followed followed, LongSupplier nanoTime) {
    this.followed = followed;
    this.nanoTime = nanoTime;
    upToDateNanos = nanoTime.getAsLong();
  }

  public void start() {
    thread.start();
  }

  public PoolStore.Followed followed() {
    return followed;
  }

  /** Another server leads. */
  public void follow() {
    upToDateNanos = nanoTime.getAsLong();
    set(true);
  }

  /** This server leads. */
  public void rest() {
    set(false);
    followed.forget();
    behindTurns = 0;
  }

  private void set(boolean on) {
    lock.lock();
    try {
      follows = on;
      told.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private boolean follows() {
    lock.lock();
    try {
      return follows;
    } finally {
      lock.unlock();
    }
  }

  /** How many turns came at once when it last looked; 1 if it has heard of each. */
  public long behindTurns() {
    return behindTurns;
  }

  /** For how long it has not known what is on disk; 0 while this server leads. */
  public long behindMillis() {
    return follows()
        ? TimeUnit.NANOSECONDS.toMillis(Math.max(0, nanoTime.getAsLong() - upToDateNanos))
        : 0;
  }

  /** Up to where this server knows the pool that another one leads. */
  public Optional<PoolStore.Position> position() {
    return follows() ? followed.position() : Optional.empty();
  }

  private void run() {
    try {
      while (!closed) {
        awaitFollowing();
        look();
        followed.awaitTurn(LOOK_MILLIS);
      }
    } catch (InterruptedException e) {
      LOG.debug("The pool is no longer followed");
    }
  }

  private void awaitFollowing() throws InterruptedException {
    if (!follows()) {
      followed.awaitNone();
    }
    lock.lockInterruptibly();
    try {
      while (!follows) {
        told.await();
      }
    } finally {
      lock.unlock();
    }
  }

  private void look() {
    try {
      OptionalLong turns = followed.catchUp();
      if (turns.isPresent()) {
        behindTurns = turns.getAsLong();
        upToDateNanos = nanoTime.getAsLong();
      }
      failing = false;
    } catch (ImkerException e) {
      if (!failing && !closed) {
        LOG.warn("Cannot follow the pool at the moment: {}", e.getMessage());
      }
      failing = true;
    } catch (RuntimeException e) {
      if (!failing) {
        LOG.warn("Cannot follow the changes; reloading the state", e);
      }
      failing = true;
      followed.forget();
    }
    if (!follows()) { // it may have been told to rest meanwhile
      followed.forget();
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    followed.close();
  }
}
