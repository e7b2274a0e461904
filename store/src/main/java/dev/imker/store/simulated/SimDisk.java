package dev.imker.store.simulated;

import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.Change;
import dev.imker.model.job.JobSpec;
import dev.imker.store.JobRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * What the stores of one pool share: transactions in order, of which the first {@code written}
 * survive the process and the first {@code synced} a power failure. All of them are visible.
 */
public final class SimDisk {
  private final List<Consumer<SimTables>> transactions = new ArrayList<>();
  private final Random random;
  private SimTables seen = new SimTables();
  private long marks;
  private int written;
  private int synced;
  private Consumer<List<Change>> watcher = changes -> {};

  public SimDisk(long seed) {
    random = new Random(seed);
  }

  SimTables seen() {
    return seen;
  }

  /** Appends a transaction; if it cannot be applied, nothing of it is visible. */
  void append(Consumer<SimTables> transaction) {
    boolean applied = false;
    try {
      transaction.accept(seen);
      applied = true;
    } finally {
      if (!applied) {
        replay();
      }
    }
    transactions.add(transaction);
  }

  /** Is notified of changes when they survive the process, in order. */
  public void watch(Consumer<List<Change>> watching) {
    watcher = watching;
  }

  void written(List<Change> changes) {
    watcher.accept(changes);
  }

  /** The data of a task on disk, for checks. */
  public record Look(
      TaskId id, TaskState state, long changedMillis, long lastToken, List<Long> open) {}

  /** All jobs, for checks. */
  public List<JobRecord> jobs() {
    return seen.jobs.values().stream().map(SimTables.Job::record).toList();
  }

  public JobSpec spec(JobId job) {
    return seen.specOf(job.value());
  }

  /** The tasks of a job that left their initial state, for checks. */
  public List<Look> tasks(JobId job) {
    return seen.tasksOf(job).values().stream().map(SimDisk::look).toList();
  }

  private static Look look(SimTask task) {
    List<Long> open = new ArrayList<>();
    if (task.state == TaskState.RUNNING) {
      open.addAll(task.copies.keySet());
      if (task.last != null) {
        open.add(task.last.token());
      }
    }
    long last = task.last == null ? 0 : task.last.token();
    return new Look(task.id, task.state, task.changedMillis, last, open);
  }

  long drawIncarnation() {
    return random.nextLong() | 1;
  }

  /** Distinguishes a turn from another one with the same number. */
  long drawMark() {
    return marks++;
  }

  void write() {
    written = transactions.size();
  }

  void sync() {
    synced = written;
  }

  /** The process died. */
  public void dropUnwritten() {
    cutTo(written);
  }

  /** The power failed: any number of unsynced transactions may have survived. */
  public void dropUnsynced() {
    cutTo(synced + random.nextInt(written - synced + 1));
    synced = written;
  }

  /** Like {@link #dropUnsynced}, but none of them survived. */
  public void dropAllUnsynced() {
    cutTo(synced);
  }

  private void cutTo(int length) {
    if (length < transactions.size()) {
      transactions.subList(length, transactions.size()).clear();
      replay();
    }
    written = Math.min(written, length);
    synced = Math.min(synced, length);
  }

  private void replay() {
    SimTables fresh = new SimTables();
    transactions.forEach(transaction -> transaction.accept(fresh));
    seen = fresh;
  }
}
