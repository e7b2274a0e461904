package dev.imker.store;

import dev.imker.model.JobId;
import dev.imker.model.change.Change;
import dev.imker.model.shared.SharedEntry;
import dev.imker.model.shared.SharedThing;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
