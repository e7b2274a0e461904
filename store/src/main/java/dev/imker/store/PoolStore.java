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
   * Starts a new term of a server and returns its number, which is greater than any before; it is
   * on disk on return. All agents count as disconnected from here on.
   */
  long beginEpoch();

  /**
   * As {@link #beginEpoch()}, for a server that goes on after a failure: if another server has
   * begun a term since the last one of this store, {@link DeposedException}.
   */
  long continueEpoch();

  /** The number of the present term, whosever it is. */
  long epoch();

  /** The same; a database that is away is waited for as by {@link #commit}. */
  default long awaitEpoch() {
    return epoch();
  }

  /**
   * The incarnations of all terms that this database knows, by their number: what their leaders
   * drew at random when they began. Two databases of which one is an old copy of the other share
   * the terms up to the copy, and no later one.
   */
  Map<Long, Long> incarnations();

  /** The greatest id of any job so far, 0 without one. */
  long lastJobId();

  /**
   * Writes all changes in their order in one transaction. On return they are on disk; on a {@link
   * StoreException} none of them is, and the store can be used again unless the exception is a
   * {@link StoreBrokenException}. Two exceptions tell something else: {@link
   * CommitUnsureException}, that nobody knows whether they are on disk, and {@link
   * DeposedException}, that this store may not write any more.
   */
  void commit(List<Change> changes);

  /**
   * Whether no other server can write to this store while it is open, so that whoever has it open
   * is certain to lead.
   */
  default boolean hasOneWriter() {
    return false;
  }

  /**
   * Tells everything the live state is made of: all profiles, all jobs with live tasks, and of
   * these every task that is not in its initial state. Settled jobs are left out.
   */
  void load(RecoverySink recovery);

  /**
   * Tells what running tasks share.
   *
   * @param things what they hold by themselves
   * @param entries what is in their lines, by number
   */
  void loadShared(Consumer<SharedThing> things, Consumer<SharedEntry> entries);

  /** One job with its tasks, settled or not; returns whether there is such a job. */
  boolean load(JobId job, RecoverySink recovery);

  /**
   * Follows what other servers write, for as long as it is open; empty where no other server can
   * write.
   */
  default Optional<Followed> follow() {
    return Optional.empty();
  }

  /** How far a pool was written: every transaction of a leader is a turn of its epoch. */
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
   * What is known of a pool, compared with what its database says.
   *
   * @param at of what moment both are
   * @param jobs how many are known
   * @param tasks of these jobs, whether or not anything has happened to them
   * @param differences in words; empty, as it should be
   */
  record Checked(Position at, int jobs, long tasks, List<String> differences) {
    public Checked {
      differences = List.copyOf(differences);
    }
  }

  /** Tasks that have ended well, and for good otherwise. */
  record Ended(long done, long failed) {
    public static final Ended NONE = new Ended(0, 0);

    public Ended and(Ended more) {
      return new Ended(done + more.done, failed + more.failed);
    }
  }

  /**
   * What {@link #load} tells, kept in memory and up to date while another server writes. May be
   * used from any thread.
   */
  interface Followed extends AutoCloseable {
    /**
     * Goes on to what is on disk now: everything that was acknowledged before the call is there.
     *
     * @return how many turns that was behind before, 0 if all was read afresh; empty if it would
     *     have to be read afresh and just was, so that what is known is old
     * @throws StoreException if the database cannot be read
     */
    OptionalLong catchUp();

    /**
     * The same at the moment of taking over: over a connection of its own, whatever the others wait
     * for, and never read afresh.
     *
     * @param epoch that was begun; nobody can write before it any more
     * @return whether all up to the begin of that epoch is known for certain
     */
    boolean catchUpWith(long epoch);

    /** Up to where it knows the pool; empty before it has read anything. */
    Optional<Position> position();

    /** As {@link PoolStore#load(RecoverySink)}, of the position. */
    void load(RecoverySink recovery);

    /**
     * As {@link PoolStore#load(JobId, RecoverySink)}, of jobs that are open or for whose tasks
     * those of an open one wait.
     */
    boolean load(JobId job, RecoverySink recovery);

    /** What single tasks of such a job have of their own, as its setting says; or empty. */
    String taskLimits(JobId job);

    /**
     * Reads everything afresh in one snapshot and compares that with what is known of the same
     * moment. Following goes on meanwhile.
     *
     * @throws StoreException if the database cannot be read
     */
    Checked check();

    /** How many tasks have ended since this was opened, as far as it was followed. */
    Ended ended();

    /** Waits until something was written, or so long at most; false if it cannot be told. */
    boolean awaitTurn(long millis) throws InterruptedException;

    /** Forgets all; the next one who asks reads afresh. */
    void forget();

    @Override
    void close();
  }

  /** Removed jobs of whose tasks something is still to be deleted, with how many they have. */
  Map<JobId, Integer> removedJobs();

  /**
   * Gives a little of the space back that deleted rows left; returns whether there is more. Whoever
   * calls it pauses between, so that no commit waits for long. Databases that do so by themselves
   * have nothing to do.
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

  /** A small durable setting, as last put. */
  Optional<String> setting(String key);

  /** All settings whose names begin so, by name. */
  Map<String, String> settings(String prefix);

  /** Puts a setting; it is on disk on return. */
  void putSetting(String key, String value);

  /**
   * The setting's value; if it has none, this one is put first. When several servers do so at the
   * same time, all get the same value.
   */
  String settingOnce(String key, String value);

  @Override
  void close();
}
