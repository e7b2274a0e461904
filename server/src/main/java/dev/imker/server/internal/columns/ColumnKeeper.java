package dev.imker.server.internal.columns;

import dev.imker.model.JobId;
import dev.imker.model.JobStatus;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptStarted;
import dev.imker.model.change.AttemptStopped;
import dev.imker.model.change.Change;
import dev.imker.model.change.JobAdded;
import dev.imker.model.change.JobChanged;
import dev.imker.model.change.JobRemoved;
import dev.imker.model.change.TaskChanged;
import dev.imker.model.change.TasksChanged;
import dev.imker.server.loop.PoolState;
import dev.imker.store.JobFilter;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the columns of large jobs ready before anybody asks for them: follows the changes of open
 * jobs, writes a file when a job settles, and reads what it does not know from the database on a
 * thread of its own. Small jobs are read when they are asked for.
 */
public final class ColumnKeeper implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ColumnKeeper.class);

  /** Jobs with fewer tasks are read in a few milliseconds. */
  static final int MIN_TASKS = 2_000;

  /** Of all open jobs together; 20 bytes a task. */
  private static final int MAX_BLOCKS = 1_000;

  /** Settled jobs whose missing files are made when a server begins. */
  private static final int NEWEST_JOBS = 500;

  private static final long PATIENCE_SECONDS = 30;
  private static final String SUFFIX = ".columns";

  private final Path folder;
  private final Reads reads;
  private final Map<JobId, LiveColumns> live = new ConcurrentHashMap<>();
  private final ExecutorService background =
      Executors.newSingleThreadExecutor(Thread.ofPlatform().name("imker-columns").factory());

  /**
   * @param folder of the files; need not exist
   */
  public ColumnKeeper(Path folder, Reads reads) {
    this.folder = folder;
    this.reads = reads;
  }

  // ---------------------------------------------------------------- leading or not

  /** Gets to know the jobs that are there already. */
  public void start() {
    inBackground(
        () -> {
          JobFilter open = JobFilter.ALL.withStatuses(Set.of(JobStatus.RUNNING));
          reads.jobs(open, null, Integer.MAX_VALUE).forEach(this::prepare);
          reads.jobs(JobFilter.ALL, null, NEWEST_JOBS).forEach(this::prepare);
          removeStrangers();
        });
  }

  private void prepare(JobRecord job) {
    if (job.taskCount() < MIN_TASKS) {
      return;
    }
    if (!job.isSettled()) {
      LiveColumns columns = new LiveColumns(job.taskCount());
      if (live.putIfAbsent(job.id(), columns) == null) {
        inBackground(() -> fill(job.id(), columns));
      }
    } else if (file(job).isEmpty()) {
      inBackground(() -> write(job, scan(job)));
    }
  }

  /** Another server leads: what is in memory gets old. */
  public void stop() {
    live.clear();
  }

  @Override
  public void close() {
    background.shutdown();
    try {
      if (!background.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        background.shutdownNow();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Files of jobs that were removed while nobody looked. */
  private void removeStrangers() {
    if (!Files.isDirectory(folder)) {
      return;
    }
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        String name = file.getFileName().toString();
        boolean known =
            name.matches("[1-9][0-9]{0,17}\\" + SUFFIX)
                && reads
                    .job(new JobId(Long.parseLong(name.substring(0, name.indexOf('.')))))
                    .isPresent();
        if (!known) {
          Files.deleteIfExists(file);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // ---------------------------------------------------------------- the loop's thread

  /** Hears what changed, on the loop's thread. */
  public void committed(List<Change> changes, PoolState pool) {
    JobId last = null;
    LiveColumns columns = null;
    for (Change change : changes) {
      JobId job = job(change);
      if (job == null) {
        continue;
      }
      if (!job.equals(last)) {
        last = job;
        columns = live.get(job);
      }
      switch (change) {
        case JobAdded added when added.taskCount() >= MIN_TASKS -> {
          columns = new LiveColumns(added.taskCount());
          columns.ready().complete(true);
          live.put(job, columns);
        }
        case JobChanged changed -> {
          changed(changed, columns, pool);
          last = null;
        }
        case JobRemoved removed -> removed(job);
        default -> {
          if (columns != null) {
            apply(change, columns);
          }
        }
      }
    }
  }

  private static @Nullable JobId job(Change change) {
    return switch (change) {
      case AttemptStarted start -> start.task().job();
      case AttemptEnded end -> end.task().job();
      case AttemptStopped stop -> stop.task().job();
      case TaskChanged task -> task.task().job();
      case TasksChanged run -> run.job();
      case JobAdded added -> added.job();
      case JobChanged changed -> changed.job();
      case JobRemoved removed -> removed.job();
      default -> null;
    };
  }

  private static void apply(Change change, LiveColumns columns) {
    switch (change) {
      case AttemptStarted start -> columns.began(start);
      case AttemptEnded end -> columns.ended(end);
      case AttemptStopped stop -> columns.stopped(stop);
      case TaskChanged task ->
          columns.changed(task.task().index(), task.task().index() + 1, task.state());
      case TasksChanged run ->
          columns.changed(run.fromIndex(), run.toIndexExclusive(), run.state());
      default -> {}
    }
  }

  private void changed(JobChanged change, @Nullable LiveColumns columns, PoolState pool) {
    int tasks = 0;
    for (int count : change.countsByState()) {
      tasks += count;
    }
    byte[] states = pool.scheduler().view().states(change.job());
    if (tasks < MIN_TASKS) {
      return;
    }
    if (states == null) { // an import: its tasks are written past the scheduler
      live.remove(change.job());
      return;
    }
    if (change.settledMillis() == JobChanged.OPEN) {
      if (columns == null || columns.finalStates() != null) {
        LiveColumns again = new LiveColumns(tasks);
        live.put(change.job(), again);
        inBackground(() -> fill(change.job(), again));
      }
      return;
    }
    if (columns == null) {
      inBackground(() -> reads.job(change.job()).ifPresent(job -> write(job, scan(job))));
      return;
    }
    columns.settled(states);
    inBackground(
        () -> {
          ColumnFile.write(path(change.job()), columns.with(states), change.settledMillis());
          live.remove(change.job(), columns);
        });
  }

  private void removed(JobId job) {
    live.remove(job);
    inBackground(() -> delete(path(job)));
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  // ---------------------------------------------------------------- reading

  /** Reads what happened before a job was followed. */
  private void fill(JobId job, LiveColumns columns) {
    try {
      reads.forEachTask(
          job,
          (index, state, attempts, started, ended) ->
              columns.onDisk(index, attempts, started, ended));
      columns.ready().complete(true);
    } finally {
      columns.ready().complete(false);
    }
  }

  /**
   * The columns of a job as it is now.
   *
   * @param states ordinals of the states if the job is in the scheduler's memory
   */
  public TaskColumns of(JobRecord job, byte @Nullable [] states) {
    forgetBeyondRoom();
    LiveColumns columns = live.get(job.id());
    if (columns != null && columns.ready().join()) {
      byte[] now = states == null ? columns.finalStates() : states;
      if (now != null) {
        return columns.with(now);
      }
    }
    if (!job.isSettled() || job.taskCount() < MIN_TASKS) {
      return scan(job, states);
    }
    return file(job)
        .<TaskColumns>map(file -> file)
        .orElseGet(
            () -> {
              TaskColumns scanned = scan(job, states);
              inBackground(() -> write(job, scanned));
              return scanned;
            });
  }

  /** Open jobs that take too much memory are read when they are asked for. */
  private void forgetBeyondRoom() {
    int[] blocks = new int[1];
    live.values()
        .removeIf(
            columns -> {
              blocks[0] += columns.usedBlocks();
              return blocks[0] > MAX_BLOCKS;
            });
  }

  private Optional<ColumnFile> file(JobRecord job) {
    return ColumnFile.open(path(job.id()), job.taskCount(), job.settledMillis());
  }

  private Path path(JobId job) {
    return folder.resolve(job + SUFFIX);
  }

  private TaskColumns scan(JobRecord job) {
    return scan(job, null);
  }

  private TaskColumns scan(JobRecord job, byte @Nullable [] states) {
    LiveColumns columns = new LiveColumns(job.taskCount());
    byte[] known = states == null ? new byte[job.taskCount()] : states;
    if (states == null) {
      Arrays.fill(known, (byte) TaskState.READY.ordinal());
    }
    reads.forEachTask(
        job.id(),
        (index, state, attempts, started, ended) -> {
          columns.onDisk(index, attempts, started, ended);
          if (states == null) {
            known[index] = (byte) state.ordinal();
          }
        });
    return columns.with(known);
  }

  private void write(JobRecord job, TaskColumns columns) {
    ColumnFile.write(path(job.id()), columns, job.settledMillis());
  }

  private void inBackground(Runnable work) {
    try {
      background.execute(
          () -> {
            try {
              work.run();
            } catch (RuntimeException e) {
              LOG.warn("Sorted task listings could not be prepared: {}", e.getMessage());
            }
          });
    } catch (RejectedExecutionException e) {
      LOG.debug("The server is stopping; columns will be created when they are needed");
    }
  }
}
