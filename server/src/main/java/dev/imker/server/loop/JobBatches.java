package dev.imker.server.loop;

import dev.imker.core.JobHeader;
import dev.imker.core.Outbox;
import dev.imker.core.StageHeader;
import dev.imker.model.JobId;
import dev.imker.model.JobSpec;
import dev.imker.model.account.Quota;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** Adds several jobs in one step, all or none; later ones may wait for earlier ones. */
public final class JobBatches {
  /**
   * Numbers that no other job gets.
   *
   * @param epoch of the server that gave them; worth nothing with another one
   */
  public record Numbers(long epoch, List<JobId> ids) {}

  /** A job with its number; an empty key is none. */
  public record Entry(JobId id, JobSpec spec, String requestKey) {}

  private final SchedulerLoop loop;
  private final SubmissionGate gate = new SubmissionGate();

  public JobBatches(SchedulerLoop loop) {
    this.loop = loop;
  }

  public CompletableFuture<Numbers> reserve(int count) {
    return loop.change(
        (pool, nowMillis, out) -> {
          List<JobId> ids = new ArrayList<>(count);
          for (int i = 0; i < count; i++) {
            ids.add(pool.nextJobId());
          }
          return new Numbers(pool.epoch(), ids);
        });
  }

  /**
   * Takes back numbers of jobs that were refused, so that no gap is seen where it can be avoided.
   */
  public CompletableFuture<Boolean> giveBack(Numbers numbers) {
    return loop.change(
        (pool, nowMillis, out) -> {
          if (pool.epoch() == numbers.epoch) {
            pool.giveBack(numbers.ids.getFirst(), numbers.ids.getLast());
          }
          return true;
        });
  }

  /**
   * Adds the jobs; nothing is changed if one of them is refused.
   *
   * @return their numbers; those of earlier jobs if they were submitted with the same keys
   */
  public CompletableFuture<List<JobId>> submit(
      String user, long epoch, List<Entry> entries, Quota quota) {
    List<List<StageHeader>> stages = new ArrayList<>();
    entries.forEach(entry -> stages.add(StageHeader.of(entry.spec)));
    List<JobSpec> specs = entries.stream().map(Entry::spec).toList();
    return gate.pass(specs, () -> change(user, epoch, entries, stages, quota));
  }

  private CompletableFuture<List<JobId>> change(
      String user, long epoch, List<Entry> entries, List<List<StageHeader>> stages, Quota quota) {
    return loop.change(
        (pool, nowMillis, out) -> {
          Optional<JobId> earlier = pool.byRequestKey(entries.getFirst().requestKey);
          if (earlier.isPresent()) {
            return earlier(pool, entries);
          }
          check(pool, user, epoch, entries, stages, quota, nowMillis);
          return add(pool, user, entries, stages, nowMillis, out);
        });
  }

  /** They came in one step, so either all are there or none. */
  private static List<JobId> earlier(PoolState pool, List<Entry> entries) {
    return entries.stream()
        .map(entry -> pool.byRequestKey(entry.requestKey).orElse(entry.id))
        .toList();
  }

  private static void check(
      PoolState pool,
      String user,
      long epoch,
      List<Entry> entries,
      List<List<StageHeader>> stages,
      Quota quota,
      long nowMillis) {
    if (pool.epoch() != epoch) {
      throw new PoolUnavailableException(
          "Another server has taken over; nothing was submitted, try again.");
    }
    if (quota.limitsTasks()) {
      long tasks = entries.stream().mapToLong(entry -> entry.spec.taskCount()).sum();
      JobCommands.requireRoom(pool, user, tasks, quota);
    }
    Set<JobId> own = new HashSet<>();
    for (int i = 0; i < entries.size(); i++) {
      for (JobId before : JobHeader.before(stages.get(i))) {
        if (!own.contains(before)) {
          JobCommands.requireJob(pool, before, nowMillis);
        }
      }
      own.add(entries.get(i).id);
    }
  }

  private static List<JobId> add(
      PoolState pool,
      String user,
      List<Entry> entries,
      List<List<StageHeader>> stages,
      long nowMillis,
      Outbox out) {
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      JobCommands.add(
          pool, user, entry.id, entry.spec, stages.get(i), entry.requestKey, nowMillis, out);
    }
    return entries.stream().map(Entry::id).toList();
  }
}
