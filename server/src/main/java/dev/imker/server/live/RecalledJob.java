package dev.imker.server.live;

import dev.imker.model.AgentId;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.TaskLimits;
import dev.imker.store.JobRecord;
import dev.imker.store.PoolStore;
import dev.imker.store.RecoverySink;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All that the store tells of a job, or that there is none. It is read completely before any of it
 * gets into memory: half a job would have its DONE tasks handed out again.
 */
public final class RecalledJob {
  private static final TaskState[] STATES = TaskState.values();

  private final MemoryMoment seen;
  private final Optional<JobRecord> record;
  private final @Nullable Content content;

  private RecalledJob(MemoryMoment seen, Optional<JobRecord> record, @Nullable Content content) {
    this.seen = seen;
    this.record = record;
    this.content = content;
  }

  /** Reads what a command was missing. */
  public static RecalledJob read(PoolStore store, NotInMemoryException missing) {
    JobId job = missing.job();
    if (!missing.wholeJob()) {
      return new RecalledJob(missing.seen(), store.reads().job(job), null);
    }
    Content content = new Content(TaskLimitSettings.of(store, job));
    boolean found = store.load(job, content);
    return new RecalledJob(
        missing.seen(), Optional.ofNullable(content.job), found ? content : null);
  }

  /** When the job was not in memory, before it was read. */
  public MemoryMoment seen() {
    return seen;
  }

  public Optional<JobRecord> record() {
    return record;
  }

  /** Whether it has tasks to tell; not so if only its record was read. */
  public boolean isWhole() {
    return content != null || record.isEmpty();
  }

  public List<TaskLimits> limits() {
    return Objects.requireNonNull(content).limits;
  }

  public void tell(RecoverySink recovery) {
    Objects.requireNonNull(content).tell(recovery);
  }

  /** What a store said, to be said again. Tasks may be many, so they are kept as numbers. */
  private static final class Content implements RecoverySink {
    private static final int FIGURES = 5;

    private final List<TaskLimits> limits;
    private final List<Consumer<RecoverySink>> others = new ArrayList<>();
    private @Nullable JobRecord job;
    private @Nullable JobSpec spec;
    private int[] figures = new int[FIGURES * 64];
    private long[] doneMillis = new long[64];
    private int count;

    Content(List<TaskLimits> limits) {
      this.limits = limits;
    }

    @Override
    public void job(JobRecord told, JobSpec of) {
      job = told;
      spec = of;
    }

    @Override
    public void task(TaskId task, TaskState state, int failures, int losses, int attempts) {
      if (count == doneMillis.length) {
        figures = Arrays.copyOf(figures, 2 * figures.length);
        doneMillis = Arrays.copyOf(doneMillis, 2 * count);
      }
      int at = FIGURES * count;
      figures[at] = task.index();
      figures[at + 1] = state.ordinal();
      figures[at + 2] = failures;
      figures[at + 3] = losses;
      figures[at + 4] = attempts;
      count++;
    }

    @Override
    public void done(TaskId task, long atMillis) {
      doneMillis[count - 1] = atMillis;
    }

    @Override
    public void vote(TaskId task, NodeId node, AttemptReport report) {
      others.add(recovery -> recovery.vote(task, node, report));
    }

    @Override
    public void lease(
        Lease lease, AgentId agent, NodeId node, int attempt, long startedMillis, Granted granted) {
      others.add(recovery -> recovery.lease(lease, agent, node, attempt, startedMillis, granted));
    }

    void tell(RecoverySink recovery) {
      JobRecord told = Objects.requireNonNull(job);
      recovery.job(told, Objects.requireNonNull(spec));
      for (int i = 0; i < count; i++) {
        int at = FIGURES * i;
        TaskId task = new TaskId(told.id(), figures[at]);
        TaskState state = STATES[figures[at + 1]];
        recovery.task(task, state, figures[at + 2], figures[at + 3], figures[at + 4]);
        if (state == TaskState.DONE) {
          recovery.done(task, doneMillis[i]);
        }
      }
      others.forEach(other -> other.accept(recovery));
    }
  }
}
