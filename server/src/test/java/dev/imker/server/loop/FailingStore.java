package dev.imker.server.loop;

import dev.imker.model.AgentId;
import dev.imker.model.Granted;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.NodeId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.Change;
import dev.imker.model.change.RemovedTasksDeleted;
import dev.imker.model.change.TasksChanged;
import dev.imker.model.job.JobSpec;
import dev.imker.model.shared.SharedEntry;
import dev.imker.model.shared.SharedThing;
import dev.imker.store.AccountReads;
import dev.imker.store.BoardReads;
import dev.imker.store.DropReads;
import dev.imker.store.JobRecord;
import dev.imker.store.Journal;
import dev.imker.store.NoticeReads;
import dev.imker.store.PoolStore;
import dev.imker.store.Reads;
import dev.imker.store.RecoverySink;
import dev.imker.store.StoreBrokenException;
import dev.imker.store.StoreException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/** A real store whose disk a test can fill up. */
final class FailingStore implements PoolStore {
  private final PoolStore real;
  private volatile boolean full;
  private volatile boolean damaged;
  private volatile int readableTasks = Integer.MAX_VALUE;
  private final AtomicInteger commits = new AtomicInteger();
  private final AtomicInteger largestCommit = new AtomicInteger();
  private volatile CountDownLatch stalled = new CountDownLatch(0);

  FailingStore(PoolStore real) {
    this.real = real;
  }

  void fill(boolean on) {
    full = on;
  }

  /** Writing waits from now on. */
  void stall() {
    stalled = new CountDownLatch(1);
  }

  void resume() {
    stalled.countDown();
  }

  private void write() {
    try {
      stalled.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    if (damaged) {
      throw new StoreBrokenException("the disk is damaged", new IOException());
    }
    if (full) {
      throw new StoreException("the disk is full");
    }
  }

  @Override
  public long beginEpoch() {
    write();
    return real.beginEpoch();
  }

  @Override
  public long continueEpoch() {
    write();
    return real.continueEpoch();
  }

  @Override
  public long epoch() {
    return real.epoch();
  }

  @Override
  public Map<Long, Long> incarnations() {
    return real.incarnations();
  }

  @Override
  public String settingOnce(String key, String value) {
    write();
    return real.settingOnce(key, value);
  }

  @Override
  public long lastJobId() {
    return real.lastJobId();
  }

  @Override
  public void commit(List<Change> changes) {
    write();
    real.commit(changes);
    commits.incrementAndGet();
    largestCommit.accumulateAndGet(changes.stream().mapToInt(FailingStore::rows).sum(), Math::max);
  }

  @Override
  public boolean hasOneWriter() {
    return real.hasOneWriter();
  }

  /** How many rows a change writes or deletes, as far as it may be many. */
  private static int rows(Change change) {
    return switch (change) {
      case TasksChanged run -> run.toIndexExclusive() - run.fromIndex();
      case RemovedTasksDeleted gone -> gone.toIndexExclusive() - gone.fromIndex();
      default -> 1;
    };
  }

  /** The most rows of tasks that one transaction was about. */
  int largestCommit() {
    return largestCommit.get();
  }

  /** How often something was on disk for certain. */
  int commits() {
    return commits.get();
  }

  @Override
  public void load(RecoverySink recovery) {
    real.load(recovery);
  }

  @Override
  public void loadShared(Consumer<SharedThing> things, Consumer<SharedEntry> entries) {
    real.loadShared(things, entries);
  }

  @Override
  public boolean load(JobId job, RecoverySink recovery) {
    int tasks = readableTasks;
    readableTasks = Integer.MAX_VALUE;
    return real.load(job, tasks == Integer.MAX_VALUE ? recovery : new Cut(recovery, tasks));
  }

  /** The next reading of a job fails after so many of its tasks. */
  void failReadingAfter(int tasks) {
    readableTasks = tasks;
  }

  /** The disk fails for good with the next commit. */
  void breakDown() {
    damaged = true;
  }

  private static final class Cut implements RecoverySink {
    private final RecoverySink rest;
    private int left;

    Cut(RecoverySink rest, int tasks) {
      this.rest = rest;
      this.left = tasks;
    }

    @Override
    public void job(JobRecord job, JobSpec spec) {
      rest.job(job, spec);
    }

    @Override
    public void task(TaskId task, TaskState state, int failures, int losses, int attempts) {
      if (left-- == 0) {
        throw new StoreException("the disk cannot be read");
      }
      rest.task(task, state, failures, losses, attempts);
    }

    @Override
    public void done(TaskId task, long atMillis) {
      rest.done(task, atMillis);
    }

    @Override
    public void lease(
        Lease lease, AgentId agent, NodeId node, int attempt, long startedMillis, Granted granted) {
      rest.lease(lease, agent, node, attempt, startedMillis, granted);
    }
  }

  @Override
  public Map<JobId, Integer> removedJobs() {
    return real.removedJobs();
  }

  @Override
  public Reads reads() {
    return real.reads();
  }

  @Override
  public AccountReads accounts() {
    return real.accounts();
  }

  @Override
  public Journal journal() {
    return real.journal();
  }

  @Override
  public BoardReads board() {
    return real.board();
  }

  @Override
  public NoticeReads notices() {
    return real.notices();
  }

  @Override
  public DropReads drops() {
    return real.drops();
  }

  @Override
  public Map<String, String> settings(String prefix) {
    return real.settings(prefix);
  }

  @Override
  public Optional<String> setting(String key) {
    return real.setting(key);
  }

  @Override
  public void putSetting(String key, String value) {
    write();
    real.putSetting(key, value);
  }

  @Override
  public void close() {
    real.close();
  }
}
