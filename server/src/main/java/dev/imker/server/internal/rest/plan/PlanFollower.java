package dev.imker.server.internal.rest.plan;

import dev.imker.model.ImkerException;
import dev.imker.model.JobId;
import dev.imker.store.JobRecord;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Goes on with plans whose jobs have settled. It is told of those; each is continued in its user's
 * turn, so that the hard problem of one user delays no other's. What the pool or the disk keeps
 * from being done is tried again.
 */
final class PlanFollower implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PlanFollower.class);
  private static final long AGAIN_MILLIS = 2_000;

  private final PlanRounds rounds;
  private final Replanning replanning;
  private final ReentrantLock submitting;
  private final UserTurns turns = UserTurns.ofThisMachine();

  /** Names of rounds that are under way, by their jobs. */
  private final Map<JobId, String> open = new ConcurrentHashMap<>();

  /** Rounds that wait for their users' turns, or are being continued. */
  private final Set<String> inHand = ConcurrentHashMap.newKeySet();

  /** Told already. */
  private final Set<String> unreadable = ConcurrentHashMap.newKeySet();

  private final ScheduledExecutorService looks =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("imker-plans").factory());

  /**
   * @param submitting held while a round has no job yet
   */
  PlanFollower(PlanRounds rounds, Replanning replanning, ReentrantLock submitting) {
    this.rounds = rounds;
    this.replanning = replanning;
    this.submitting = submitting;
  }

  void start() {
    soon(this::recall, 0);
  }

  /** Jobs have settled; on the loop's thread, so nothing is read here. */
  void settled(Collection<JobId> jobs) {
    if (!open.isEmpty()) {
      jobs.stream().map(open::get).filter(Objects::nonNull).forEach(this::follow);
    }
  }

  /** A round whose job was submitted, and may have settled by now. */
  void follow(String name) {
    soon(() -> look(name), 0);
  }

  private interface Errand {
    void run() throws IOException, InterruptedException;
  }

  /** Does something that is tried again as long as the pool is in trouble. */
  private void soon(Errand errand, long millis) {
    try {
      var _ = looks.schedule(() -> attempt(errand), millis, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("Plans are no longer followed");
    }
  }

  private void attempt(Errand errand) {
    try {
      errand.run();
    } catch (ImkerException | IOException e) {
      if (!looks.isShutdown()) {
        LOG.warn("Plans are waiting: {}", e.getMessage());
        soon(errand, AGAIN_MILLIS);
      }
    } catch (RuntimeException e) {
      LOG.error("Plans wait", e);
      soon(errand, AGAIN_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Finds the rounds that others have begun, and forgets those of jobs that are gone. */
  private void recall() throws IOException, InterruptedException {
    submitting.lock();
    try {
      for (Map.Entry<String, PlanRound> entry : rounds.all().entrySet()) {
        if (rounds.job(entry.getKey()).isEmpty()) {
          rounds.write(entry.getKey(), Optional.empty());
        } else if (entry.getValue().state() == PlanRound.State.RUNNING) {
          follow(entry.getKey());
        }
      }
    } finally {
      submitting.unlock();
    }
  }

  /** Has a round continued if its job has settled; waits for that otherwise. */
  private void look(String name) throws IOException, InterruptedException {
    Optional<JobRecord> job = rounds.job(name);
    Optional<PlanRound> round = rounds.find(name);
    if (job.isEmpty() || round.isEmpty()) {
      rounds.write(name, Optional.empty());
      return;
    }
    JobId id = job.get().id();
    if (round.get().state() != PlanRound.State.RUNNING) {
      open.remove(id);
      return;
    }
    open.put(id, name); // before it is asked once more: what settles after that is heard of
    if (rounds.job(name).map(JobRecord::isSettled).orElse(true) && inHand.add(name)) {
      turns.add(
          round.get().user(),
          () -> {
            boolean done = false;
            try {
              done = tryToGoOn(name);
            } finally {
              inHand.remove(name);
              soon(() -> look(name), done ? 0 : AGAIN_MILLIS);
            }
          });
    }
  }

  /** False if it is to be tried again later. */
  private boolean tryToGoOn(String name) {
    try {
      goOn(name);
      unreadable.remove(name);
      return true;
    } catch (IOException e) {
      if (unreadable.add(name)) {
        LOG.warn("Cannot read the files of plan {}; trying again", name, e);
      }
    } catch (ImkerException e) {
      if (!looks.isShutdown()) {
        LOG.warn("A plan is waiting: {}", e.getMessage());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      LOG.error("Plan {} is waiting", name, e);
    }
    return false;
  }

  /** A plan that cannot be followed is given up. */
  private void goOn(String name) throws IOException, InterruptedException {
    Optional<JobRecord> job = rounds.job(name);
    Optional<PlanRound> round = rounds.find(name);
    if (job.isEmpty()
        || round.isEmpty()
        || round.get().state() != PlanRound.State.RUNNING
        || !job.get().isSettled()) {
      return;
    }
    try {
      replanning.settle(name, job.get(), round.get());
    } catch (ImkerException e) {
      throw e; // the pool's trouble, not the plan's
    } catch (RuntimeException e) {
      LOG.error("Cannot follow plan {}", name, e);
      String why = "The server cannot follow this plan; see its log for the reason.";
      rounds.write(name, Optional.of(round.get().ended(PlanRound.State.GIVEN_UP, why)));
    }
  }

  @Override
  public void close() {
    looks.shutdownNow();
    turns.close();
  }
}
