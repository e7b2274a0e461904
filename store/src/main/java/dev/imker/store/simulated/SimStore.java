package dev.imker.store.simulated;

import dev.imker.model.AttemptOutcome;
import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.account.Account;
import dev.imker.model.account.ApiToken;
import dev.imker.model.change.Change;
import dev.imker.model.change.Doubt;
import dev.imker.model.change.SettingPut;
import dev.imker.model.shared.SharedEntry;
import dev.imker.model.shared.SharedThing;
import dev.imker.store.AccountReads;
import dev.imker.store.BoardReads;
import dev.imker.store.DeposedException;
import dev.imker.store.DropReads;
import dev.imker.store.Journal;
import dev.imker.store.NoticeReads;
import dev.imker.store.PoolStore;
import dev.imker.store.Reads;
import dev.imker.store.RecoverySink;
import dev.imker.store.StoreException;
import dev.imker.store.internal.live.Touched;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The store of one simulated server. Every call asks {@link Faults} first, which may let time pass,
 * fail it, or end the server.
 */
public class SimStore implements PoolStore {
  /** The points at which a fault may occur. */
  public enum Point {
    /** Before anything is read. */
    READ,
    /** Between two tasks that are read. */
    READ_ON,
    /** Before a transaction: nothing has happened. */
    WRITE,
    /** It is visible, but lost if the process dies here. */
    WRITTEN,
    /** It survives the process, but not a power failure. */
    SYNC,
    /** It is on disk, but nobody was told. */
    SYNCED
  }

  /** The possible faults. */
  @FunctionalInterface
  public interface Faults {
    Faults NONE = point -> {};

    void at(Point point);
  }

  private static final long NO_EPOCH = 0;

  private final SimDisk disk;
  private final boolean shared;
  private final Faults faults;
  private long ownEpoch = NO_EPOCH;
  private long ownIncarnation;

  /**
   * @param shared whether other servers may have the same disk open; then only who has begun the
   *     newest epoch can write
   */
  public SimStore(SimDisk disk, boolean shared, Faults faults) {
    this.disk = disk;
    this.shared = shared;
    this.faults = faults;
  }

  private SimTables read() {
    faults.at(Point.READ);
    return disk.seen();
  }

  // ---------------------------------------------------------------- writing

  @Override
  public void commit(List<Change> changes) {
    if (!changes.isEmpty()) {
      requireLeader();
      List<Change> kept = List.copyOf(changes);
      Touched touched = Touched.by(noted(kept));
      long mark = disk.drawMark();
      write(
          tables -> {
            kept.forEach(tables::apply);
            tables.endTurn(mark, touched);
          },
          kept);
    }
  }

  /** The rows that followers have to read again. */
  protected List<Change> noted(List<Change> changes) {
    return changes;
  }

  @Override
  public Optional<Followed> follow() {
    if (!shared) {
      return Optional.empty();
    }
    SimStore memory = new SimStore(disk, true, Faults.NONE); // what is in memory can be read
    return Optional.of(new SimFollowed(this::read, memory::tellAll, memory::tellOne));
  }

  private void requireLeader() {
    if (shared && ownEpoch == NO_EPOCH) {
      throw new StoreException("This server has not become the leader, so it must not write.");
    }
  }

  private void write(Consumer<SimTables> transaction, List<Change> changes) {
    faults.at(Point.WRITE);
    fence();
    boolean written = false;
    try {
      disk.append(transaction);
      faults.at(Point.WRITTEN);
      disk.write();
      disk.written(changes);
      written = true;
    } finally {
      if (!written) {
        disk.dropUnwritten();
      }
    }
    faults.at(Point.SYNC);
    sync();
    faults.at(Point.SYNCED);
  }

  /** Makes written transactions survive a power failure. */
  protected void sync() {
    disk.sync();
  }

  /** Rejects writes of a deposed leader. */
  protected void fence() {
    SimTables tables = disk.seen();
    if (shared
        && ownEpoch != NO_EPOCH
        && (tables.epoch != ownEpoch
            || tables.incarnations.getOrDefault(ownEpoch, 0L) != ownIncarnation)) {
      throw new DeposedException(ownEpoch, tables.epoch);
    }
  }

  @Override
  public long beginEpoch() {
    return begin(NO_EPOCH);
  }

  @Override
  public long continueEpoch() {
    return begin(ownEpoch);
  }

  private long begin(long since) {
    ownEpoch = NO_EPOCH;
    long incarnation = disk.drawIncarnation();
    long[] begun = {NO_EPOCH};
    write(
        tables -> {
          if (shared && since != NO_EPOCH && tables.epoch != since) {
            throw new DeposedException(since, tables.epoch);
          }
          tables.beginEpoch(incarnation);
          begun[0] =
              tables.epoch; // until this is written another server may have begun a later one
        },
        List.of());
    ownEpoch = begun[0];
    ownIncarnation = incarnation;
    return ownEpoch;
  }

  @Override
  public void putSetting(String key, String value) {
    SettingPut put = new SettingPut(key, value);
    write(tables -> tables.apply(put), List.of(put));
  }

  @Override
  public String settingOnce(String key, String value) {
    Optional<String> found = setting(key);
    if (found.isEmpty()) {
      putSetting(key, value);
    }
    return found.orElse(value);
  }

  @Override
  public boolean hasOneWriter() {
    return !shared;
  }

