package dev.imker.server.loop;

import dev.imker.model.ImkerException;
import dev.imker.server.loop.follow.Follower;
import dev.imker.server.loop.follow.LiveSource;
import dev.imker.store.PoolStore;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of a pool that another server leads. With a follower, what is in memory goes on to what
 * is on disk before anybody is answered, so that everybody reads what was acknowledged to anybody.
 * Without, the pool is read again when somebody asks and it has become older than a second. Where
 * making a state takes longer than that, it is done at most half of the time: whoever asks in
 * between is sent away.
 */
final class FollowedPool implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FollowedPool.class);
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final PoolStore store;
  private final Restorer restorer;
  private final LongSupplier nanoTime;
  private final @Nullable Follower follower;
  private @Nullable PoolState pool;
  private Optional<PoolStore.Position> position = Optional.empty();
  private long begunNanos;
  private long tookNanos;

  /** Makes a state of an epoch. */
  @FunctionalInterface
  interface Restorer {
    /**
     * @param leads whether it is to go on from there, and not only to be looked at
     */
    PoolState restore(long epoch, LiveSource source, boolean leads);
  }

  FollowedPool(PoolStore store, Restorer restorer, LongSupplier nanoTime) {
    this.store = store;
    this.nanoTime = nanoTime;
    this.restorer = restorer;
    follower = store.follow().map(followed -> new Follower(followed, nanoTime)).orElse(null);
  }

  void start(boolean follows) {
    if (follower != null) {
      if (follows) {
        follower.follow();
      }
      follower.start();
    }
  }

  @Nullable Follower follower() {
    return follower;
  }

  /**
   * What is on disk now, or was within the last second.
   *
   * @throws PoolUnavailableException if it has just been read and that takes too long to do it
   *     again
   */
  PoolState get() {
    PoolState present = pool;
    long age = nanoTime.getAsLong() - begunNanos;
    if (follower != null) {
      if (follower.followed().catchUp().isEmpty()) {
        throw new PoolUnavailableException(
            "This server's view of the pool is outdated and will be refreshed soon. Ask"
                + " the leader, or try again.");
      }
      if (present != null && follower.followed().position().equals(position)) {
        return present;
      }
    } else if (present != null && age <= FRESH_NANOS) {
      return present;
    }
    if (present != null && tookNanos > FRESH_NANOS / 2 && age < 2 * tookNanos) {
      throw new PoolUnavailableException(
          "This server's view of the pool is %,d ms old. Ask the leader, or try again."
              .formatted(TimeUnit.NANOSECONDS.toMillis(age)));
    }
    begunNanos = nanoTime.getAsLong();
    Optional<PoolStore.Position> at =
        follower == null ? Optional.empty() : follower.followed().position();
    present =
        restorer.restore(
            store.epoch(),
            follower == null ? LiveSource.of(store) : LiveSource.of(follower.followed()),
            false);
    pool = present;
    position = at; // what came since is looked at the next time
    tookNanos = nanoTime.getAsLong() - begunNanos;
    return present;
  }

  /**
   * Ends following: the state at the begin of an epoch, from memory if that is certain to have all
   * turns before it, else from the database.
   */
  PoolState takeOver(long epoch) {
    if (follower == null || !follower.followed().catchUpWith(epoch)) {
      return restorer.restore(epoch, LiveSource.of(store), true);
    }
    PoolState taken;
    try {
      taken = restorer.restore(epoch, LiveSource.of(follower.followed()), true);
    } catch (RuntimeException e) {
      LOG.error("The pool is read from the database: what was followed makes no state", e);
      return restorer.restore(epoch, LiveSource.of(store), true);
    }
    assert checked(follower.followed().check().differences()) : "followed otherwise than restored";
    return taken;
  }

  private static boolean checked(List<String> differences) {
    differences.forEach(what -> LOG.error("Followed otherwise than restored: {}", what));
    return differences.isEmpty();
  }

  /**
   * Answers all questions that wait, and refuses all changes. Who asks while the pool is read is
   * answered the next time, since a reading of what was before may have taken long.
   */
  void answer(Inbox inbox, Clock clock, TurnOutbox out) {
    List<Command> questions = new ArrayList<>();
    for (int waiting = inbox.size(); waiting > 0; waiting--) {
      Command command = Objects.requireNonNull(inbox.poll());
      if (command.looksOnly()) {
        questions.add(command);
      } else {
        command.failed(new NotLeadingException());
      }
    }
    if (questions.isEmpty()) {
      return;
    }
    PoolState present;
    try {
      present = get();
    } catch (ImkerException e) {
      questions.forEach(question -> question.failed(e));
      return;
    }
    for (Command question : questions) {
      answer(question, present, clock, out);
    }
  }

  private static void answer(Command question, PoolState present, Clock clock, TurnOutbox out) {
    try {
      question.apply(present, clock.millis(), out);
      question.committed();
    } catch (RuntimeException e) {
      question.failed(e);
    } finally {
      out.clear();
    }
  }

  /** This server leads: nothing is followed any more. */
  void rest() {
    forget();
    if (follower != null) {
      follower.rest();
    }
  }

  /** Another server leads; the next one who asks gets what is on disk then. */
  void follow() {
    forget();
    if (follower != null) {
      follower.follow();
    }
  }

  private void forget() {
    pool = null;
    position = Optional.empty();
  }

  @Override
  public void close() {
    if (follower != null) {
      follower.close();
    }
  }
}
