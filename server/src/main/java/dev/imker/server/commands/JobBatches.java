package dev.imker.server.commands;

import dev.imker.core.message.JobHeader;
import dev.imker.core.message.Outbox;
import dev.imker.core.message.StageHeader;
import dev.imker.model.JobId;
import dev.imker.model.account.Quota;
import dev.imker.model.job.JobSpec;
import dev.imker.server.live.PublishedData;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.PoolUnavailableException;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.server.loop.SpawnKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Adds jobs in one step, all or none; later ones may wait for earlier ones. */
public final class JobBatches {
  /**
   * Numbers that no other job gets.
   *
   * @param epoch of the server that gave them; worth nothing with another one
   */
  public record Numbers(long epoch, List<JobId> ids) {}

  /**
   * A job to be added.
   *
   * @param id one of {@link Numbers}; null if nobody needs to know it before
   * @param requestKey makes the submission idempotent among jobs in memory; may be empty
   * @param session of the user's program that wants to hear of its outcomes; may be empty
   */
  public record Entry(@Nullable JobId id, JobSpec spec, String requestKey, String session) {
    Entry with(JobSpec resolved) {
      return new Entry(id, resolved, requestKey, session);
    }
  }

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
            ids.add(pool.numbers().reserve());
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
            pool.numbers().giveBack(numbers.ids);
          }
          return true;
        });
  }

  /**
   * Adds the jobs; nothing is changed if one of them is refused. Refused at once with {@link
   * PoolUnavailableException} while too many submissions are under way, so that a slow disk does
   * not fill the memory with jobs that wait for it.
   *
   * @param numbers those of the entries; null if they have none
   * @return what became of them; earlier jobs if they were submitted with the same keys
   */
  public CompletableFuture<List<JobCommands.Submitted>> submit(
      String user, @Nullable Numbers numbers, List<Entry> entries, Quota quota) {
    // Costs as much as there are tasks, so it is done before the loop's turn.
    List<List<StageHeader>> stages = new ArrayList<>();
    entries.forEach(entry -> stages.add(StageHeader.of(entry.spec)));
    List<JobSpec> specs = entries.stream().map(Entry::spec).toList();
    return gate.pass(specs, () -> change(user, numbers, entries, stages, quota));
  }

  private CompletableFuture<List<JobCommands.Submitted>> change(
      String user,
      @Nullable Numbers numbers,
      List<Entry> entries,
      List<List<StageHeader>> stages,
      Quota quota) {
    return loop.change(
        (pool, nowMillis, out) -> {
          Optional<JobId> earlier = pool.byRequestKey(entries.getFirst().requestKey);
          if (earlier.isPresent()) {
            return earlier(pool, entries);
          }
          List<Entry> resolved = new ArrayList<>();
          List<List<StageHeader>> headers = new ArrayList<>();
          PublishedData.Together together = new PublishedData.Together();
          for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            headers.add(pool.published().headers(user, entry.spec, stages.get(i)));
            JobSpec spec = pool.published().resolve(user, entry.spec);
            resolved.add(entry.with(spec));
            pool.published().requireAttainable(user, spec, together, pool::job);
            together.add(spec);
          }
          check(pool, user, numbers, resolved, headers, quota, nowMillis);
          claim(pool, resolved);
          return add(pool, user, resolved, headers, nowMillis, out);
        });
  }

  /** They came in one step, so either all are there or none. */
  private static List<JobCommands.Submitted> earlier(PoolState pool, List<Entry> entries) {
    return entries.stream()
        .map(entry -> pool.byRequestKey(entry.requestKey).orElseThrow())
        .map(id -> new JobCommands.Submitted(id, false))
        .toList();
  }

  private static void check(
      PoolState pool,
      String user,
      @Nullable Numbers numbers,
      List<Entry> entries,
      List<List<StageHeader>> stages,
      Quota quota,
      long nowMillis) {
    if (numbers != null && pool.epoch() != numbers.epoch) {
      throw new PoolUnavailableException(
          "Another server has taken over; nothing was submitted. Try again.");
    }
    if (quota.limitsTasks()) {
      long tasks = entries.stream().mapToLong(entry -> entry.spec.taskCount()).sum();
      JobCommands.requireRoom(pool, user, tasks, quota);
    }
    Set<JobId> own = new HashSet<>();
    for (int i = 0; i < entries.size(); i++) {
      SpawnKey.parse(entries.get(i).requestKey).ifPresent(key -> key.requireParent(pool));
      for (JobId before : JobHeader.before(stages.get(i))) {
        if (!own.contains(before)) {
          JobCommands.requireJob(pool, before, nowMillis);
        }
      }
      JobId id = entries.get(i).id;
      if (id != null) {
        own.add(id);
      }
    }
  }

  /** Whoever did not wait for the answer may have given the numbers back to be used by others. */
  private static void claim(PoolState pool, List<Entry> entries) {
    List<JobId> ids = entries.stream().map(Entry::id).filter(Objects::nonNull).toList();
    if (!ids.isEmpty() && !pool.numbers().claim(ids)) {
      throw new PoolUnavailableException(
          "The server took too long; nothing was submitted. Try again.");
    }
  }

  private static List<JobCommands.Submitted> add(
      PoolState pool,
      String user,
      List<Entry> entries,
      List<List<StageHeader>> stages,
      long nowMillis,
      Outbox out) {
    List<JobCommands.Submitted> added = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      Entry entry = entries.get(i);
      JobId id = entry.id == null ? pool.numbers().next() : entry.id;
      JobCommands.add(
          pool,
          user,
          id,
          entry.spec,
          stages.get(i),
          entry.requestKey,
          entry.session,
          nowMillis,
          out);
      added.add(new JobCommands.Submitted(id, true));
    }
    return added;
  }
}
