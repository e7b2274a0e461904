package dev.imker.server.loop;

import dev.imker.model.AttemptOutcome;
import dev.imker.model.JobId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.AttemptStarted;
import dev.imker.model.change.Change;
import dev.imker.model.change.JobAdded;
import dev.imker.model.recent.RecentMap;
import dev.imker.server.live.LiveJob;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Figures of the work itself, by project, from what was committed; on the loop's thread. Projects
 * beyond a limit count together, so that nobody can flood whoever scrapes.
 */
public final class WorkMeter implements PoolListener {
  private static final int MAX_PROJECTS = 200;
  private static final int MAX_WAITING_JOBS = 100_000;
  private static final String OTHERS = "(others)";
  private static final Duration[] BUCKETS = {
    Duration.ofMillis(10),
    Duration.ofMillis(100),
    Duration.ofSeconds(1),
    Duration.ofSeconds(10),
    Duration.ofMinutes(1),
    Duration.ofMinutes(10),
    Duration.ofHours(1),
    Duration.ofHours(6),
    Duration.ofDays(1)
  };

  private record Project(
      Map<String, Counter> attempts, Map<String, Counter> tasks, Timer waits, Timer runs) {}

  private final MeterRegistry registry;
  private final PoolListener next;
  private volatile long oldestMillis;
  private final Map<String, Project> projects = new HashMap<>();
  private final Map<JobId, Long> waiting = RecentMap.ofNewest(MAX_WAITING_JOBS);

  /**
   * @param next hears everything as well
   */
  public WorkMeter(MeterRegistry registry, PoolListener next, Clock clock) {
    this.registry = registry;
    this.next = next;
    Gauge.builder("imker.job.oldest.waiting", () -> oldestSeconds(clock.millis()))
        .description("Age of the oldest job submitted under this leader that has not started")
        .baseUnit("seconds")
        .strongReference(true)
        .register(registry);
  }

  private double oldestSeconds(long nowMillis) {
    long oldest = oldestMillis;
    return oldest == 0 ? 0 : Math.max(0, nowMillis - oldest) / 1000.0;
  }

  @Override
  public void committed(List<Change> changes, PoolState pool) {
    for (Change change : changes) {
      switch (change) {
        case JobAdded added -> waiting.put(added.job(), added.submittedMillis());
        case AttemptStarted started -> started(started, pool);
        case AttemptEnded ended -> ended(ended, pool);
        default -> {}
      }
    }
    oldestMillis = waiting.isEmpty() ? 0 : waiting.values().iterator().next();
    next.committed(changes, pool);
  }

  private void started(AttemptStarted started, PoolState pool) {
    Long added = waiting.remove(started.task().job());
    if (added != null) {
      long waited = Math.max(0, started.atMillis() - added);
      project(started.task().job(), pool).waits.record(waited, TimeUnit.MILLISECONDS);
    }
  }

  private void ended(AttemptEnded ended, PoolState pool) {
    Project project = project(ended.task().job(), pool);
    count(project.attempts, ended.report().outcome().name());
    if (ended.state().isSettled()) {
      count(project.tasks, ended.state().name());
    }
    if (ended.report().startedMillis() > 0) {
      project.runs.record(ended.report().runMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private static void count(Map<String, Counter> counters, String name) {
    Counter counter = counters.get(name);
    if (counter != null) {
      counter.increment();
    }
  }

  private Project project(JobId id, PoolState pool) {
    LiveJob job = pool.job(id);
    String name = job == null ? OTHERS : job.spec().project();
    Project known = projects.get(name);
    if (known != null) {
      return known;
    }
    String shown = projects.size() < MAX_PROJECTS ? name : OTHERS;
    return projects.computeIfAbsent(shown, this::register);
  }

  private Project register(String name) {
    Map<String, Counter> attempts = new HashMap<>();
    for (AttemptOutcome outcome : AttemptOutcome.values()) {
      attempts.put(
          outcome.name(),
          Counter.builder("imker.attempts.ended")
              .description("Ended attempts by outcome; lost: the agent stopped responding")
              .tag("project", name)
              .tag("outcome", outcome.name().toLowerCase(Locale.ROOT))
              .register(registry));
    }
    Map<String, Counter> tasks = new HashMap<>();
    for (TaskState state : TaskState.values()) {
      if (state.isSettled()) {
        tasks.put(
            state.name(),
            Counter.builder("imker.tasks.settled")
                .description("Tasks ended by an attempt, by state")
                .tag("project", name)
                .tag("state", state.name().toLowerCase(Locale.ROOT))
                .register(registry));
      }
    }
    return new Project(
        attempts,
        tasks,
        timer(
            "imker.job.wait",
            "Time from the submission of a job to the start of its first task",
            name),
        timer("imker.attempt.run", "Run time of attempts", name));
  }

  private Timer timer(String metric, String description, String project) {
    return Timer.builder(metric)
        .description(description)
        .tag("project", project)
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
  }

  @Override
  public void jobsChanged(Collection<JobId> jobs, Collection<JobId> settled) {
    settled.forEach(waiting::remove);
    oldestMillis = waiting.isEmpty() ? 0 : waiting.values().iterator().next();
    next.jobsChanged(jobs, settled);
  }

  @Override
  public void nodesChanged() {
    next.nodesChanged();
  }
}
