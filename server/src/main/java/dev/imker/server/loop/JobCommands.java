package dev.imker.server.loop;

import dev.imker.core.JobHeader;
import dev.imker.core.Outbox;
import dev.imker.core.StageHeader;
import dev.imker.model.ImkerException;
import dev.imker.model.JobId;
import dev.imker.model.JobSpec;
import dev.imker.model.Stage;
import dev.imker.model.TaskRules;
import dev.imker.model.change.JobAdded;
import dev.imker.model.change.SpecChanged;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** What can be done with jobs. Every answer comes when it is on disk. */
public final class JobCommands {
  /** A submission: whether this one made the job, or an earlier one with the same key. */
  public record Submitted(JobId job, boolean fresh) {}

  /** What to do with a range of tasks. */
  public enum Action {
    CANCEL,
    BLOCK,
    RELEASE
  }

  private final SchedulerLoop loop;
  private final SubmissionGate gate = new SubmissionGate();

  public JobCommands(SchedulerLoop loop) {
    this.loop = loop;
  }

  /**
   * Adds a job. Refused at once with {@link PoolUnavailableException} while too many submissions
   * are under way, so that a slow disk does not fill the memory with jobs that wait for it.
   *
   * @param requestKey makes the submission idempotent among jobs in memory; may be empty
   */
  public CompletableFuture<Submitted> submit(String user, JobSpec spec, String requestKey) {
    // Costs as much as there are tasks, so it is done before the loop's turn.
    List<StageHeader> stages = StageHeader.of(spec);
    return gate.pass(spec, () -> change(user, spec, stages, requestKey));
  }

  private CompletableFuture<Submitted> change(
      String user, JobSpec spec, List<StageHeader> stages, String requestKey) {
    return loop.change(
        (pool, nowMillis, out) -> {
          Optional<JobId> earlier = pool.byRequestKey(requestKey);
          return earlier.isPresent()
              ? new Submitted(earlier.get(), false)
              : new Submitted(add(pool, user, spec, stages, requestKey, nowMillis, out), true);
        });
  }

  private static JobId add(
      PoolState pool,
      String user,
      JobSpec spec,
      List<StageHeader> stages,
      String key,
      long nowMillis,
      Outbox out) {
    for (JobId before : JobHeader.before(stages)) {
      requireJob(pool, before, nowMillis);
    }
    JobId id = pool.nextJobId();
    JobHeader header = JobHeader.of(id, user, spec, stages);
    pool.add(new LiveJob(id, user, spec, key));
    out.change(new JobAdded(id, user, spec, header.taskCount(), nowMillis, key));
    pool.scheduler().onSubmit(nowMillis, header, out);
    out.jobTouched(id);
    return id;
  }

  /** Applies an action to those tasks of a range that can take it; returns how many did. */
  public CompletableFuture<Integer> act(
      Action action, JobId job, int fromIndex, int toIndexExclusive) {
    return loop.change(
        (pool, nowMillis, out) -> {
          requireJob(pool, job, nowMillis);
          pool.recallBefore(job, nowMillis);
          var scheduler = pool.scheduler();
          return switch (action) {
            case CANCEL -> scheduler.onCancel(nowMillis, job, fromIndex, toIndexExclusive, out);
            case BLOCK -> scheduler.onBlock(nowMillis, job, fromIndex, toIndexExclusive, out);
            case RELEASE -> scheduler.onRelease(nowMillis, job, fromIndex, toIndexExclusive, out);
          };
        });
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
    return loop.change(
        (pool, nowMillis, out) -> {
          requireJob(pool, job, nowMillis);
          LiveJob live = Objects.requireNonNull(pool.job(job));
          List<Stage> stages = new ArrayList<>();
          for (Stage stage : live.spec().stages()) {
            stages.add(stage.withRules(change.apply(stage.rules())));
          }
          JobSpec spec = live.spec().withStages(stages);
          pool.replace(live.changed(spec));
          out.change(new SpecChanged(job, spec));
          List<StageHeader> headers = new ArrayList<>();
          JobHeader header = Objects.requireNonNull(pool.scheduler().job(job));
          for (int i = 0; i < stages.size(); i++) {
            headers.add(header.stages().get(i).withRules(stages.get(i).rules()));
          }
          pool.scheduler().onLimits(nowMillis, job, headers, out);
          return header.taskCount();
        });
  }

  private static void requireJob(PoolState pool, JobId job, long nowMillis) {
    if (!pool.recall(job, nowMillis)) {
      throw new ImkerException("There is no job " + job + ".");
    }
  }
}
