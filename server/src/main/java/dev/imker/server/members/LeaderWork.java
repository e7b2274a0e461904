package dev.imker.server.members;

import dev.imker.server.drop.DropFolders;
import dev.imker.server.internal.columns.ColumnKeeper;
import dev.imker.server.internal.retention.Retention;
import dev.imker.server.loop.NotLeadingException;
import dev.imker.store.DeposedException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What only the leader does by itself: remove old work, send notices, follow plans, watch drop
 * folders. It begins and ends in order, on a thread of its own, because ending waits for what is
 * under way.
 */
public final class LeaderWork implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderWork.class);
  private static final long PATIENCE_SECONDS = 30;

  private final Runnable tidying;
  private final Retention retention;
  private final ColumnKeeper columns;
  private final DropFolders drops;
  private final List<DropFolders.Added> named;
  private final List<Supplier<Runnable>> others;
  private static final long RETRY_SECONDS = 2;

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofVirtual().name("imker-leader-work").factory());
  private final Deque<Runnable> enders = new ArrayDeque<>();

  /** Counts each begin and end: what was to be tried again for an earlier one is not. */
  private final AtomicInteger terms = new AtomicInteger();

  /**
   * @param tidying what is done first
   * @param others what else begins; each tells how to end it
   */
  public LeaderWork(
      Runnable tidying,
      Retention retention,
      ColumnKeeper columns,
      DropFolders drops,
      List<DropFolders.Added> named,
      List<Supplier<Runnable>> others) {
    this.tidying = tidying;
    this.retention = retention;
    this.columns = columns;
    this.drops = drops;
    this.named = named;
    this.others = List.copyOf(others);
  }

  /** For a server that is alone: whatever is wrong with its folders is told at once. */
  public void beginNow() {
    drops.requireUsable(named);
    start();
    drops.start(named);
  }

  void begin() {
    int term = terms.incrementAndGet();
    thread.execute(() -> begin(term));
  }

  /** Another server may lead by now, whose work it is then; the database may be away. */
  private void begin(int term) {
    if (term != terms.get()) {
      return;
    }
    try {
      stop();
      start();
      drops.start(named);
    } catch (DeposedException | NotLeadingException e) {
      LOG.debug("drop folders are left to the next leader", e);
    } catch (RuntimeException e) {
      LOG.warn("What only a leader does cannot begin yet, trying again: {}", e.getMessage());
      var _ = thread.schedule(() -> begin(term), RETRY_SECONDS, TimeUnit.SECONDS);
    }
  }

  private void start() {
    tidying.run();
    retention.start();
    columns.start();
    others.forEach(other -> enders.push(other.get()));
  }

  /** Ends, and then does something more. */
  void end(Runnable last) {
    terms.incrementAndGet();
    thread.execute(
        () -> {
          stop();
          last.run();
        });
  }

  private void stop() {
    drops.close();
    while (!enders.isEmpty()) {
      enders.pop().run();
    }
    retention.close();
    columns.stop();
  }

  @Override
  public void close() {
    end(() -> {});
    thread.shutdown();
    try {
      if (!thread.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("Some work of the leader did not stop in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
