package dev.imker.server.commands;

import dev.imker.core.message.JobHeader;
import dev.imker.core.message.Outbox;
import dev.imker.core.message.StageHeader;
import dev.imker.model.ImkerException;
import dev.imker.model.JobId;
import dev.imker.model.account.Quota;
import dev.imker.model.change.JobAdded;
import dev.imker.model.change.JobChanged;
import dev.imker.model.change.SettingPut;
import dev.imker.model.change.SpecChanged;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.TaskLimits;
import dev.imker.model.job.TaskRules;
import dev.imker.server.internal.auth.Quotas;
import dev.imker.server.live.LiveJob;
import dev.imker.server.live.Removal;
import dev.imker.server.live.TaskLimitSettings;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.PoolStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** The operations on jobs. Every answer is given after the change is on disk. */
public final class JobCommands {
  /** A submission: whether this one made the job, or an earlier one with the same key. */
  public record Submitted(JobId job, boolean fresh) {}

  /** What to do with a range of tasks. */
  public enum Action {
    CANCEL,
    BLOCK,
    RELEASE
  }

  private static final String INCOMPLETE = "import/";
  private static final int MAX_OWN_LIMITS = 10_000;

  private final SchedulerLoop loop;
  private final JobBatches batches;
  private final int tasksPerStep;

  public JobCommands(SchedulerLoop loop) {
    this(loop, RangeAction.TASKS_PER_STEP);
  }

  /**
   * @param tasksPerStep how many tasks an order changes in one turn
   */
  public JobCommands(SchedulerLoop loop, int tasksPerStep) {
    this.loop = loop;
    this.batches = new JobBatches(loop);
    this.tasksPerStep = tasksPerStep;
    loop.onBegunOrders((key, text) -> RangeAction.begun(key, text, tasksPerStep));
  }

  /** Adds a job of a user without limits. */
  public CompletableFuture<Submitted> submit(String user, JobSpec spec, String requestKey) {
    return submit(user, spec, requestKey, Quota.NONE);
  }

  /** Adds a job: a batch of one. */
  public CompletableFuture<Submitted> submit(
      String user, JobSpec spec, String requestKey, Quota quota) {
    return batches
        .submit(user, null, List.of(new JobBatches.Entry(null, spec, requestKey, "")), quota)
        .thenApply(List::getFirst);
  }

  static void requireRoom(PoolState pool, String user, long tasks, Quota quota) {
    long live = pool.liveTasks(user);
    if (live + tasks > quota.tasks()) {
      throw Quotas.tasksExceeded(user, quota.tasks(), live, tasks);
    }
  }

  /** Adds a job that nothing speaks against. */
  static void add(
      PoolState pool,
      String user,
      JobId id,
      JobSpec spec,
      List<StageHeader> stages,
      String key,
      String session,
      long nowMillis,
      Outbox out) {
    JobHeader header = JobHeader.of(id, user, spec, stages);
    pool.add(new LiveJob(id, user, spec, key, session, List.of()));
    out.change(new JobAdded(id, user, spec, header.taskCount(), nowMillis, key, session));
    pool.scheduler().onSubmit(nowMillis, header, out);
    out.jobTouched(id);
  }

  /** Removes a settled job with all that is known of it. */
  public CompletableFuture<Removal> remove(JobId job) {
    return loop.change(
        (pool, nowMillis, out) -> {
          Removal removal = pool.remove(job, out);
          if (removal.isDone()) {
            out.change(TaskLimitSettings.put(job, List.of()));
          }
          return removal;
        });
  }

  /** What {@link #remove} would answer, without removing anything. */
  public CompletableFuture<Removal> removal(JobId job) {
    return loop.change((pool, nowMillis, out) -> pool.removal(job));
  }

  /**
   * Adds a job that another pool has settled; its tasks are to be written afterwards. Until {@link
   * #imported} it counts as incomplete, and is removed by the next server that leads.
   */
  public CompletableFuture<JobId> addSettled(
      String user,
      JobSpec spec,
      long submittedMillis,
      long settledMillis,
      int priority,
      int[] counts) {
    return loop.change(
        (pool, nowMillis, out) -> {
          JobId id = pool.numbers().next();
          out.change(new JobAdded(id, user, spec, (int) spec.taskCount(), submittedMillis, ""));
          out.change(new JobChanged(id, counts, settledMillis, priority));
          out.change(new SettingPut(INCOMPLETE + id, Long.toString(pool.epoch())));
          return id;
        });
  }

  /** Jobs that were added as settled are complete. */
  public CompletableFuture<Boolean> imported(List<JobId> jobs) {
    return loop.change(
        (pool, nowMillis, out) -> {
          for (JobId job : jobs) {
            out.change(new SettingPut(INCOMPLETE + job, ""));
            pool.read().gone(job);
          }
          return true;
        });
  }

  /** Removes jobs of an import that did not come to its end. */
  public CompletableFuture<Boolean> discard(List<JobId> jobs) {
    return loop.change(
        (pool, nowMillis, out) -> {
          jobs.forEach(pool.read()::isSettled); // read before anything is changed
          for (JobId job : jobs) {
            pool.remove(job, out);
            out.change(new SettingPut(INCOMPLETE + job, ""));
          }
          return true;
        });
  }

