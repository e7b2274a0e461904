package dev.imker.server.internal.retention;

import static dev.imker.store.blobs.BlobStore.Freed.NOTHING;

import dev.imker.model.BlobId;
import dev.imker.model.ImkerException;
import dev.imker.model.JobId;
import dev.imker.model.account.BoardItem;
import dev.imker.model.change.AuditPruned;
import dev.imker.model.change.BoardRemoved;
import dev.imker.store.PoolStore;
import dev.imker.store.blobs.BlobStore;
import dev.imker.store.blobs.BlobStore.Freed;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Applies the retention rules once a day, and on request of an admin. */
public final class Retention implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Retention.class);
  private static final Duration GRACE = Duration.ofHours(24);
  private static final Duration FIRST = Duration.ofMinutes(10);
  private static final Duration PAUSE = Duration.ofHours(24);
  private static final Duration SLICE_PAUSE = Duration.ofMillis(20);
  private static final int PAGE = 1000;

  /** Takes a settled job out of the pool; returns whether it could be. */
  @FunctionalInterface
  public interface JobRemover {
    boolean remove(JobId job) throws InterruptedException;
  }

  /** What was removed, or would be. */
  public record Report(boolean dryRun, List<Doomed> jobs, Freed files) {}

  private final PoolStore store;
  private final RuleBook rules;
  private final RecordBook book;
  private final JobRemover remover;
  private final BlobStore blobs;
  private final BlobSweep sweep;
  private final Clock clock;
  private final ReentrantLock one = new ReentrantLock();
  private @Nullable Thread thread;

  public Retention(
      PoolStore store,
      BlobStore blobs,
      Supplier<List<BlobId>> kept,
      RecordBook book,
      JobRemover remover,
      Clock clock) {
    this.store = store;
    this.book = book;
    this.remover = remover;
    this.clock = clock;
    rules = new RuleBook(store);
    this.blobs = blobs;
    sweep = new BlobSweep(store, blobs, book, kept);
  }

  /** Begins to do so daily; again, after {@link #close()}. */
  public synchronized void start() {
    thread = Thread.ofVirtual().name("imker-retention").start(this::daily);
  }

  public RuleBook rules() {
    return rules;
  }

  private void daily() {
    try {
      Thread.sleep(FIRST);
      while (!Thread.currentThread().isInterrupted()) {
        try {
          Report report = run(false);
          LOG.info(
              "Removed {} jobs and {} files, {} bytes",
              report.jobs.size(),
              report.files.blobs(),
              report.files.diskBytes());
        } catch (ImkerException e) {
          LOG.warn("Could not remove old work: {}", e.getMessage());
        } catch (RuntimeException e) { // or nothing would ever be removed again
          LOG.error("Could not remove old work", e);
        }
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException e) {
      LOG.debug("No more work is removed");
    }
  }

  /** Applies the rules; one run at a time. */
  public Report run(boolean dryRun) throws InterruptedException {
    return run(dryRun, GRACE);
  }

  /**
   * @param grace how long a file without a reference stays; less than a submission may take puts
   *     its files at risk
   */
  public Report run(boolean dryRun, Duration grace) throws InterruptedException {
    one.lockInterruptibly();
    try {
      long now = clock.millis();
      long before = now - grace.toMillis();
      List<Doomed> doomed = RetentionPlan.at(now, store.reads(), rules);
      if (dryRun) {
        return new Report(true, doomed, sweep.run(now, before, true, ids(doomed)));
      }
      // On a full disk files have to go before anything else can be written.
      Freed first = grace.compareTo(GRACE) < 0 ? sweep.run(now, before, false, Set.of()) : NOTHING;
      List<Doomed> removed = new ArrayList<>();
      for (Doomed one : doomed) {
        if (remover.remove(one.job().id())) {
          removed.add(one);
        }
      }
      forgetOld(now);
      Freed second = sweep.run(now, before, false, ids(removed));
      shrink();
      return new Report(false, removed, first.plus(second));
    } finally {
      one.unlock();
    }
  }

  private static Set<JobId> ids(List<Doomed> doomed) {
    return doomed.stream().map(one -> one.job().id()).collect(Collectors.toSet());
  }

  /** Gives space back to the disk, in slices between which others have their turn. */
  private void shrink() throws InterruptedException {
    while (blobs.shrink()) {
      Thread.sleep(SLICE_PAUSE);
    }
    while (store.shrink()) {
      Thread.sleep(SLICE_PAUSE);
    }
  }

  private void forgetOld(long nowMillis) throws InterruptedException {
    long auditDays = rules.pool().auditDays();
    if (auditDays >= 0) {
      book.write(List.of(new AuditPruned(nowMillis - Duration.ofDays(auditDays).toMillis())));
    }
    List<BoardItem> expired = store.board().expired(nowMillis, PAGE);
    while (!expired.isEmpty()) {
      book.write(
          expired.stream().map(item -> new BoardRemoved(item.project(), item.name())).toList());
      expired = store.board().expired(nowMillis, PAGE);
    }
  }

  @Override
  public synchronized void close() {
    Thread daily = thread;
    if (daily == null) {
      return;
    }
    daily.interrupt();
    try {
      daily.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
