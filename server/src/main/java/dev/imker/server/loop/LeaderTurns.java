package dev.imker.server.loop;

import dev.imker.model.change.RecordChange;
import dev.imker.server.live.shared.SharedCalls;
import dev.imker.server.loop.pulse.Haste;
import dev.imker.server.loop.pulse.LoopMeter;
import dev.imker.server.loop.pulse.LoopPulse;
import dev.imker.server.loop.pulse.Standstill;
import dev.imker.server.loop.pulse.Ticks;
import dev.imker.store.DeposedException;
import dev.imker.store.PoolStore;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The turns of a leader, one after the other: take what is in the inbox, apply it, let the
 * scheduler hand out work, write all changes in one transaction, and only then release answers and
 * messages. Belongs to the loop's thread.
 */
final class LeaderTurns {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderTurns.class);
  private static final int MAX_PER_TURN = 1 << 13;
  private static final long REPORT_MILLIS = 1000;

  /** The ends of runs are heard of at once; this often it is made sure. */
  private static final long SHARED_MILLIS = 30_000;

  private static final long AHEAD_NANOS = TimeUnit.MICROSECONDS.toNanos(2_000);
  private static final int LITTLE_WORK = 4;

  /** A leader answers from its memory so long after it was certain to lead. */
  private static final long CERTAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final PoolStore store;
  private final Clock clock;
  private final LoopShell shell;
  private final LoopMeter meter;
  private final LoopPulse pulse;
  private final Inbox inbox;
  private final AgentLines agents;
  private final PoolListener listener;
  private final Turn turn;
  private final TurnOutbox out;
  private final Ticks ticks = new Ticks();
  private final Standstill standstill = new Standstill();
  private final Haste haste = new Haste();
  private final Queue<RecordChange> later = new ConcurrentLinkedQueue<>();

  /** Commands that need another turn; one of them goes on in each. */
  private final Deque<Command> unfinished = new ArrayDeque<>();

  private volatile @Nullable BiFunction<String, String, SteppedAnswer.Steps<?>> begunOrders;
  private long nextReportMillis;
  private long nextSharedMillis;
  private long startNanos;
  private long certainNanos;

  LeaderTurns(
      PoolStore store,
      Clock clock,
      LoopShell shell,
      LoopMeter meter,
      LoopPulse pulse,
      Inbox inbox,
      AgentLines agents,
      PoolListener listener,
      Recalls recalls) {
    this.store = store;
    this.clock = clock;
    this.shell = shell;
    this.meter = meter;
    this.pulse = pulse;
    this.inbox = inbox;
    this.agents = agents;
    this.listener = listener;
    turn = new Turn(recalls);
    out = turn.out();
  }

  /** The state was read at that moment: what was before is no standstill. */
  void begin(long nowMillis) {
    standstill.begin(nowMillis);
    nextSharedMillis = nowMillis;
    certainNanos = shell.nanoTime();
  }

  TurnOutbox out() {
    return out;
  }

  /** To be written with whatever is written next; from any thread. */
  void recordSoon(RecordChange change) {
    later.add(change);
  }

  void forgetRecords() {
    later.clear();
  }

  /** See {@link SchedulerLoop#onBegunOrders}; from any thread. */
  void onBegunOrders(BiFunction<String, String, SteppedAnswer.Steps<?>> resuming) {
    begunOrders = resuming;
  }

  /** The command goes on in a later turn. */
  void goOnLater(Command command) {
    unfinished.add(command);
  }

  /**
   * Takes one; returns whether there was anything to do.
   *
   * @throws RuntimeException if it was not written; then nobody was told anything of it
   */
  boolean take(PoolState pool) {
    startNanos = shell.nanoTime();
    noticeStandstill(pool);
    applyWaiting(pool);
    applyUnfinished(pool);
    boolean tick = tick(pool);
    if (turn.isEmpty()
        && !tick
        && pool.leftovers().isEmpty()
        && !pool.scheduler().hasUnfinished()) {
      return false;
    }
    pool.leftovers().deleteSome(out);
    pool.publish(out.touched(), clock.millis(), out);
    pool.scheduler().dispatch(clock.millis(), out);
    NoticeQueue.fill(out.settled(), pool, out);
    if (tick || !out.changes().isEmpty()) {
      addLater();
    }
    goAhead(pool);
    new SharedCalls(pool.shared(), out::change).departEnded(out.changes());
    commit(pool);
    return true;
  }

  /** What was taken is on disk: everybody is told. */
  void release(PoolState pool) {
    turn.release(pool, agents, listener);
    meter.turn(shell.nanoTime() - startNanos);
  }

  /** Writes the newest statistics of nodes. */
  void keepProfiles(PoolState pool) {
    pool.profiles().write(out);
    addLater();
    commit(pool);
  }

  /** Nothing of the present turn has happened, and commands that need more turns get none. */
  void abandon(RuntimeException why) {
    turn.abandon(why);
    failUnfinished(why);
    ticks.skip();
  }

  void failUnfinished(RuntimeException why) {
    for (Command next = unfinished.poll(); next != null; next = unfinished.poll()) {
      next.failed(why);
    }
  }

  /**
   * A single short task takes longer to be written down than to be done. If little work is to go
   * out and nothing else waits, it goes before anything of it is written, and what comes of it in
   * the next moment is written together with it: one wait for the disk instead of two. Nobody is
   * answered and nobody reads of it before. What is lost when the server dies in that moment was
   * never acknowledged, and leases of a former epoch count for nothing. A server that may have lost
   * its pool to another one writes first.
   */
  private void goAhead(PoolState pool) {
    if (!out.isOnlyLittleWork(LITTLE_WORK)
        || !inbox.isEmpty()
        || !store.hasOneWriter()
        || !haste.pays()) {
      return;
    }
    out.sendWork(pool, agents);
    awaitAhead();
    haste.came(!inbox.isEmpty());
    applyWaiting(pool);
    pool.publish(out.touched(), clock.millis(), out);
    pool.scheduler().dispatch(clock.millis(), out);
    NoticeQueue.fill(out.settled(), pool, out);
  }

  private void awaitAhead() {
    LoopShell.Waiting waiting = shell.waiting();
    if (waiting == null) {
      inbox.await(AHEAD_NANOS);
    } else {
      waiting.await(() -> !inbox.isEmpty(), AHEAD_NANOS);
    }
  }

  private void addLater() {
    for (RecordChange change = later.poll(); change != null; change = later.poll()) {
      out.change(change);
    }
  }

  private void applyWaiting(PoolState pool) {
    long nowMillis = clock.millis();
    for (int i = 0; i < MAX_PER_TURN; i++) {
      Command command = inbox.poll();
      if (command == null) {
        return;
      }
      ticks.taken();
      turn.apply(command, pool, nowMillis);
    }
  }

  private void noticeStandstill(PoolState pool) {
    long nowMillis = clock.millis();
    long millis = standstill.before(nowMillis);
    if (millis > 0) {
      LOG.warn(
          "The server was suspended for {} ms; extending the leases of agents by that time",
          millis);
      pool.scheduler().onStoodStill(nowMillis, millis);
      certainNanos = shell.nanoTime() - CERTAIN_NANOS - 1; // a machine that slept has no such time
    }
  }

  private void applyUnfinished(PoolState pool) {
    BiFunction<String, String, SteppedAnswer.Steps<?>> resuming = begunOrders;
    if (resuming != null) {
      pool.orders()
          .takeBegun(
              (key, text) ->
                  unfinished.add(new SteppedAnswer<>(resuming.apply(key, text), unfinished::add)));
    }
    Command next = unfinished.poll();
    if (next != null) {
      turn.apply(next, pool, clock.millis());
    }
  }

  /** Returns whether it was time for one. */
  private boolean tick(PoolState pool) {
    long nowMillis = clock.millis();
    OptionalLong due = ticks.due(nowMillis, inbox.size());
    if (due.isEmpty()) {
      return false;
    }
    pool.scheduler().onTick(due.getAsLong(), out);
    pool.profiles().writeDue(nowMillis, out);
    if (nowMillis >= nextSharedMillis) {
      nextSharedMillis = nowMillis + SHARED_MILLIS;
      new SharedCalls(pool.shared(), out::change).departGone();
    }
    if (nowMillis >= nextReportMillis) {
      nextReportMillis = nowMillis + REPORT_MILLIS;
      meter.pool(
          pool.scheduler().view().totals(), pool.jobCount(), pool.scheduler().view().agents());
    }
    return true;
  }

  private void commit(PoolState pool) {
    if (!out.changes().isEmpty()) {
      long start = shell.nanoTime();
      pulse.waitFor(
          () -> {
            store.commit(out.changes());
            return true;
          });
      meter.commit(shell.nanoTime() - start, out.changes().size(), out.assigned());
      certainNanos = start;
    } else if (!turn.isEmpty() && shell.nanoTime() - certainNanos > CERTAIN_NANOS) {
      confirmLeading(pool.epoch());
    }
  }

  /**
   * A turn that writes nothing is not fenced. Who stood still, or heard nothing of its database,
   * may have been replaced, and what it has in memory is what was true then.
   */
  private void confirmLeading(long epoch) {
    if (store.hasOneWriter()) {
      return;
    }
    long start = shell.nanoTime();
    long present = pulse.waitFor(store::awaitEpoch);
    if (present != epoch) {
      throw new DeposedException(epoch, present);
    }
    certainNanos = start;
  }
}