  /** Jobs of imports that were begun in another epoch and did not come to their end. */
  public static List<JobId> incomplete(PoolStore store, long epoch) {
    return store.settings(INCOMPLETE).entrySet().stream()
        .filter(entry -> !entry.getValue().equals(Long.toString(epoch)))
        .map(entry -> new JobId(Long.parseLong(entry.getKey().substring(INCOMPLETE.length()))))
        .toList();
  }

  /**
   * Applies an action to those tasks of a range that can take it; returns how many did. If they are
   * many, others are served in between.
   */
  public CompletableFuture<Integer> act(
      Action action, JobId job, int fromIndex, int toIndexExclusive) {
    return loop.changeInSteps(
        new RangeAction(action, job, fromIndex, toIndexExclusive, Set.of(), tasksPerStep));
  }

  /**
   * Cancels what tasks of a job have spawned, and what these have, and so on; returns how many
   * tasks that were. What is spawned from then on is refused, if the job was cancelled before.
   * There may be more orders than the loop takes at once, so they are not given on its own thread.
   */
  public CompletableFuture<Integer> cancelSpawned(JobId job) {
    return loop.ask(pool -> pool.spawned().by(job))
        .thenComposeAsync(this::cancelFamilies, JobCommands::apart);
  }

  private static void apart(Runnable orders) {
    Thread.ofVirtual().name("cancel-spawned").start(orders);
  }

  private CompletableFuture<Integer> cancelFamilies(List<JobId> jobs) {
    CompletableFuture<Integer> sum = CompletableFuture.completedFuture(0);
    for (JobId job : jobs) {
      sum =
          sum.thenCombine(
              act(Action.CANCEL, job, 0, Integer.MAX_VALUE)
                  .thenComposeAsync(
                      tasks -> cancelSpawned(job).thenApply(more -> tasks + more),
                      JobCommands::apart),
              Integer::sum);
    }
    return sum;
  }

  /** Returns the number of tasks this may matter to. */
  public CompletableFuture<Integer> prioritise(JobId job, int priority) {
    return loop.change(
        (pool, nowMillis, out) -> {
          requireJob(pool, job, nowMillis);
          pool.scheduler().onPriority(nowMillis, job, priority, out);
          int[] counts = pool.counts(job);
          int tasks = 0;
          for (int i = 0; counts != null && i < counts.length; i++) {
            tasks += counts[i];
          }
          return tasks;
        });
  }

  /**
   * Changes limits of a job's tasks, also of those that run.
   *
   * @param change what to make of the rules of every stage
   */
  public CompletableFuture<Integer> limit(JobId job, UnaryOperator<TaskRules> change) {
    return change(job, stage -> stage.withRules(change.apply(stage.rules())));
  }

  /**
   * Changes all stages of a job, but not which tasks they have; returns how many it may concern.
   */
  public CompletableFuture<Integer> change(JobId job, UnaryOperator<Stage> change) {
    return loop.change(
        (pool, nowMillis, out) -> {
          requireJob(pool, job, nowMillis);
          LiveJob live = Objects.requireNonNull(pool.job(job));
          List<Stage> stages = new ArrayList<>();
          for (Stage stage : live.spec().stages()) {
            stages.add(change.apply(stage));
          }
          JobSpec spec = live.spec().withStages(stages);
          pool.replace(live.changed(spec));
          out.change(new SpecChanged(job, spec));
          List<StageHeader> headers = new ArrayList<>();
          JobHeader header = Objects.requireNonNull(pool.scheduler().view().job(job));
          for (int i = 0; i < stages.size(); i++) {
            headers.add(header.stages().get(i).withRules(stages.get(i).rules()));
          }
          pool.scheduler().onLimits(nowMillis, job, headers, out);
          return header.taskCount();
        });
  }

  /** Changes limits of single tasks, also of those that run; returns how many they are. */
  public CompletableFuture<Integer> limitTasks(JobId job, TaskLimits limits) {
    return own(
        job,
        present -> {
          List<TaskLimits> next = TaskLimits.overlay(present, limits);
          if (next.size() > MAX_OWN_LIMITS) {
            throw new ImkerException(
                "Job %s has more than %,d groups of tasks with limits of their own; name ranges of tasks, or the whole job."
                    .formatted(job, MAX_OWN_LIMITS));
          }
          return next;
        },
        limits.toExclusive() - limits.from());
  }

  /**
   * Takes from single tasks what the whole job has got now; nothing is written if there is none.
   */
  public CompletableFuture<Integer> unlimitTasks(
      JobId job, UnaryOperator<TaskLimits> without, int tasks) {
    return own(job, present -> TaskLimits.joined(present.stream().map(without).toList()), tasks);
  }

  private CompletableFuture<Integer> own(
      JobId job, UnaryOperator<List<TaskLimits>> change, int answer) {
    return loop.change(
        (pool, nowMillis, out) -> {
          requireJob(pool, job, nowMillis);
          LiveJob live = Objects.requireNonNull(pool.job(job));
          List<TaskLimits> next = change.apply(live.limits());
          if (!next.equals(live.limits())) {
            pool.replace(live.limited(next));
            out.change(TaskLimitSettings.put(job, next));
            pool.scheduler().onTaskLimits(nowMillis, job, next, out);
          }
          return answer;
        });
  }

  static void requireJob(PoolState pool, JobId job, long nowMillis) {
    if (!pool.recall(job, nowMillis)) {
      throw new ImkerException("There is no job " + job + ".");
    }
  }
}
