package dev.imker.store;

import dev.imker.model.JobId;
import dev.imker.model.change.Change;
import dev.imker.model.shared.SharedEntry;
import dev.imker.model.shared.SharedThing;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The durable state of a pool. Writes come from one thread at a time, in practice the loop that
 * owns the live state; {@link #reads()} may be used from any thread at any time.
 */
public interface PoolStore extends AutoCloseable {
  /**
   * Starts a new term of a server and returns its number, which is greater than all earlier ones;
   * it is on disk on return. All agents count as disconnected from then on.
   */
  long beginEpoch();

  /**
   * Like {@link #beginEpoch()}, for a server that continues after a failure: throws {@link
   * DeposedException} if another server has begun a term since the last one of this store.
   */
  long continueEpoch();

  /** The number of the current term of any server. */
  long epoch();

  /** The same, but waits for an unavailable database like {@link #commit}. */
  default long awaitEpoch() {
    return epoch();
  }

  /**
   * The incarnations of all known terms by number, drawn at random by their leaders. If one
   * database is an old copy of another, they share the terms up to the copy but no later ones.
   */
  Map<Long, Long> incarnations();

  /** The greatest id of any job so far, 0 without one. */
  long lastJobId();

  /**
   * Writes all changes in their order in one transaction. On return they are on disk; on a {@link
   * StoreException} none of them is, and the store can be used again unless the exception is a
   * {@link StoreBrokenException}. There are two special cases: {@link CommitUnsureException} means
   * that it is unknown whether they are on disk, and {@link DeposedException} that this store may
   * no longer write.
   */
  void commit(List<Change> changes);

  /**
   * Whether no other server can write to this store while it is open, so that its owner certainly
   * leads.
   */
  default boolean hasOneWriter() {
    return false;
  }

  /**
   * Passes on everything that makes up the live state: all profiles, all jobs with live tasks, and
   * those of their tasks that are not in the initial state. Settled jobs are left out.
   */
  void load(RecoverySink recovery);

  /**
   * Passes on what running tasks share.
   *
   * @param things what they hold by themselves
   * @param entries what is in their lines, by number
   */
  void loadShared(Consumer<SharedThing> things, Consumer<SharedEntry> entries);

  /** Loads one job with its tasks, settled or not; returns whether it exists. */
  boolean load(JobId job, RecoverySink recovery);

  /**
   * Follows the writes of other servers for as long as it is open; empty if no other server can
   * write.
   */
  default Optional<Followed> follow() {
    return Optional.empty();
  }

  /** A position in the history of a pool: every transaction of a leader is a turn of its epoch. */
  record Position(long epoch, long turn) implements Comparable<Position> {
    @Override
    public int compareTo(Position other) {
      return epoch == other.epoch
          ? Long.compare(turn, other.turn)
          : Long.compare(epoch, other.epoch);
    }

    @Override
    public String toString() {
      return epoch + "." + turn;
    }
  }

  /**
   * A comparison of what is known about a pool with its database.
   *
   * @param at the position of both
   * @param jobs number of known jobs
   * @param tasks number of tasks of these jobs
   * @param differences descriptions of the differences; empty if everything is correct
   */
  record Checked(Position at, int jobs, long tasks, List<String> differences) {
    public Checked {
      differences = List.copyOf(differences);
    }
  }

  /** The numbers of tasks that succeeded and that failed permanently. */
  record Ended(long done, long failed) {
    public static final Ended NONE = new Ended(0, 0);

    public Ended and(Ended more) {
      return new Ended(done + more.done, failed + more.failed);
    }
  }

  /**
   * The data of {@link #load}, kept up to date in memory while another server writes. Thread-safe.
   */
  interface Followed extends AutoCloseable {
    /**
     * Catches up with the database: everything acknowledged before the call is included.
     *
     * @return how many turns it was behind, 0 after a full read; empty if a full read is necessary
     *     but took place only recently, so that the data is old
     * @throws StoreException if the database cannot be read
     */
    OptionalLong catchUp();

    /**
     * The same at a take-over: over a separate connection, independent of other callers, and
     * without a full read.
     *
     * @param epoch that was begun; nobody can write before it any more
     * @return whether all up to the begin of that epoch is known for certain
     */
    boolean catchUpWith(long epoch);

    /** The position up to which it knows the pool; empty before the first read. */
    Optional<Position> position();

    /** Like {@link PoolStore#load(RecoverySink)}, as of the position. */
    void load(RecoverySink recovery);

    /**
     * As {@link PoolStore#load(JobId, RecoverySink)}, of jobs that are open or for whose tasks
     * those of an open one wait.
     */
    boolean load(JobId job, RecoverySink recovery);

    /** The stored limits of single tasks of such a job; may be empty. */
    String taskLimits(JobId job);

    /**
     * Reads everything in one snapshot and compares it with the known state at the same position.
     * Following continues in the meantime.
     *
     * @throws StoreException if the database cannot be read
     */
    Checked check();

    /** How many tasks have ended since this was opened, as far as followed. */
    Ended ended();

    /** Waits until something was written, or for the given time; false if it cannot be notified. */
    boolean awaitTurn(long millis) throws InterruptedException;

    /** Nobody waits for turns for now; called by the thread that does otherwise. */
    default void awaitNone() {}

    /** Forgets all; the next one who asks reads afresh. */
    void forget();

    @Override
    void close();
  }

  /** Removed jobs with task rows still to be deleted, with the number of their tasks. */
  Map<JobId, Integer> removedJobs();

  /**
   * Releases a part of the space left by deleted rows; returns whether there is more. Callers pause
   * between calls, so that no commit waits for long. Databases that release space automatically do
   * nothing.
   */
  default boolean shrink() {
    return false;
  }

  Reads reads();

  AccountReads accounts();

  Journal journal();

  BoardReads board();

  NoticeReads notices();

  DropReads drops();

  /** The latest value of a setting. */
  Optional<String> setting(String key);

  /** All settings with this prefix, by name. */
  Map<String, String> settings(String prefix);

  /** Writes a setting; it is on disk on return. */
  void putSetting(String key, String value);

  /**
   * The value of the setting; without one, the given value is written first. If several servers do
   * so at the same time, all get the same value.
   */
  String settingOnce(String key, String value);

  @Override
  void close();
}
