package dev.imker.server.check;

import dev.imker.core.message.JobPicture;
import dev.imker.model.JobId;
import dev.imker.model.JobStatus;
import dev.imker.server.commands.Await;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.PoolStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the memory of a server with the pool as read from the database, while work continues. A
 * standby is compared row by row in one snapshot.
 *
 * <p>A leader changes all the time, and its memory is ahead of what can be read. So the database is
 * read, then the leader is asked, then the database is read again: what is the same both times must
 * also have been in the leader's memory in between. What changed is checked again. A difference
 * counts if it is found twice.
 */
public final class LiveCheck {
  private static final Logger LOG = LoggerFactory.getLogger(LiveCheck.class);
  private static final int ROUNDS = 6;
  private static final int MAX_TOLD = 100;

  /** The loop does nothing else while it tells of so many tasks. */
  private static final int TASKS_AT_ONCE = 100_000;

  /**
   * @param position of a leader its epoch, of a standby epoch and turn
   * @param tasks of all jobs that were compared
   * @param unsettled jobs that changed whenever they were looked at
   * @param differences in words; empty, as it should be
   */
  public record Result(
      boolean leads,
      String position,
      long jobs,
      long tasks,
      long unsettled,
      long millis,
      List<String> differences) {}

  private final SchedulerLoop loop;

  public LiveCheck(SchedulerLoop loop) {
    this.loop = loop;
  }

  /** One at a time, since each reads all of the pool. */
  public synchronized Result run() throws InterruptedException {
    long begun = System.nanoTime();
    Optional<PoolStore.Followed> followed = loop.followed();
    Result result =
        loop.isLeading() || followed.isEmpty() ? leader(begun) : follower(followed.get(), begun);
    result
        .differences()
        .forEach(difference -> LOG.error("Memory and database differ: {}", difference));
    return result;
  }

  private static long since(long begunNanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
  }

  /** One that is wrong reads all again, now that it was told. */
  private static Result follower(PoolStore.Followed followed, long begun) {
    PoolStore.Checked checked = followed.check();
    if (!checked.differences().isEmpty()) {
      followed.forget();
    }
    return new Result(
        false,
        checked.at().toString(),
        checked.jobs(),
        checked.tasks(),
        0,
        since(begun),
        few(checked.differences()));
  }

  private static List<String> few(List<String> all) {
    if (all.size() <= MAX_TOLD) {
      return all;
    }
    List<String> few = new ArrayList<>(all.subList(0, MAX_TOLD));
    few.add("and %,d more".formatted(all.size() - MAX_TOLD));
    return few;
  }

  // ---------------------------------------------------------------- a leader

  private Result leader(long begun) throws InterruptedException {
    Map<String, String> settings = settings(loop.readAfresh());
    Map<JobId, JobPicture> before = readAfresh();
    Set<JobId> all = new TreeSet<>(before.keySet());
    all.addAll(Await.answer(loop.ask(LiveCheck::openJobs)));
    long tasks = before.values().stream().mapToLong(JobPicture::size).sum();
    Set<JobId> left = all;
    Map<JobId, List<String>> suspected = Map.of();
    List<String> certain = new ArrayList<>();
    for (int round = 0; round < ROUNDS && !left.isEmpty(); round++) {
      Map<JobId, JobPicture> memory = remembered(left, before);
      Map<JobId, JobPicture> after = readAfresh();
      Set<JobId> again = new TreeSet<>();
      Map<JobId, List<String>> found = new HashMap<>();
      for (JobId job : left) {
        JobComparison compared =
            JobComparison.of(job, before.get(job), memory.get(job), after.get(job));
        List<String> twice = new ArrayList<>(compared.differences());
        twice.retainAll(suspected.getOrDefault(job, List.of()));
        certain.addAll(twice);
        if (twice.isEmpty() && !compared.isClear()) {
          again.add(job);
          found.put(job, compared.differences());
        }
      }
      before = after;
      suspected = found;
      left = again;
    }
    certain.addAll(differences(settings));
    return new Result(
        true,
        Long.toString(loop.epoch()),
        all.size(),
        tasks,
        left.size(),
        since(begun),
        few(certain));
  }

  private Map<JobId, JobPicture> readAfresh() {
    PoolState fresh = loop.readAfresh();
    return pictures(fresh, openJobs(fresh));
  }

  private static List<JobId> openJobs(PoolState pool) {
    return pool.scheduler().view().jobs().stream().filter(job -> isOpen(pool, job)).toList();
  }

  private static boolean isOpen(PoolState pool, JobId job) {
    int[] counts = pool.counts(job);
    return counts != null && !JobStatus.of(counts).isSettled();
  }

  private static Map<JobId, JobPicture> pictures(PoolState pool, List<JobId> jobs) {
    Map<JobId, JobPicture> pictures = new LinkedHashMap<>();
    for (JobId job : jobs) {
      JobPicture picture = isOpen(pool, job) ? pool.scheduler().view().picture(job) : null;
      if (picture != null) {
        pictures.put(job, picture);
      }
    }
    return pictures;
  }

  private Map<JobId, JobPicture> remembered(Set<JobId> jobs, Map<JobId, JobPicture> read)
      throws InterruptedException {
    Map<JobId, JobPicture> all = new HashMap<>();
    List<JobId> some = new ArrayList<>();
    int tasks = 0;
    for (JobId job : jobs) {
      JobPicture known = read.get(job);
      some.add(job);
      tasks += known == null ? 1 : known.size();
      if (tasks >= TASKS_AT_ONCE) {
        all.putAll(ask(some));
        some.clear();
        tasks = 0;
      }
    }
    all.putAll(ask(some));
    return all;
  }

  private Map<JobId, JobPicture> ask(List<JobId> jobs) throws InterruptedException {
    List<JobId> asked = List.copyOf(jobs);
    return asked.isEmpty() ? Map.of() : Await.answer(loop.ask(pool -> pictures(pool, asked)));
  }

  /** What an admin said of the pool. */
  private static Map<String, String> settings(PoolState pool) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("strategy", pool.strategy());
    pool.resources()
        .all()
        .forEach((name, amount) -> all.put("resource " + name, amount.toString()));
    pool.agents()
        .terms()
        .all()
        .forEach((node, terms) -> all.put("terms of node " + node, terms.toString()));
    return all;
  }

  /** What is the same before and after. */
  private List<String> differences(Map<String, String> before) throws InterruptedException {
    Map<String, String> memory = Await.answer(loop.ask(LiveCheck::settings));
    Map<String, String> after = settings(loop.readAfresh());
    Set<String> names = new TreeSet<>(before.keySet());
    names.addAll(memory.keySet());
    List<String> found = new ArrayList<>();
    for (String name : names) {
      String written = before.get(name);
      String known = memory.get(name);
      if (Objects.equals(written, after.get(name)) && !Objects.equals(written, known)) {
        found.add(
            "%s: this server has %s; the database has %s"
                .formatted(name, JobComparison.orNothing(known), JobComparison.orNothing(written)));
      }
    }
    return found;
  }
}
