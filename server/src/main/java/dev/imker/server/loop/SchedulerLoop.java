package dev.imker.server.loop;

import dev.imker.core.message.SchedulerSettings;
import dev.imker.model.ImkerException;
import dev.imker.model.change.RecordChange;
import dev.imker.server.loop.follow.Follower;
import dev.imker.server.loop.follow.LiveSource;
import dev.imker.server.loop.pulse.LoopHealth;
import dev.imker.server.loop.pulse.LoopMeter;
import dev.imker.server.loop.pulse.LoopPulse;
import dev.imker.server.loop.pulse.Ticks;
import dev.imker.store.DeposedException;
import dev.imker.store.NonBlockingThread;
import dev.imker.store.PoolStore;
import dev.imker.store.StoreBrokenException;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that owns the live state: {@link LeaderTurns} while it leads. Turns grow with the
 * load: while one is written, the next fills up.
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
 * from what it knows of that. It changes its role between two turns. One that finds out that
 * another server has begun an epoch follows from then on.
 */
public final class SchedulerLoop implements LiveState, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SchedulerLoop.class);
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(Ticks.EVERY_MILLIS);
  private static final long PATIENCE_MILLIS = 30_000;

  private final PoolStore store;
  private final SchedulerSettings settings;
  private final AgentLines agents;
  private final LoopMeter meter;
  private final Clock clock;
  private final Inbox inbox;
  private final LeaderTurns turns;
  private final LoopPulse pulse = new LoopPulse();
  private final Thread thread;
  private volatile boolean wantsToLead;
  private volatile boolean leading;
  private volatile long epoch;
  private volatile RoleListener roles = RoleListener.NONE;
  private final FollowedPool followed;
  private PoolState pool;
  private volatile @Nullable PoolUnavailableException broken;

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
    inbox = new Inbox(shell.inboxCapacity());
    wantsToLead = leads;
    leading = leads;
    this.store = store;
    this.settings = settings;
    this.agents = agents;
    this.meter = meter;
    this.clock = clock;
    turns =
        new LeaderTurns(
            store,
            clock,
            shell,
            meter,
            pulse,
            inbox,
            agents,
            listener,
            new Recalls(store, shell.readers(), this::tell));
    followed = new FollowedPool(store, this::restore, shell::nanoTime);
    pool = leads ? restore(store.beginEpoch(), LiveSource.of(store), true) : followed.get();
    meter.watchInbox(inbox::size);
    Follower follower = followed.follower();
    if (follower != null) {
      meter.watchFollower(follower::behindTurns, follower::behindMillis);
    }
    thread = Thread.ofPlatform().name("imker-loop").unstarted(this::run);
  }

  /** How long silence of an agent lasts until its work counts as lost. */
  public long leaseMillis() {
    return settings.leaseMillis();
  }

  public void start() {
    followed.start(!leading);
    thread.start();
  }

  /** Up to where this server knows the pool that another one leads; from any thread. */
  public Optional<PoolStore.Position> position() {
    Follower follower = followed.follower();
    return follower == null ? Optional.empty() : follower.position();
  }

  /** For how long this server has not known what is on disk; 0 while it leads. */
  public long behindMillis() {
    Follower follower = followed.follower();
    return follower == null ? 0 : follower.behindMillis();
  }

  private PoolState restore(long fresh, LiveSource source, boolean leads) {
    long nowMillis = clock.millis();
    turns.begin(nowMillis);
    PoolState restored = PoolState.restore(settings, fresh, store, source, nowMillis);
    if (!leads) {
      restored.agents().show(store, nowMillis);
    }
    epoch = fresh;
    return restored;
  }

  /** What this server knows of a pool while another one leads; empty if none can. */
  public Optional<PoolStore.Followed> followed() {
    return Optional.ofNullable(followed.follower()).map(Follower::followed);
  }

  /** The state as the database has it at present, made as at a start; from any thread. */
  public PoolState readAfresh() {
    return PoolState.restore(settings, store.epoch(), store, LiveSource.of(store), clock.millis());
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
    return Math.max(epoch, position().map(PoolStore.Position::epoch).orElse(0L));
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

  /**
   * Writes something together with whatever is written next, at the latest with the next tick: not
   * worth a transaction of its own, and lost if the server is killed before.
   */
  public void recordSoon(RecordChange change) {
    turns.recordSoon(change);
  }

  /**
   * @param resuming makes of an order that was begun before the state was read from disk, by its
   *     key and text there, what brings it to its end
   */
  public void onBegunOrders(BiFunction<String, String, SteppedAnswer.Steps<?>> resuming) {
    turns.onBegunOrders(resuming);
  }

  /** Changes the live state in several turns; the answer comes when all of it is on disk. */
  public <T> CompletableFuture<T> changeInSteps(SteppedAnswer.Steps<T> steps) {
    SteppedAnswer<T> answer = new SteppedAnswer<>(steps, turns::goOnLater);
    tell(answer);
    return answer.future();
  }

  @Override
  public void tell(Command command) {
    if (stopped) {
      command.failed(new PoolUnavailableException("The server is stopping; try again later."));
    } else if (!inbox.put(command, PATIENCE_MILLIS)) {
      command.failed(new PoolUnavailableException("The server is overloaded; try again later."));
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
    followed.close();
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
    turns.failUnfinished(new PoolUnavailableException("The server is stopping; try again later."));
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

  private void fail(Throwable cause) {
    leading = false;
    wantsToLead = false;
    LOG.error("The scheduler failed; stopping this server", cause);
    PoolUnavailableException why =
        new PoolUnavailableException(
            "The server has failed and is stopping. Check whether this request was"
                + " carried out when it is running again.",
            cause);
    broken = why;
    stopped = true;
    try {
      turns.abandon(why);
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
      turns.keepProfiles(pool);
    } catch (ImkerException e) {
      LOG.warn("Could not save the latest node statistics: {}", e.getMessage());
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
      pool = pulse.waitFor(() -> followed.takeOver(store.beginEpoch()));
      followed.rest();
      broken = null;
      turns.forgetRecords();
      pulse.waitFor(
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
    LOG.info("This server is a standby");
    turns.failUnfinished(new NotLeadingException());
    leading = false;
    if (deposed) { // who only does as told may have been told to lead again by now
      wantsToLead = false;
    }
    broken = null;
    followed.follow();
    agents.hangUpAll("another server leads the pool now");
    roles.follows(deposed);
  }

  private void answerWaiting() {
    turns.forgetRecords();
    pulse.waitFor(
        () -> {
          followed.answer(inbox, clock, turns.out());
          return true;
        });
  }

  // ---------------------------------------------------------------- leading

  /** Returns whether there was anything to do. */
  private boolean takeTurn() {
    try {
      if (!turns.take(pool)) {
        return false;
      }
    } catch (RuntimeException e) {
      breakDown(e);
      return true;
    }
    turns.release(pool);
    return true;
  }

  // ---------------------------------------------------------------- when it cannot be written

  private void breakDown(RuntimeException cause) {
    if (cause instanceof StoreBrokenException) {
      throw cause; // nobody knows what is on disk; the next start finds out
    }
    if (cause instanceof DeposedException) {
      LOG.warn("{}", cause.getMessage());
      turns.abandon(new NotLeadingException());
      giveUp(true);
      return;
    }
    if (cause instanceof ImkerException) {
      LOG.error("Cannot write; reloading the state: {}", cause.getMessage());
    } else {
      LOG.error("A turn failed; reloading the state", cause);
    }
    meter.failure();
    broken =
        new PoolUnavailableException(
            "The server could not write to its database ("
                + cause.getMessage()
                + "). Nothing was changed; try again.",
            cause);
    turns.abandon(broken);
    agents.hangUpAll("the server could not write to its database");
  }

  /** Returns for how long to wait before it is tried again. */
  private long repair() {
    try {
      pool = pulse.waitFor(() -> restore(store.continueEpoch(), LiveSource.of(store), true));
      broken = null;
      LOG.info("The state was reloaded from disk; the server continues");
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
