package dev.imker.server.internal.rest.changes;

import dev.imker.model.JobId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What changed since a subscriber last looked. However often a job changes, it waits here once: a
 * slow subscriber sees fewer of its states, never a longer queue.
 */
public final class Subscription {
  /** What changed; both may be empty. */
  public record Batch(List<JobId> jobs, boolean nodes) {}

  private final Set<JobId> only;
  private final Set<JobId> jobs = new LinkedHashSet<>();
  private boolean nodes;
  private boolean settled;

  /**
   * @param only the jobs of interest; empty means all jobs, and nodes too
   */
  Subscription(Set<JobId> only) {
    this.only = only;
  }

  Set<JobId> only() {
    return only;
  }

  synchronized void jobsChanged(Collection<JobId> changed, Collection<JobId> settledNow) {
    for (JobId job : changed) {
      if (isOfInterest(job)) {
        jobs.add(job);
      }
    }
    settled |= settledNow.stream().anyMatch(this::isOfInterest);
    if (!jobs.isEmpty()) {
      notifyAll();
    }
  }

  private boolean isOfInterest(JobId job) {
    return only.isEmpty() || only.contains(job);
  }

  synchronized void nodesChanged() {
    if (only.isEmpty()) {
      nodes = true;
      notifyAll();
    }
  }

  /** Waits so long, or until a job has settled that was not taken yet. */
  public synchronized void pause(long millis) throws InterruptedException {
    long deadline = System.nanoTime() + millis * 1_000_000;
    while (!settled) {
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return;
      }
      wait(left);
    }
  }

  /** Waits for changes, no longer than that; returns at most so many jobs. */
  public synchronized Batch take(long millis, int mostJobs) throws InterruptedException {
    long deadline = System.nanoTime() + millis * 1_000_000;
    while (jobs.isEmpty() && !nodes) {
      long left = (deadline - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        return new Batch(List.of(), false);
      }
      wait(left);
    }
    List<JobId> taken = new ArrayList<>();
    for (Iterator<JobId> it = jobs.iterator(); it.hasNext() && taken.size() < mostJobs; ) {
      taken.add(it.next());
      it.remove();
    }
    boolean nodesToo = nodes;
    nodes = false;
    settled &= !jobs.isEmpty();
    return new Batch(taken, nodesToo);
  }
}
