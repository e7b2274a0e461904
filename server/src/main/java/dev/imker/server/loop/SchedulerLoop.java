package dev.imker.server.loop;

import dev.imker.core.message.SchedulerSettings;
import dev.imker.model.ImkerException;
import dev.imker.model.change.RecordChange;
import dev.imker.server.loop.pulse.Haste;
import dev.imker.server.loop.pulse.LoopHealth;
import dev.imker.server.loop.pulse.LoopMeter;
import dev.imker.server.loop.pulse.LoopPulse;
import dev.imker.server.loop.pulse.Standstill;
import dev.imker.server.loop.pulse.Ticks;
import dev.imker.store.DeposedException;
import dev.imker.store.NonBlockingThread;
import dev.imker.store.PoolStore;
import dev.imker.store.StoreBrokenException;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that owns the live state. Each turn takes what is in the inbox, applies it, lets the
 * scheduler hand out work, writes all changes in one transaction, and only then releases answers
 * and messages. Turns grow with the load: while one is written, the next fills up.
 *
 * <p>If a turn cannot be written, nothing of it has happened: its answers fail, memory is thrown
 * away and built again from disk under a new epoch, and the agents are made to come back and say
 * what they hold, so that unconfirmed reports come again. Until that works, everything asked for is
 * refused.
 *
 * <p>The thread waits for nothing but its own writing: commands that need what is not in memory are
 * applied again when another thread has read it. Whatever goes wrong otherwise, such as after a
 * turn was written, ends the loop for good, since nobody knows what was told: it leads no longer,
 * and whoever listens to {@link #failed()} sees to it that the process ends.
 *
 * <p>A loop may also follow: another server leads the pool, and this one only answers questions,
 * from what it reads now and then. It changes its role between two turns. One that finds out that
 * another server has begun an epoch follows from then on.
 */
public final class SchedulerLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SchedulerLoop.class);
  private static final int MAX_PER_TURN = 1 << 13;
  private static final long REPORT_MILLIS = 1000;
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(Ticks.EVERY_MILLIS);
  private static final long PATIENCE_MILLIS = 30_000;
  private static final long AHEAD_NANOS = TimeUnit.MICROSECONDS.toNanos(2_000);
  private static final int LITTLE_WORK = 4;

  /** A leader answers from its memory so long after it was certain to lead. */
  private static final long CERTAIN_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final PoolStore store;
  private final SchedulerSettings settings;
  private final AgentLines agents;
  private final PoolListener listener;
  private final LoopMeter meter;
  private final Clock clock;
  private final LoopShell shell;
  private final Inbox inbox;
  private final Turn turn;
  private final TurnOutbox out;
  private final LoopPulse pulse = new LoopPulse();
  private final Ticks ticks = new Ticks();
  private final Standstill standstill = new Standstill();
  private final Queue<RecordChange> later = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  private volatile boolean wantsToLead;
  private volatile boolean leading;
  private volatile long epoch;
  private volatile RoleListener roles = RoleListener.NONE;
  private volatile @Nullable BiFunction<String, String, SteppedAnswer.Steps<?>> begunOrders;
  private final FollowedPool followed;
  private PoolState pool;
  private volatile @Nullable PoolUnavailableException broken;

  /** Commands that need another turn; one of them goes on in each. */
  private final Deque<Command> unfinished = new ArrayDeque<>();

  private final Haste haste = new Haste();

  private long nextReportMillis;
  private long certainNanos;
  private volatile boolean stopping;
  private volatile boolean stopped;

  private volatile @Nullable RuntimeException doom;
  private final CompletableFuture<Throwable> failed = new CompletableFuture<>();

  /** Leads at once: reads the state from disk; {@link #start()} begins to serve. */
  public SchedulerLoop(
      PoolStore store,
      SchedulerSettings settings,
      AgentLines agents,
      PoolListener listener,
      LoopMeter meter,
      Clock clock) {
    this(store, settings, agents, listener, meter, clock, true, LoopShell.ofMachine());
  }

  /**
   * @param leads whether it leads at once, or follows until {@link #lead()}
   * @param shell where it runs
   */
  public SchedulerLoop(
      PoolStore store,
      SchedulerSettings settings,
      AgentLines agents,
      PoolListener listener,
      LoopMeter meter,
      Clock clock,
      boolean leads,
      LoopShell shell) {
    this.shell = shell;
    inbox = new Inbox(shell.inboxCapacity());
    wantsToLead = leads;
    leading = leads;
    this.store = store;
    this.settings = settings;
    this.agents = agents;
    this.listener = listener;
    this.meter = meter;
    this.clock = clock;
    turn = new Turn(new Recalls(store, shell.readers(), this::tell));
    out = turn.out();
    followed = new FollowedPool(() -> restore(store.epoch()), shell::nanoTime);
    pool = leads ? restore(store.beginEpoch()) : followed.get();
    meter.watchInbox(inbox::size);
    thread = Thread.ofPlatform().name("imker-loop").unstarted(this::run);
  }

  /** How long silence of an agent lasts until its work counts as lost. */
  public long leaseMillis() {
    return settings.leaseMillis();
  }

  public void start() {
    thread.start();
  }

  private PoolState restore(long fresh) {
    long nowMillis = clock.millis();
    standstill.begin(nowMillis);
    certainNanos = shell.nanoTime();
    PoolState restored = PoolState.restore(settings, fresh, store, nowMillis);
    epoch = fresh;
    return restored;
  }

  public void onRole(RoleListener listener) {
    roles = listener;
  }

  /** Leads from the next turn on; from any thread. */
  public void lead() {
    wantsToLead = true;
    inbox.wake();
  }

  /** Follows from the next turn on; from any thread. */
  public void follow() {
    wantsToLead = false;
    inbox.wake();
  }

  public boolean isLeading() {
    return leading;
  }

  /** Of the state that this loop has in memory; it grows with every leader. */
  public long epoch() {
    return epoch;
  }

  /** Completed with what ended the loop for good; never, if it only stops. */
  public CompletableFuture<Throwable> failed() {
    return failed;
  }

  /** Whether it does its work, as far as can be said without waiting for it; from any thread. */
  public LoopHealth health() {
    if (failed.isDone()) {
      return LoopHealth.failed(String.valueOf(failed.join()));
    }
    PoolUnavailableException unwritten = broken;
    return new LoopHealth(
        leading,
        pulse.busyMillis(),
        pulse.waitingMillis(),
        unwritten == null ? "" : String.valueOf(unwritten.getMessage()),
        "");
  }

  // ---------------------------------------------------------------- from other threads

  /** Asks about the live state. The answer comes when all it may rest on is on disk. */
  public <T> CompletableFuture<T> ask(Function<PoolState, T> question) {
    return askAt((state, nowMillis) -> question.apply(state));
  }

  /** The same for a question that needs to know the loop's time. */
  public <T> CompletableFuture<T> askAt(TimedQuestion<T> question) {
    return send(PendingAnswer.to(question));
  }

  /** Asks about the live state as it is at a moment. */
  @FunctionalInterface
  public interface TimedQuestion<T> {
    T answer(PoolState pool, long nowMillis);
  }

  /** Writes what the live state does not know of; the answer comes when it is on disk. */
  public CompletableFuture<Boolean> record(List<? extends RecordChange> changes) {
    return change(
        (state, nowMillis, outbox) -> {
          for (RecordChange change : changes) {
            state.applyAccount(change);
            outbox.change(change);
          }
          return true;
        });
  }

  /**
   * Writes something together with whatever is written next, at the latest with the next tick: not
   * worth a transaction of its own, and lost if the server is killed before.
   */
  public void recordSoon(RecordChange change) {
    later.add(change);
  }

  /**
   * @param resuming makes of an order that was begun before the state was read from disk, by its
   *     key and text there, what brings it to its end
   */
  public void onBegunOrders(BiFunction<String, String, SteppedAnswer.Steps<?>> resuming) {
    begunOrders = resuming;
  }

  /** Changes the live state in several turns; the answer comes when all of it is on disk. */
  public <T> CompletableFuture<T> changeInSteps(SteppedAnswer.Steps<T> steps) {
    SteppedAnswer<T> answer = new SteppedAnswer<>(steps, unfinished::add);
    tell(answer);
    return answer.future();
  }

  /** Changes the live state; the answer comes when the change is on disk. */
  public <T> CompletableFuture<T> change(PendingAnswer.Work<T> work) {
    return send(new PendingAnswer<>(work, false));
  }

  private <T> CompletableFuture<T> send(PendingAnswer<T> answer) {
    tell(answer);
    return answer.future();
  }

  /** Puts a command into the inbox; waits while that is full, so never call it on an event loop. */
  public void tell(Command command) {
    if (stopped) {
      command.failed(new PoolUnavailableException("The server is stopping; try again later."));
    } else if (!inbox.put(command, PATIENCE_MILLIS)) {
      command.failed(
          new PoolUnavailableException("The server has too much to do; try again later."));
    } else if (stopped) {
      refuseWaiting();
    }
  }

  @Override
  public void close() {
    stopping = true;
    inbox.wake();
    try {
      thread.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // ---------------------------------------------------------------- the loop's thread

  private void run() {
    NonBlockingThread.begin();
    while (!stopped && (!stopping || !inbox.isEmpty())) {
      pulse.beat();
      await(step());
    }
    if (!stopped) {
      orFail(this::windUp);
      pulse.idle();
    }
  }

  /**
   * Does what is to be done next, at most one turn, without waiting for commands. Who has not
   * called {@link #start()} calls this instead, on one thread. Whatever it throws ends the loop.
   *
   * @return for how many nanoseconds it has nothing to do unless commands come
   */
  public long step() {
    return orFail(this::goOn);
  }

  @SuppressWarnings("CatchingUnchecked") // whatever it is, nobody else would ever hear of it
  private long orFail(LongSupplier work) {
    try {
      return work.getAsLong();
    } catch (Throwable e) {
      fail(e);
      return 0;
    }
  }

  /** Something without which no work comes to its end is broken: ends the loop as if it were. */
  public void endBy(RuntimeException cause) {
    doom = cause;
    inbox.wake();
  }

  private long goOn() {
    RuntimeException end = doom;
    if (end != null) {
      throw end;
    }
    long pauseNanos = leading == wantsToLead ? 0 : changeRole();
    if (pauseNanos > 0) {
      return pauseNanos;
    }
    if (broken != null) {
      refuseWaiting();
      return repair();
    }
    if (!leading) {
      answerWaiting();
      return TICK_NANOS;
    }
    return takeTurn() ? 0 : TICK_NANOS;
  }

  private long windUp() {
    stopped = true;
    refuseWaiting();
    failUnfinished(new PoolUnavailableException("The server is stopping; try again later."));
    keepProfiles();
    return 0;
  }

  /** Whether commands wait. */
  public boolean hasWork() {
    return !inbox.isEmpty();
  }

  /** Waits for commands. */
  private void await(long nanos) {
    if (nanos > 0) {
      pulse.idle();
      inbox.await(nanos);
      pulse.beat();
    }
  }

  /** Reads or writes: the only things that this thread waits for. */
  private <T> T inStore(Supplier<T> work) {
    pulse.waits(true);
    try {
      return NonBlockingThread.waiting(work);
    } finally {
      pulse.waits(false);
    }
  }

  private void fail(Throwable cause) {
    leading = false;
    wantsToLead = false;
    LOG.error("The scheduler failed, so this server stops", cause);
    PoolUnavailableException why =
        new PoolUnavailableException(
            "The server has failed and stops. Whether this happened shows when it runs again.",
            cause);
    broken = why;
    stopped = true;
    try {
      turn.abandon(why);
      failUnfinished(why);
      refuseWaiting();
      agents.hangUpAll("the server has failed");
    } finally {
      failed.complete(cause);
    }
  }

  private void keepProfiles() {
    if (broken != null || !leading) {
      return;
    }
    try {
      pool.profiles().write(out);
      addLater();
      commit();
    } catch (ImkerException e) {
      LOG.warn("The newest statistics of nodes are not kept: {}", e.getMessage());
    }
  }

  // ---------------------------------------------------------------- following

  /** Returns for how long to wait before it is tried again. */
  private long changeRole() {
    if (leading) {
      giveUp(false);
      return 0;
    }
    try {
      pool = inStore(() -> restore(store.beginEpoch()));
      followed.forget();
      broken = null;
      later.clear();
      inStore(
          () -> {
            roles.leads();
            return true;
          });
      leading = true;
      LOG.info("This server leads the pool, epoch {}", pool.epoch());
      return 0;
    } catch (RuntimeException e) {
      LOG.warn("This server cannot lead yet: {}", e.getMessage());
      refuseWaiting();
      return RETRY_NANOS;
    }
  }

  private void giveUp(boolean deposed) {
    LOG.info("This server follows another one");
    failUnfinished(new NotLeadingException());
    leading = false;
    if (deposed) { // who only does as told may have been told to lead again by now
      wantsToLead = false;
    }
    broken = null;
    followed.forget();
    agents.hangUpAll("another server leads the pool now");
    roles.follows(deposed);
  }

  private void answerWaiting() {
    later.clear();
    inStore(
        () -> {
          followed.answer(inbox, clock, out);
          return true;
        });
  }

  // ---------------------------------------------------------------- leading

  /** Returns whether there was anything to do. */
  private boolean takeTurn() {
    long start = shell.nanoTime();
    try {
      noticeStandstill();
      applyWaiting();
      applyUnfinished();
      boolean tick = tick();
      if (turn.isEmpty() && !tick && pool.leftovers().isEmpty()) {
        return false;
      }
      pool.leftovers().deleteSome(out);
      pool.scheduler().dispatch(clock.millis(), out);
      NoticeQueue.fill(out.settled(), pool, out);
      if (tick || !out.changes().isEmpty()) {
        addLater();
      }
      goAhead();
      commit();
    } catch (RuntimeException e) {
      breakDown(e);
      return true;
    }
    turn.release(pool, agents, listener);
    meter.turn(shell.nanoTime() - start);
    return true;
  }

  /**
   * A single short task takes longer to be written down than to be done. If little work is to go
   * out and nothing else waits, it goes before anything of it is written, and what comes of it in
   * the next moment is written together with it: one wait for the disk instead of two. Nobody is
   * answered and nobody reads of it before. What is lost when the server dies in that moment was
   * never acknowledged, and leases of a former epoch count for nothing. A server that may have lost
   * its pool to another one writes first.
   */
  private void goAhead() {
    if (!out.isOnlyLittleWork(LITTLE_WORK)
        || !inbox.isEmpty()
        || !store.hasOneWriter()
        || !haste.pays()) {
      return;
    }
    out.sendWork(pool, agents);
    awaitAhead();
    haste.came(!inbox.isEmpty());
    applyWaiting();
    pool.scheduler().dispatch(clock.millis(), out);
    NoticeQueue.fill(out.settled(), pool, out);
  }

  private void awaitAhead() {
    LoopShell.Waiting waiting = shell.waiting();
    if (waiting == null) {
      inbox.await(AHEAD_NANOS);
    } else {
      waiting.await(this::hasWork, AHEAD_NANOS);
    }
  }

  private void addLater() {
    for (RecordChange change = later.poll(); change != null; change = later.poll()) {
      out.change(change);
    }
  }

  private void applyWaiting() {
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

  private void noticeStandstill() {
    long nowMillis = clock.millis();
    long millis = standstill.before(nowMillis);
    if (millis > 0) {
      LOG.warn("The server stood still for {} ms; agents get this time to be heard", millis);
      pool.scheduler().onStoodStill(nowMillis, millis);
      certainNanos = shell.nanoTime() - CERTAIN_NANOS - 1; // a machine that slept has no such time
    }
  }

  private void applyUnfinished() {
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
  private boolean tick() {
    long nowMillis = clock.millis();
    OptionalLong due = ticks.due(nowMillis, inbox.size());
    if (due.isEmpty()) {
      return false;
    }
    pool.scheduler().onTick(due.getAsLong(), out);
    pool.profiles().writeDue(nowMillis, out);
    if (nowMillis >= nextReportMillis) {
      nextReportMillis = nowMillis + REPORT_MILLIS;
      meter.pool(
          pool.scheduler().view().totals(), pool.jobCount(), pool.scheduler().view().agents());
    }
    return true;
  }

  private void commit() {
    if (!out.changes().isEmpty()) {
      long start = shell.nanoTime();
      inStore(
          () -> {
            store.commit(out.changes());
            return true;
          });
      meter.commit(shell.nanoTime() - start, out.changes().size(), out.assigned());
      certainNanos = start;
    } else if (!turn.isEmpty() && shell.nanoTime() - certainNanos > CERTAIN_NANOS) {
      confirmLeading();
    }
  }

  /**
   * A turn that writes nothing is not fenced. Who stood still, or heard nothing of its database,
   * may have been replaced, and what it has in memory is what was true then.
   */
  private void confirmLeading() {
    if (store.hasOneWriter()) {
      return;
    }
    long start = shell.nanoTime();
    long present = inStore(store::epoch);
    if (present != epoch) {
      throw new DeposedException(epoch, present);
    }
    certainNanos = start;
  }

  // ---------------------------------------------------------------- when it cannot be written

  private void breakDown(RuntimeException cause) {
    if (cause instanceof StoreBrokenException) {
      throw cause; // nobody knows what is on disk; the next start finds out
    }
    if (cause instanceof DeposedException) {
      LOG.warn("{}", cause.getMessage());
      abandonTurn(new NotLeadingException());
      giveUp(true);
      return;
    }
    if (cause instanceof ImkerException) {
      LOG.error("Nothing can be written, so all is read again: {}", cause.getMessage());
    } else {
      LOG.error("A turn failed, so all is read again", cause);
    }
    meter.failure();
    broken =
        new PoolUnavailableException(
            "The server cannot write to its data folder ("
                + cause.getMessage()
                + "). Nothing was changed; try again when the server's disk works again.",
            cause);
    abandonTurn(broken);
    agents.hangUpAll("the server cannot write to its disk");
  }

  private void abandonTurn(RuntimeException why) {
    turn.abandon(why);
    failUnfinished(why);
    ticks.skip();
  }

  private void failUnfinished(RuntimeException why) {
    for (Command next = unfinished.poll(); next != null; next = unfinished.poll()) {
      next.failed(why);
    }
  }

  /** Returns for how long to wait before it is tried again. */
  private long repair() {
    try {
      pool = inStore(() -> restore(store.continueEpoch()));
      broken = null;
      LOG.info("The state was read again from disk; the server goes on");
      return 0;
    } catch (DeposedException e) {
      giveUp(true);
      return 0;
    } catch (StoreBrokenException e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.warn("Still broken: {}", e.getMessage());
      return RETRY_NANOS;
    }
  }

  private synchronized void refuseWaiting() {
    PoolUnavailableException why =
        broken != null
            ? broken
            : new PoolUnavailableException("The server is stopping; try again later.");
    for (Command command = inbox.poll(); command != null; command = inbox.poll()) {
      command.failed(why);
    }
  }
}
