package dev.imker.server.internal.rest.plan;

import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobSpec;
import dev.imker.model.validation.JobNames;
import dev.imker.planner.PlannedAction;
import dev.imker.planner.pddl.Atom;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Json;
import dev.imker.server.internal.auth.Accounts;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.internal.rest.changes.Changes;
import dev.imker.server.internal.rest.jobs.JobIntake;
import dev.imker.server.loop.PoolUnavailableException;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.server.plan.PlanMemory;
import dev.imker.server.plan.PlanOrder;
import dev.imker.server.plan.PlannedStages;
import dev.imker.store.JobRecord;
import dev.imker.store.PoolStore;
import dev.imker.store.blobs.BlobStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Carries out plans as jobs. When a job has ended because an action failed for good, what holds by
 * then is worked out from the tasks that are done, and a new plan without that action begins there,
 * as the next job. All of it is kept by the pool: whoever leads goes on.
 *
 * <p>A round is written down before its job is submitted under a key that belongs to it. After a
 * crash in between there is a round without a job, which is forgotten, and the round before, which
 * is still open, is continued once more.
 */
public final class PlannedJobs {
  private final JobIntake intake;
  private final PoolStore store;
  private final PlanRounds rounds;
  private final Accounts accounts;
  private final Changes changes;
  private final PlanMemory memory;
  private final UserTurns turns = UserTurns.ofThisMachine();

  /** Held while a round has no job yet. */
  private final ReentrantLock submitting = new ReentrantLock();

  /** Hears of rounds whose jobs were submitted here. */
  private volatile Consumer<String> begun = _ -> {};

  public PlannedJobs(
      JobIntake intake,
      PoolStore store,
      BlobStore blobs,
      SchedulerLoop loop,
      Accounts accounts,
      Changes changes,
      PlanMemory memory) {
    this.intake = intake;
    this.store = store;
    this.rounds = new PlanRounds(store, blobs, loop, memory);
    this.accounts = accounts;
    this.changes = changes;
    this.memory = memory;
  }

  /** In which plans are looked for that somebody waits for. */
  UserTurns turns() {
    return turns;
  }

  /** Plans that were found before. */
  PlanMemory memory() {
    return memory;
  }

  // ---------------------------------------------------------------- the first plan

  /**
   * Plans unless that was done, and submits the job.
   *
   * @param key the same one gives the same job; may be empty
   * @param gone whether nobody waits for the answer any more: then there is no job
   */
  JobIntake.Accepted start(Identity caller, PlanOrder order, String key, BooleanSupplier gone)
      throws IOException, InterruptedException {
    Situation begin = Situation.of(order);
    BlobId kept =
        intake.store(caller, new ByteArrayInputStream(Json.MAPPER.writeValueAsBytes(order)));
    String name = firstRound(key);
    Optional<JobIntake.Accepted> before = accepted(name, kept);
    if (before.isPresent()) {
      return before.get();
    }
    List<List<PlannedAction>> steps =
        order.plan().isEmpty()
            ? turns.run(caller.user(), () -> rounds.plan(caller.user(), begin, gone))
            : order.plan().stream().map(text -> List.of(PlannedStages.parse(text))).toList();
    PlannedStages stages = begin.stages(steps, List.of(), List.of());
    PlanRound round =
        new PlanRound(
            caller.user(),
            kept,
            0,
            begin.problem().init().stream().map(Atom::toString).toList(),
            stages.actions(),
            List.of(),
            List.of(),
            order.job().stages().stream()
                .flatMap(stage -> stage.inputs().stream())
                .map(InputFile::blob)
                .distinct()
                .toList(),
            PlanRound.State.RUNNING,
            "");
    return submit(caller, name, round, stages.job(name(order, 0)));
  }

  private static String firstRound(String key) {
    UUID id =
        key.isEmpty()
            ? UUID.randomUUID()
            : UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8));
    return id + ":0";
  }

  /** The job of a round that was submitted before, for an order of this content. */
  private Optional<JobIntake.Accepted> accepted(String name, BlobId order) {
    Optional<JobRecord> job = rounds.job(name);
    Optional<PlanRound> round = rounds.find(name);
    if (job.isPresent() && round.isPresent() && !round.get().order().equals(order)) {
      throw ApiException.of(
          409,
          "key_reused",
          "This Idempotency-Key belongs to job %s, which differs from this one; use a new key."
              .formatted(job.get().id()),
          "Idempotency-Key");
    }
    return job.flatMap(known -> store.reads().spec(known.id()))
        .map(spec -> new JobIntake.Accepted(job.orElseThrow().id(), false, spec, List.of()));
  }

  static String name(PlanOrder order, int number) {
    String name = order.job().name().isEmpty() ? "plan" : order.job().name();
    String next = number == 0 ? name : name + "-replan-" + number;
    return JobNames.isValid(next) ? next : name;
  }

  /** Writes a round down and submits its job. */
  JobIntake.Accepted submit(Identity caller, String name, PlanRound round, JobSpec job)
      throws IOException, InterruptedException {
    submitting.lock();
    try {
      Optional<JobIntake.Accepted> before = accepted(name, round.order());
      if (before.isPresent()) {
        return before.get(); // by the same request, sent twice
      }
      rounds.write(name, Optional.of(round));
      JobIntake.Accepted accepted =
          intake.accept(caller, List.of(job), PlanRounds.key(name), "").getFirst();
      begun.accept(name);
      return accepted;
    } catch (PoolUnavailableException e) {
      throw e; // it may have been submitted; the next leader will know
    } catch (RuntimeException e) {
      rounds.write(name, Optional.empty());
      throw e;
    } finally {
      submitting.unlock();
    }
  }

  // ---------------------------------------------------------------- what is known

  /**
   * How a plan is getting on.
   *
   * @param state RUNNING, DONE, REPLANNED or GIVEN_UP
   * @param replans how many plans there were before this one
   * @param why nothing else is tried; empty otherwise
   * @param actions of each task; empty where something is undone
   * @param without actions that failed before
   * @param next the job that carries out the next plan; 0 if there is none
   */
  public record PlanState(
      String state,
      int replans,
      String why,
      List<String> actions,
      List<String> without,
      long next) {}

  Optional<PlanState> of(JobId job) {
    return store
        .reads()
        .job(job)
        .map(JobRecord::requestKey)
        .flatMap(PlanRounds::named)
        .flatMap(name -> rounds.find(name).map(round -> state(name, round)));
  }

  private PlanState state(String name, PlanRound round) {
    long next = rounds.job(PlanRounds.following(name)).map(job -> job.id().value()).orElse(0L);
    return new PlanState(
        round.state().name(), round.number(), round.why(), round.actions(), round.without(), next);
  }

  /** Seconds by action, or by the name of an action. */
  public record Times(Map<String, Double> times) {}

  Map<String, Double> times(String user, String domain) {
    return rounds.times(user, domain);
  }

  /** Files that the next jobs of open plans could need. */
  public static Stream<BlobId> files(PoolStore store) {
    return PlanRounds.files(store);
  }

  // ---------------------------------------------------------------- going on

  /**
   * Follows plans from now on.
   *
   * @return how to end that
   */
  public Runnable begin() {
    PlanFollower follower =
        new PlanFollower(rounds, new Replanning(rounds, store, this, accounts), submitting);
    Runnable deaf = changes.onSettled(follower::settled);
    begun = follower::follow;
    follower.start();
    return () -> {
      begun = _ -> {};
      deaf.run();
      follower.close();
    };
  }
}
