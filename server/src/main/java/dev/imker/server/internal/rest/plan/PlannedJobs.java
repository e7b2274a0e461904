package dev.imker.server.internal.rest.plan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.JobId;
import dev.imker.model.JobStatus;
import dev.imker.model.TaskState;
import dev.imker.model.change.SettingPut;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobSpec;
import dev.imker.model.validation.JobNames;
import dev.imker.planner.PlanDag;
import dev.imker.planner.PlanLimits;
import dev.imker.planner.PlanResult;
import dev.imker.planner.PlanStatus;
import dev.imker.planner.PlanValidator;
import dev.imker.planner.PlannedAction;
import dev.imker.planner.Planner;
import dev.imker.planner.pddl.Atom;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Pddl;
import dev.imker.planner.pddl.PddlException;
import dev.imker.planner.pddl.Problem;
import dev.imker.server.commands.Await;
import dev.imker.server.http.ApiException;
import dev.imker.server.http.Json;
import dev.imker.server.internal.auth.Accounts;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.internal.auth.Role;
import dev.imker.server.internal.rest.jobs.JobIntake;
import dev.imker.server.internal.rest.request.RecordReader;
import dev.imker.server.loop.PoolUnavailableException;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.server.plan.ActionTimes;
import dev.imker.server.plan.PlanOrder;
import dev.imker.server.plan.PlannedStages;
import dev.imker.server.plan.PlannedStages.FactFile;
import dev.imker.store.JobRecord;
import dev.imker.store.PoolStore;
import dev.imker.store.RunRecord;
import dev.imker.store.StoreException;
import dev.imker.store.TaskQuery;
import dev.imker.store.TaskRecord;
import dev.imker.store.blobs.BlobStore;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
  private static final Logger LOG = LoggerFactory.getLogger(PlannedJobs.class);
  private static final String ROUND = "planned/";
  private static final String TIMES = "plan-times/";
  private static final String KEY = "plan:";
  private static final long POLL_MILLIS = 500;
  private static final int DEFAULT_REPLANS = 5;
  private static final Duration PLANNING = Duration.ofSeconds(60);

  private final JobIntake intake;
  private final PoolStore store;
  private final BlobStore blobs;
  private final SchedulerLoop loop;
  private final Accounts accounts;

  /** Held while a round has no job yet. */
  private final ReentrantLock submitting = new ReentrantLock();

  /** Names of rounds that are under way. */
  private final Set<String> open = ConcurrentHashMap.newKeySet();

  /** Told already; only the thread that follows plans uses it. */
  private final Set<String> unreadable = new HashSet<>();

  public PlannedJobs(
      JobIntake intake, PoolStore store, BlobStore blobs, SchedulerLoop loop, Accounts accounts) {
    this.intake = intake;
    this.store = store;
    this.blobs = blobs;
    this.loop = loop;
    this.accounts = accounts;
  }

  /** A state of affairs to plan from. */
  private record Situation(
      PlanOrder order, Domain domain, Problem problem, Set<PlannedAction> without) {}

  // ---------------------------------------------------------------- the first plan

  /** Plans unless that was done, and submits the job. */
  JobIntake.Accepted start(Identity caller, PlanOrder order)
      throws IOException, InterruptedException {
    Situation begin = situation(order);
    List<List<PlannedAction>> steps =
        order.plan().isEmpty()
            ? planned(caller.user(), begin)
            : order.plan().stream().map(text -> List.of(PlannedStages.parse(text))).toList();
    PlannedStages stages = stages(begin, steps, List.of(), List.of());
    BlobId kept =
        intake.store(caller, new ByteArrayInputStream(Json.MAPPER.writeValueAsBytes(order)));
    PlanRound round =
        new PlanRound(
            caller.user(),
            kept,
            0,
            begin.problem.init().stream().map(Atom::toString).toList(),
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
    return submit(caller, UUID.randomUUID() + ":0", round, stages.job(name(order, 0)));
  }

  private static Situation situation(PlanOrder order) {
    String field = "domain";
    try {
      Domain domain = Pddl.domain(order.domain());
      field = "problem";
      return new Situation(order, domain, Pddl.problem(order.problem(), domain), Set.of());
    } catch (PddlException e) {
      throw ApiException.invalid(field, "The " + field + ", " + e.getMessage() + ".");
    }
  }

  private List<List<PlannedAction>> planned(String user, Situation situation) {
    PlanResult result =
        Planner.plan(
            situation.domain,
            situation.problem,
            PlanLimits.of(PLANNING),
            situation.without,
            new ActionTimes(times(user, situation.domain.name()), situation.order.actions()));
    if (result.status() != PlanStatus.SOLVED) {
      String why =
          result.status() == PlanStatus.TIMEOUT
              ? "none was found within " + PLANNING.toSeconds() + " seconds"
              : result.why().isEmpty() ? "that is proved" : result.why();
      throw ApiException.of(409, "no_plan", "There is no plan: " + why + ".");
    }
    return result.steps();
  }

  private static PlannedStages stages(
      Situation from,
      List<List<PlannedAction>> steps,
      List<PlannedAction> undone,
      List<FactFile> files) {
    PlanDag dag;
    try {
      dag = PlanDag.of(from.domain, from.problem, steps);
    } catch (IllegalArgumentException e) {
      throw ApiException.invalid("plan", "This is not a plan: " + e.getMessage() + ".");
    }
    if (dag.actions().isEmpty()) {
      throw ApiException.of(409, "nothing_to_do", "The goal holds already: nothing to do.");
    }
    try {
      return new PlannedStages(from.order, from.domain, dag, undone, files);
    } catch (ApiException e) {
      throw e;
    } catch (ImkerException e) {
      throw ApiException.invalid("job", String.valueOf(e.getMessage()));
    }
  }

  private static String name(PlanOrder order, int number) {
    String name = order.job().name().isEmpty() ? "plan" : order.job().name();
    String next = number == 0 ? name : name + "-replan-" + number;
    return JobNames.isValid(next) ? next : name;
  }

  private JobIntake.Accepted submit(Identity caller, String name, PlanRound round, JobSpec job)
      throws IOException, InterruptedException {
    submitting.lock();
    try {
      write(name, Optional.of(round));
      JobIntake.Accepted accepted = intake.accept(caller, List.of(job), KEY + name, "").getFirst();
      open.add(name);
      return accepted;
    } catch (PoolUnavailableException e) {
      throw e; // it may have been submitted; the next leader will know
    } catch (RuntimeException e) {
      write(name, Optional.empty());
      throw e;
    } finally {
      submitting.unlock();
    }
  }

  private void write(String name, Optional<PlanRound> round)
      throws IOException, InterruptedException {
    String text = round.isPresent() ? Json.MAPPER.writeValueAsString(round.get()) : "";
    Await.answer(loop.record(List.of(new SettingPut(ROUND + name, text))));
  }

  private static PlanRound read(String text) {
    return RecordReader.read(json(text), "", PlanRound.class);
  }

  private static JsonNode json(String text) {
    try {
      return Json.MAPPER.readTree(text);
    } catch (IOException e) {
      throw new IllegalStateException("what is known of a plan cannot be read", e);
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
        .filter(key -> key.startsWith(KEY))
        .map(key -> key.substring(KEY.length()))
        .flatMap(
            name ->
                store
                    .setting(ROUND + name)
                    .map(PlannedJobs::read)
                    .map(round -> state(name, round)));
  }

  private PlanState state(String name, PlanRound round) {
    long next =
        store.reads().byRequestKey(KEY + following(name)).map(job -> job.id().value()).orElse(0L);
    return new PlanState(
        round.state().name(), round.number(), round.why(), round.actions(), round.without(), next);
  }

  /** Seconds that actions of a domain took a user's jobs so far. */
  Map<String, Double> times(String user, String domain) {
    return store
        .setting(timesOf(user, domain))
        .map(text -> RecordReader.read(json(text), "", Times.class).times())
        .orElse(Map.of());
  }

  /** Seconds by action, or by the name of an action. */
  public record Times(Map<String, Double> times) {}

  private static String timesOf(String user, String domain) {
    return TIMES + user + "/" + domain;
  }

  private void learn(PlanRound round, String domain, JobId job)
      throws IOException, InterruptedException {
    ActionTimes times = new ActionTimes(times(round.user(), domain), List.of());
    for (RunRecord run : store.reads().runs(job, round.actions().size())) {
      String action = round.actions().get(run.task().index());
      if (run.state() == TaskState.DONE && !action.isEmpty()) {
        times = times.after(PlannedStages.parse(action), run.runMillis() / 1000.0);
      }
    }
    String text = Json.MAPPER.writeValueAsString(new Times(times.known()));
    Await.answer(loop.record(List.of(new SettingPut(timesOf(round.user(), domain), text))));
  }

  /** Files that the next jobs of open plans could need. */
  public static Stream<BlobId> files(PoolStore store) {
    return store.settings(ROUND).values().stream()
        .map(PlannedJobs::read)
        .filter(round -> round.state() == PlanRound.State.RUNNING)
        .flatMap(round -> Stream.concat(Stream.of(round.order()), round.inputs().stream()));
  }

  // ---------------------------------------------------------------- going on

  /**
   * Follows plans from now on, on a thread of its own.
   *
   * @return how to end that
   */
  public Runnable begin() {
    Thread thread = Thread.ofVirtual().name("imker-plans").start(this::run);
    return () -> {
      thread.interrupt();
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    };
  }

  private void run() {
    try {
      boolean known = false;
      while (!Thread.currentThread().isInterrupted()) {
        try {
          known = known || recall();
          for (String name : List.copyOf(open)) {
            tryToLookAt(name);
          }
        } catch (ImkerException e) {
          if (Thread.interrupted()) { // in the middle of a read: the server stops
            throw new InterruptedException(e.getMessage());
          }
          LOG.warn("Plans wait: {}", e.getMessage());
        } catch (IOException | RuntimeException e) {
          LOG.error("Plans wait", e);
        }
        Thread.sleep(POLL_MILLIS);
      }
    } catch (InterruptedException e) {
      LOG.debug("Plans are no longer followed");
    }
  }

  /** Finds the rounds that others have begun, and forgets those of jobs that are gone. */
  private boolean recall() throws IOException, InterruptedException {
    submitting.lock();
    try {
      return recallRounds();
    } finally {
      submitting.unlock();
    }
  }

  private boolean recallRounds() throws IOException, InterruptedException {
    for (Map.Entry<String, String> entry : store.settings(ROUND).entrySet()) {
      String name = entry.getKey().substring(ROUND.length());
      if (store.reads().byRequestKey(KEY + name).isEmpty()) {
        write(name, Optional.empty());
      } else if (read(entry.getValue()).state() == PlanRound.State.RUNNING) {
        open.add(name);
      }
    }
    return true;
  }

  /** A plan that cannot be followed must not stop the others. */
  private void tryToLookAt(String name) throws IOException, InterruptedException {
    try {
      lookAt(name);
      unreadable.remove(name);
    } catch (ImkerException e) {
      throw e; // the pool's trouble, not the plan's
    } catch (IOException e) {
      if (unreadable.add(name)) {
        LOG.warn("The files of plan {} cannot be read; it is tried again", name, e);
      }
    } catch (RuntimeException e) {
      LOG.error("The plan {} cannot be followed", name, e);
      giveUp(name, "The server cannot follow this plan; its log says why.");
    }
  }

  /** Whoever waits for the plan is told. */
  private void giveUp(String name, String why) throws IOException, InterruptedException {
    open.remove(name);
    Optional<PlanRound> round = store.setting(ROUND + name).map(PlannedJobs::read);
    if (round.isPresent()) {
      write(name, Optional.of(round.get().ended(PlanRound.State.GIVEN_UP, why)));
    }
  }

  private void lookAt(String name) throws IOException, InterruptedException {
    Optional<JobRecord> job = store.reads().byRequestKey(KEY + name);
    Optional<PlanRound> round = store.setting(ROUND + name).map(PlannedJobs::read);
    if (job.isEmpty() || round.isEmpty()) {
      write(name, Optional.empty());
      open.remove(name);
    } else if (job.get().isSettled()) {
      settle(name, job.get(), round.get());
    }
  }

  private void settle(String name, JobRecord job, PlanRound round)
      throws IOException, InterruptedException {
    PlanOrder order = order(round);
    learn(round, Pddl.domain(order.domain()).name(), job.id());
    PlanRound.State how = PlanRound.State.GIVEN_UP;
    String why = "";
    if (job.status() == JobStatus.DONE) {
      how = PlanRound.State.DONE;
    } else if (job.status() == JobStatus.CANCELLED) {
      why = "The job was cancelled.";
    } else {
      try {
        why = goOn(name, job.id(), round, order);
        how = why.isEmpty() ? PlanRound.State.REPLANNED : how;
      } catch (PoolUnavailableException | StoreException e) {
        throw e; // tried again
      } catch (ImkerException | PddlException | IllegalArgumentException e) {
        why = String.valueOf(e.getMessage());
      }
    }
    write(name, Optional.of(round.ended(how, why)));
    open.remove(name);
    if (how == PlanRound.State.GIVEN_UP) {
      LOG.info("The plan of job {} is given up: {}", job.id(), why);
    }
  }

  private PlanOrder order(PlanRound round) throws IOException {
    try (InputStream in = blobs.open(round.order())) {
      return RecordReader.read(Json.MAPPER.readTree(in), "", PlanOrder.class);
    }
  }

  /** Begins the next round; returns why there is none, or nothing. */
  private String goOn(String name, JobId job, PlanRound round, PlanOrder order)
      throws IOException, InterruptedException {
    if (store.reads().byRequestKey(KEY + following(name)).isPresent()) {
      return ""; // by a server that could not note it any more
    }
    int most = order.maxReplans() == 0 ? DEFAULT_REPLANS : order.maxReplans();
    if (!order.replan()) {
      return "An action failed, and the strategy is to give up.";
    }
    if (round.number() >= most) {
      return "An action failed, and there were %d further plans already.".formatted(most);
    }
    List<PlannedAction> done = new ArrayList<>();
    List<PlannedAction> failed = new ArrayList<>();
    List<FactFile> files = new ArrayList<>(round.files());
    Situation first = situation(order);
    Problem then = first.problem.from(round.facts().stream().map(PlannedJobs::atom).toList());
    for (TaskRecord task : store.reads().tasks(TaskQuery.all(job))) {
      String text = round.actions().get(task.id().index());
      boolean ended = hasFailedItself(task);
      if (text.isEmpty()) {
        if (ended) {
          return "What cleans up after a failed action failed itself.";
        }
        continue;
      }
      PlannedAction action = PlannedStages.parse(text);
      if (ended) {
        failed.add(action);
      } else if (task.state() == TaskState.DONE) {
        done.add(action);
        noteFiles(order, first.domain, action, job + "." + (task.id().index() + 1), files);
      }
    }
    Set<Atom> facts = new PlanValidator(first.domain, then).after(done);
    Set<PlannedAction> without =
        Stream.concat(round.without().stream().map(PlannedStages::parse), failed.stream())
            .collect(Collectors.toSet());
    Situation now =
        new Situation(order, first.domain, first.problem.from(List.copyOf(facts)), without);
    PlannedStages stages = stages(now, planned(round.user(), now), failed, files);
    PlanRound next =
        new PlanRound(
            round.user(),
            round.order(),
            round.number() + 1,
            facts.stream().map(Atom::toString).sorted().toList(),
            stages.actions(),
            without.stream().map(PlannedAction::toString).sorted().toList(),
            files,
            round.inputs(),
            PlanRound.State.RUNNING,
            "");
    JobIntake.Accepted accepted =
        submit(
            identity(round.user()), following(name), next, stages.job(name(order, next.number())));
    LOG.info("Job {} goes on as job {}: another plan without {}", job, accepted.job(), failed);
    return "";
  }

  /** Those that wait for a failed one fail as well, without having been tried. */
  private static boolean hasFailedItself(TaskRecord task) {
    return switch (task.state()) {
      case FAILED -> task.attempts() > 0 && !task.reason().startsWith("predecessor ");
      case AUTO_BLOCKED -> true;
      case WAITING, READY, RUNNING, DONE, BLOCKED, CANCELLED -> false;
    };
  }

  private static void noteFiles(
      PlanOrder order, Domain domain, PlannedAction action, String task, List<FactFile> files) {
    PlanDag alone = new PlanDag(List.of(action), List.of());
    new PlannedStages(order, domain, alone, List.of(), List.of())
        .madeBy(action)
        .forEach(
            (fact, glob) -> {
              files.removeIf(file -> file.fact().equals(fact));
              files.add(new FactFile(fact, task, glob));
            });
  }

  private static Atom atom(String text) {
    PlannedAction words = PlannedStages.parse(text);
    return new Atom(words.name(), words.arguments());
  }

  private static String following(String name) {
    int colon = name.lastIndexOf(':');
    return name.substring(0, colon + 1) + (Integer.parseInt(name.substring(colon + 1)) + 1);
  }

  private Identity identity(String user) {
    return user.equals(Identity.ADMIN_NAME)
        ? Identity.ADMIN
        : accounts
            .usable(user)
            .map(account -> new Identity(account.name(), Role.USER))
            .orElseThrow(
                () ->
                    new ImkerException("The user %s does not exist or is locked.".formatted(user)));
  }
}
