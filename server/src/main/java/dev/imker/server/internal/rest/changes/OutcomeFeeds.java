package dev.imker.server.internal.rest.changes;

import dev.imker.model.JobId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.change.Change;
import dev.imker.model.change.JobChanged;
import dev.imker.model.change.TaskChanged;
import dev.imker.model.change.TasksChanged;
import dev.imker.server.live.LiveJob;
import dev.imker.server.loop.PoolState;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArraySet;
import org.jspecify.annotations.Nullable;

/**
 * Notifies subscribers of ended tasks from the loop's thread, without waiting for them. A
 * subscriber receives the outcomes of its session's jobs, with their output, or of one job.
 */
public final class OutcomeFeeds {
  /** Sessions of different users are different ones, whatever their names. */
  private record Session(String user, String name) {}

  private static final int MAX_LEFT = 10_000;

  private final Map<Object, Set<OutcomeFeed>> bySubject = new ConcurrentHashMap<>();

  /** When subjects were followed last that nobody follows any more. */
  private final Map<Object, Long> leftNanos = new ConcurrentHashMap<>();

  /** Outcomes of a session's jobs while they are followed. */
  public Following ofSession(String user, String name) {
    return new Following(new Session(user, name));
  }

  /** How long ago somebody followed a session here; zero while that is so, empty if never. */
  public Optional<Duration> sinceFollowed(String user, String name) {
    Session session = new Session(user, name);
    Long left = leftNanos.get(session);
    return bySubject.containsKey(session)
        ? Optional.of(Duration.ZERO)
        : Optional.ofNullable(left).map(nanos -> Duration.ofNanos(System.nanoTime() - nanos));
  }

  /** Outcomes and changes of a job while it is followed. */
  public Following ofJob(JobId job) {
    return new Following(job);
  }

  /** A subscription, until it is closed. */
  public final class Following implements AutoCloseable {
    private final Object subject;
    private final OutcomeFeed feed = new OutcomeFeed();

    private Following(Object subject) {
      this.subject = subject;
      bySubject.compute(
          subject,
          (_, known) -> {
            Set<OutcomeFeed> feeds = known == null ? new CopyOnWriteArraySet<>() : known;
            feeds.add(feed); // in here: the last one to leave takes the set along
            return feeds;
          });
    }

    public OutcomeFeed feed() {
      return feed;
    }

    @Override
    public void close() {
      bySubject.computeIfPresent(
          subject,
          (_, feeds) -> {
            feeds.remove(feed);
            if (feeds.isEmpty() && subject instanceof Session) {
              noteLeft(subject);
            }
            return feeds.isEmpty() ? null : feeds;
          });
    }
  }

  private void noteLeft(Object session) {
    if (leftNanos.size() > MAX_LEFT) {
      leftNanos.clear();
    }
    leftNanos.put(session, System.nanoTime());
  }

  void jobsChanged(Collection<JobId> jobs) {
    if (!bySubject.isEmpty()) {
      for (JobId job : jobs) {
        bySubject.getOrDefault(job, Set.of()).forEach(OutcomeFeed::jobChanged);
      }
    }
  }

  void committed(List<Change> changes, PoolState pool) {
    if (bySubject.isEmpty()) {
      return;
    }
    Set<JobId> settledJobs = new LinkedHashSet<>();
    for (Change change : changes) {
      switch (change) {
        case AttemptEnded ended -> {
          if (ended.state().isSettled()) {
            JobId job = ended.task().job();
            tell(pool.job(job), key -> ended(key, ended));
          }
        }
        case TaskChanged task -> {
          int number = task.task().index() + 1;
          settled(pool, task.task().job(), number, number, task.state());
        }
        case TasksChanged tasks ->
            settled(
                pool, tasks.job(), tasks.fromIndex() + 1, tasks.toIndexExclusive(), tasks.state());
        case JobChanged job -> {
          if (job.settledMillis() == JobChanged.OPEN) {
            settledJobs.remove(job.job()); // it begins again, or is rolled back
          } else {
            settledJobs.add(job.job());
          }
        }
        default -> {}
      }
    }
    for (JobId job : settledJobs) {
      tell(pool.job(job), key -> plain(key, job, null, null, "SETTLED"));
    }
  }

  private void settled(PoolState pool, JobId job, int number, int last, TaskState state) {
    if (state.isSettled()) {
      tell(pool.job(job), key -> plain(key, job, number, last, state.name()));
    }
  }

  private interface Outcome {
    OutcomeView of(String key);
  }

  private void tell(@Nullable LiveJob job, Outcome outcome) {
    if (job == null) {
      return;
    }
    Set<OutcomeFeed> ofJob = bySubject.get(job.id());
    Set<OutcomeFeed> ofSession =
        job.session().isEmpty() ? null : bySubject.get(new Session(job.user(), job.session()));
    if (ofJob != null || ofSession != null) {
      OutcomeView view = outcome.of(job.requestKey().substring(job.requestKey().indexOf(':') + 1));
      if (ofJob != null) {
        ofJob.forEach(feed -> feed.add(view.withoutOutput()));
      }
      if (ofSession != null) {
        ofSession.forEach(feed -> feed.add(view));
      }
    }
  }

  private static OutcomeView ended(String key, AttemptEnded ended) {
    return of(
        key,
        ended.task().job(),
        ended.task().index() + 1,
        ended.state(),
        ended.report().stdout(),
        ended.report().error());
  }

  public static OutcomeView of(
      @Nullable String key,
      JobId job,
      int number,
      TaskState state,
      CapturedOutput stdout,
      String error) {
    boolean blob = stdout.blob() != null;
    return new OutcomeView(
        key,
        job.value(),
        number,
        null,
        state.name(),
        blob || stdout.size() == 0 ? null : stdout.inline(),
        blob ? true : null,
        error.isEmpty() ? null : error);
  }

  private static OutcomeView plain(
      String key, JobId job, @Nullable Integer number, @Nullable Integer last, String state) {
    return new OutcomeView(key, job.value(), number, last, state, null, null, null);
  }
}
