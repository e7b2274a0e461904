package dev.imker.server.rest;

import dev.imker.model.JobId;
import dev.imker.server.loop.PoolListener;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;

/** Tells subscribers which jobs changed, from the loop's thread and without waiting for them. */
public final class Changes implements PoolListener {
  private final Set<Subscription> subscriptions = new CopyOnWriteArraySet<>();

  Subscription subscribe(List<JobId> only) {
    Subscription subscription = new Subscription(Set.copyOf(only));
    subscriptions.add(subscription);
    return subscription;
  }

  void unsubscribe(Subscription subscription) {
    subscriptions.remove(subscription);
  }

  @Override
  public void jobsChanged(Collection<JobId> jobs) {
    for (Subscription subscription : subscriptions) {
      subscription.jobsChanged(jobs);
    }
  }

  @Override
  public void nodesChanged() {
    for (Subscription subscription : subscriptions) {
      subscription.nodesChanged();
    }
  }
}
