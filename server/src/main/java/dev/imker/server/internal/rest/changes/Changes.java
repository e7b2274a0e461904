package dev.imker.server.internal.rest.changes;

import dev.imker.model.JobId;
import dev.imker.model.change.Change;
import dev.imker.server.internal.columns.ColumnKeeper;
import dev.imker.server.internal.coord.SharedWakes;
import dev.imker.server.loop.PoolListener;
import dev.imker.server.loop.PoolState;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Consumer;

/**
 * Notifies subscribers of changed jobs from the loop's thread, without waiting for them. A
 * subscriber to one job costs nothing while others change.
 */
public final class Changes implements PoolListener {
  private final Set<Subscription> ofAll = new CopyOnWriteArraySet<>();
  private final Map<JobId, Set<Subscription>> byJob = new ConcurrentHashMap<>();
  private final OutcomeFeeds outcomes = new OutcomeFeeds();
  private final EndTally tally = new EndTally();
  private final ColumnKeeper columns;
  private final SharedWakes shared = new SharedWakes();

  private final Set<Consumer<Collection<JobId>>> settlings = new CopyOnWriteArraySet<>();

  public Changes(ColumnKeeper columns) {
    this.columns = columns;
  }

  public ColumnKeeper columns() {
    return columns;
  }

  public OutcomeFeeds outcomes() {
    return outcomes;
  }

  /** Those who wait for what tasks share. */
  public SharedWakes shared() {
    return shared;
  }

  public EndTally tally() {
    return tally;
  }

  @Override
  public void committed(List<Change> changes, PoolState pool) {
    tally.committed(changes);
    outcomes.committed(changes, pool);
    columns.committed(changes, pool);
    shared.committed(changes, pool.shared());
  }

  /**
   * @param only the jobs of interest; empty means all jobs, and nodes too
   */
  public Subscription subscribe(List<JobId> only) {
    Subscription subscription = new Subscription(Set.copyOf(only));
    if (only.isEmpty()) {
      ofAll.add(subscription);
    }
    for (JobId job : only) {
      byJob.compute(
          job,
          (_, known) -> {
            Set<Subscription> subscribers = known == null ? new CopyOnWriteArraySet<>() : known;
            subscribers.add(subscription);
            return subscribers;
          });
    }
    return subscription;
  }

  /**
   * Tells which jobs have settled, on the loop's thread.
   *
   * @return how to end that
   */
  public Runnable onSettled(Consumer<Collection<JobId>> listener) {
    settlings.add(listener);
    return () -> settlings.remove(listener);
  }

  public void unsubscribe(Subscription subscription) {
    ofAll.remove(subscription);
    for (JobId job : subscription.only()) {
      byJob.computeIfPresent(
          job,
          (_, subscribers) -> {
            subscribers.remove(subscription);
            return subscribers.isEmpty() ? null : subscribers;
          });
    }
  }

  @Override
  public void jobsChanged(Collection<JobId> jobs, Collection<JobId> settled) {
    for (Subscription subscription : ofAll) {
      subscription.jobsChanged(jobs, settled);
    }
    if (!settled.isEmpty()) {
      settlings.forEach(listener -> listener.accept(settled));
    }
    outcomes.jobsChanged(jobs);
    if (!byJob.isEmpty()) {
      for (JobId job : jobs) {
        for (Subscription subscription : byJob.getOrDefault(job, Set.of())) {
          subscription.jobsChanged(List.of(job), settled);
        }
      }
    }
  }

  @Override
  public void nodesChanged() {
    for (Subscription subscription : ofAll) {
      subscription.nodesChanged();
    }
  }
}