  // ---------------------------------------------------------------- reading

  @Override
  public long epoch() {
    return read().epoch;
  }

  @Override
  public Map<Long, Long> incarnations() {
    return Map.copyOf(read().incarnations);
  }

  @Override
  public long lastJobId() {
    return read().lastJob;
  }

  @Override
  public void load(RecoverySink recovery) {
    tellAll(read(), recovery);
  }

  private void tellAll(SimTables tables, RecoverySink recovery) {
    tables.nodeProfiles.forEach(recovery::nodeProfile);
    tables.projectProfiles.forEach(recovery::projectProfile);
    tables
        .memories
        .values()
        .forEach(m -> recovery.strategyMemory(m.strategy(), m.subject(), m.memoryJson()));
    for (SimTables.Job job : List.copyOf(tables.jobs.values())) {
      if (!job.record().isSettled()) {
        tell(tables, job, recovery);
      }
    }
  }

  @Override
  public void loadShared(Consumer<SharedThing> things, Consumer<SharedEntry> entries) {
    SimTables tables = read();
    List.copyOf(tables.things.values()).forEach(things);
    List.copyOf(tables.entries.values()).forEach(entries);
  }

  @Override
  public boolean load(JobId id, RecoverySink recovery) {
    return tellOne(read(), id, recovery);
  }

  private boolean tellOne(SimTables tables, JobId id, RecoverySink recovery) {
    SimTables.Job job = tables.jobs.get(id.value());
    if (job != null) {
      tell(tables, job, recovery);
    }
    return job != null;
  }

  private void tell(SimTables tables, SimTables.Job job, RecoverySink recovery) {
    recovery.job(job.record(), job.spec);
    for (SimTask task : List.copyOf(tables.tasksOf(job.added.job()).values())) {
      faults.at(Point.READ_ON);
      tell(tables, task, recovery);
    }
    boolean needsVotes = job.spec.stages().stream().anyMatch(stage -> stage.rules().quorum() != 1);
    for (SimTask task : tables.tasksOf(job.added.job()).values()) {
      if (!task.state.isSettled() && task.reason.startsWith(Doubt.REASON)) {
        successes(task).forEach(attempt -> recovery.doubt(task.id, attempt.node()));
      } else if (needsVotes) {
        tellVotes(task, recovery);
      }
    }
  }

  private void tell(SimTables tables, SimTask task, RecoverySink recovery) {
    recovery.task(task.id, task.state, task.failures, task.losses, task.attempts);
    if (task.state == TaskState.DONE) {
      tellDone(recovery, task.id, task.changedMillis);
    }
    if (task.state == TaskState.RUNNING) {
      if (task.last != null) {
        tellLease(tables, task, task.last, recovery);
      }
      task.copies.values().forEach(copy -> tellLease(tables, task, copy, recovery));
    }
  }

  /** Tells when a task was done. */
  protected void tellDone(RecoverySink recovery, TaskId task, long atMillis) {
    recovery.done(task, atMillis);
  }

  private static void tellLease(
      SimTables tables, SimTask task, SimTask.Attempt held, RecoverySink recovery) {
    recovery.lease(
        new Lease(task.id, tables.token(held.token())),
        held.agent(),
        held.node(),
        held.number(),
        held.leasedMillis(),
        held.granted());
  }

  private static void tellVotes(SimTask task, RecoverySink recovery) {
    for (SimTask.Attempt attempt : successes(task)) {
      recovery.vote(task.id, attempt.node(), Objects.requireNonNull(attempt.report()));
    }
  }

  private static List<SimTask.Attempt> successes(SimTask task) {
    return task.ended.values().stream()
        .filter(
            attempt ->
                attempt.report() != null && attempt.report().outcome() == AttemptOutcome.SUCCEEDED)
        .toList();
  }

  @Override
  public Map<JobId, Integer> removedJobs() {
    return new LinkedHashMap<>(read().removed);
  }

  @Override
  public Optional<String> setting(String key) {
    return Optional.ofNullable(read().settings.get(key));
  }

  @Override
  public Map<String, String> settings(String prefix) {
    Map<String, String> found = new TreeMap<>();
    read()
        .settings
        .tailMap(prefix)
        .forEach(
            (key, value) -> {
              if (key.startsWith(prefix)) {
                found.put(key, value);
              }
            });
    return found;
  }

  @Override
  public Reads reads() {
    return new SimReads(this::read);
  }

  @Override
  public AccountReads accounts() {
    return new AccountReads() {
      @Override
      public List<Account> accounts() {
        return List.copyOf(read().accounts.values());
      }

      @Override
      public List<ApiToken> tokens() {
        return List.of();
      }

      @Override
      public long storageBytes(String user) {
        return 0;
      }

      @Override
      public Set<BlobId> owned(String user, Collection<BlobId> blobs) {
        return Set.copyOf(blobs);
      }

      @Override
      public void forEachOwnedBefore(long beforeMillis, BiConsumer<String, BlobId> action) {}
    };
  }

  @Override
  public Journal journal() {
    throw SimReads.notKept();
  }

  @Override
  public BoardReads board() {
    throw SimReads.notKept();
  }

  @Override
  public NoticeReads notices() {
    throw SimReads.notKept();
  }

  @Override
  public DropReads drops() {
    throw SimReads.notKept();
  }

  @Override
  public void close() {}
}
