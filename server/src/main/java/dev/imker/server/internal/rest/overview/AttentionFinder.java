package dev.imker.server.internal.rest.overview;

import dev.imker.core.message.AgentView;
import dev.imker.core.profile.NodeProfile;
import dev.imker.core.profile.PoolProfile;
import dev.imker.model.Availability;
import dev.imker.model.JobId;
import dev.imker.model.JobStatus;
import dev.imker.model.NodeId;
import dev.imker.model.ProjectId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.job.Stage;
import dev.imker.server.commands.Await;
import dev.imker.server.internal.notify.QueueAlarm;
import dev.imker.server.internal.rest.explain.FittingNodes;
import dev.imker.server.internal.rest.explain.TaskExplanation;
import dev.imker.server.internal.rest.failures.LastLine;
import dev.imker.server.internal.rest.nodes.NodeNames;
import dev.imker.server.live.LiveJob;
import dev.imker.server.live.LostTerms;
import dev.imker.server.loop.PoolState;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.AvailabilityRecord;
import dev.imker.store.JobFilter;
import dev.imker.store.JobRecord;
import dev.imker.store.NodeRecord;
import dev.imker.store.PoolStore;
import dev.imker.store.Reads;
import dev.imker.store.TaskQuery;
import dev.imker.store.TaskRecord;
import dev.imker.store.blobs.BlobStore;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds what needs a person, at most every few seconds however many ask. */
public final class AttentionFinder {
  private static final Logger LOG = LoggerFactory.getLogger(AttentionFinder.class);
  private static final long VALID_MILLIS = 5_000;
  private static final int MAX_JOBS_LOOKED_AT = 5_000;
  private static final int MAX_OF_A_KIND = 10;
  private static final int MAX_TASKS_LOOKED_AT = 100;
  private static final Duration FAILED_WITHIN = Duration.ofDays(7);
  private static final Duration FLAPPING_WITHIN = Duration.ofHours(1);
  private static final int FLAPPING_FROM = 3;
  private static final int FAILING_FROM = 5;

  private record Reading(List<Attention> found, long atMillis) {}

  private record Live(
      Map<LiveJob, Integer> autoBlocked,
      List<LiveJob> queued,
      List<AgentView> agents,
      Map<NodeId, Integer> failing,
      int ready,
      Optional<LostTerms.Evidence> lost,
      Map<String, Double> shared) {}

  private final SchedulerLoop loop;
  private final PoolStore store;
  private final Reads reads;
  private final RecheckedResults rechecked;
  private final BlobStore blobs;
  private final Clock clock;
  private volatile @Nullable Reading last;

  public AttentionFinder(SchedulerLoop loop, PoolStore store, BlobStore blobs, Clock clock) {
    this.blobs = blobs;
    this.loop = loop;
    this.store = store;
    this.reads = store.reads();
    this.rechecked = new RecheckedResults(store);
    this.clock = clock;
  }

  synchronized List<Attention> found() throws InterruptedException {
    Reading known = last;
    if (known != null && clock.millis() - known.atMillis < VALID_MILLIS) {
      return known.found;
    }
    Reading fresh = new Reading(look(), clock.millis());
    last = fresh;
    return fresh.found;
  }

  private List<Attention> look() throws InterruptedException {
    Live live = Await.answer(loop.ask(AttentionFinder::live));
    Map<NodeId, Integer> goings = goings();
    boolean quiet = live.queued.isEmpty() && live.failing.isEmpty() && goings.isEmpty();
    List<NodeRecord> nodes = quiet ? List.of() : reads.nodes();
    List<Attention> found = new ArrayList<>();
    boolean connected = live.agents.stream().anyMatch(AgentView::connected);
    QueueAlarm.since(store).map(since -> longQueue(live.ready, since)).ifPresent(found::add);
    if (live.ready > 0 && !connected) {
      found.add(
          new Attention(
              "NO_MACHINE",
              null,
              null,
              null,
              "Work is waiting, and no machine is connected",
              "Start an agent: 'imker agent --join …' with the token that 'imker up' printed."));
    }
    live.lost.map(AttentionFinder::restored).ifPresent(found::add);
    live.autoBlocked.forEach(
        (job, count) -> found.add(autoBlocked(job.id(), job.user(), job.spec().name(), count)));
    settledWithBlocked(found);
    found.addAll(rechecked.find(clock.millis()));
    if (connected) {
      live.queued.forEach(job -> fitless(job, nodes, live).ifPresent(found::add));
    }
    NodeNames names = NodeNames.of(nodes);
    goings.forEach((node, count) -> found.add(flapping(names.of(node), count)));
    live.failing.forEach((node, failures) -> found.add(failing(names.of(node), failures)));
    return List.copyOf(found);
  }

  private static Attention longQueue(int ready, Instant since) {
    return new Attention(
        "LONG_QUEUE",
        null,
        null,
        null,
        "%,d tasks are ready and waiting for a machine".formatted(ready),
        "That is more than the setting %s allows, since %s. Add machines, or look for a job that is larger than intended."
            .formatted(QueueAlarm.MOST, since.truncatedTo(ChronoUnit.SECONDS)));
  }

  private static Attention restored(LostTerms.Evidence evidence) {
    return new Attention(
        "RESTORED",
        null,
        null,
        null,
        "The database is older than what the agents have seen",
        "Agent %s worked for a leader of epoch %d, which this database has no record of. The database was restored from a backup: jobs submitted after that backup are gone, and their results do not count."
            .formatted(evidence.agentName(), evidence.epoch()));
  }

  // ---------------------------------------------------------------- jobs

  private static Live live(PoolState pool) {
    Map<LiveJob, Integer> autoBlocked = new LinkedHashMap<>();
    List<LiveJob> queued = new ArrayList<>();
    List<JobId> all = pool.scheduler().view().jobs();
    for (int i = all.size() - 1; i >= Math.max(0, all.size() - MAX_JOBS_LOOKED_AT); i--) {
      LiveJob job = pool.job(all.get(i));
      int[] counts = pool.counts(all.get(i));
      if (job == null || counts == null || JobStatus.of(counts).isSettled()) {
        continue;
      }
      int blocked = counts[TaskState.AUTO_BLOCKED.ordinal()];
      if (blocked > 0 && autoBlocked.size() < MAX_OF_A_KIND) {
        autoBlocked.put(job, blocked);
      } else if (JobStatus.of(counts) == JobStatus.QUEUED && queued.size() < MAX_OF_A_KIND) {
        queued.add(job);
      }
    }
    return new Live(
        autoBlocked,
        queued,
        pool.scheduler().view().agents(),
        failing(pool.scheduler().profiles()),
        pool.scheduler().view().ready(),
        pool.agents().lostTerms().first(),
        pool.resources().all());
  }

  /** Jobs that came to their end so, and may be forgotten by the loop. */
  private void settledWithBlocked(List<Attention> found) {
    JobFilter failed = new JobFilter(Set.of(JobStatus.FAILED), null, null, null);
    long since = clock.millis() - FAILED_WITHIN.toMillis();
    for (JobRecord job : reads.jobs(failed, null, MAX_OF_A_KIND)) {
      if (!job.isSettled() || job.settledMillis() < since) {
        continue;
      }
      int blocked = job.countsByState()[TaskState.AUTO_BLOCKED.ordinal()];
      int ran = blocked > 0 ? 0 : reads.failedThatRan(job.id());
      if (blocked > 0) {
        found.add(autoBlocked(job.id(), job.project().user(), job.name(), blocked));
      } else if (ran > 0) {
        found.add(failedForGood(job.id(), job.project().user(), job.name(), ran));
      }
    }
  }

  private Attention autoBlocked(JobId job, String user, String name, int count) {
    return failed(job, user, name, count, TaskState.AUTO_BLOCKED, "failed too often");
  }

  /** Where another attempt cannot help: a program that is not there, a limit of time. */
  private Attention failedForGood(JobId job, String user, String name, int count) {
    return failed(job, user, name, count, TaskState.FAILED, "failed");
  }

  private Attention failed(
      JobId job, String user, String name, int count, TaskState state, String what) {
    String why =
        reads.tasks(new TaskQuery(job, Set.of(state), 0, MAX_TASKS_LOOKED_AT, true)).stream()
            .filter(task -> task.last() != null)
            .findFirst()
            .map(this::story)
            .orElse("");
    return new Attention(
        "AUTO_BLOCKED",
        user,
        job.value(),
        null,
        "%,d %s of %s %s".formatted(count, count == 1 ? "task" : "tasks", label(job, name), what),
        why);
  }

  /** What a task said last, and how it ended. */
  private String story(TaskRecord task) {
    AttemptReport report = task.last() == null ? null : task.last().report();
    String said = "";
    try {
      said = report == null ? "" : LastLine.of(report.stderr(), blobs::open);
    } catch (IOException e) {
      LOG.debug("output of task {}", task.id(), e);
    }
    String ended = report == null || report.error().isEmpty() ? task.reason() : report.error();
    String words = said.isEmpty() || ended.isEmpty() ? said + ended : said + " – " + ended;
    return words.isEmpty() ? "" : "Task %s: %s".formatted(task.id(), words);
  }

  private static Optional<Attention> fitless(LiveJob job, List<NodeRecord> nodes, Live live) {
    for (Stage stage : job.spec().stages()) {
      FittingNodes fitting =
          new FittingNodes(
              new FittingNodes.Wanted(
                  stage,
                  new ProjectId(job.user(), job.spec().project()),
                  job.spec().kind(),
                  Set.of(),
                  live.shared),
              nodes,
              live.agents);
      if (stage.after().isEmpty() && stage.dataInputs().isEmpty() && fitting.fitting().isEmpty()) {
        return Optional.of(fitless(job, fitting));
      }
    }
    return Optional.empty();
  }

  private static Attention fitless(LiveJob job, FittingNodes fitting) {
    List<TaskExplanation.NodeClass> classes = fitting.classes();
    String why =
        classes.isEmpty()
            ? "No machine is connected."
            : "For example %s: %s."
                .formatted(
                    classes.getFirst().example(), String.join(" and ", classes.getFirst().unmet()));
    return new Attention(
        "NO_NODE_FITS",
        job.user(),
        job.id().value(),
        null,
        "No machine fits " + label(job.id(), job.spec().name()),
        why);
  }

  private static String label(JobId id, String name) {
    return name.isEmpty() ? "job " + id : "job " + id + " (" + name + ")";
  }

  // ---------------------------------------------------------------- machines

  private static Map<NodeId, Integer> failing(PoolProfile pool) {
    Map<NodeId, Integer> found = new HashMap<>();
    for (int i = 0; i < pool.nodes() && found.size() < MAX_OF_A_KIND; i++) {
      NodeProfile node = pool.node(i);
      if (node.isUp() && node.faults() >= FAILING_FROM && node.faults() > node.successes()) {
        found.put(node.node(), node.faults());
      }
    }
    return found;
  }

  private static Attention failing(String node, int failures) {
    return new Attention(
        "FAILING",
        null,
        null,
        node,
        node + " fails more often than it succeeds",
        "%,d attempts failed there. Look at its attempts, or drain it.".formatted(failures));
  }

  /** How often nodes went that did so often. */
  private Map<NodeId, Integer> goings() {
    Map<NodeId, Integer> all = new HashMap<>();
    for (AvailabilityRecord record :
        reads.availability(clock.millis() - FLAPPING_WITHIN.toMillis())) {
      if (record.what() == Availability.DOWN) {
        all.merge(record.node(), 1, Integer::sum);
      }
    }
    Map<NodeId, Integer> often = new HashMap<>();
    all.forEach(
        (node, count) -> {
          if (count >= FLAPPING_FROM && often.size() < MAX_OF_A_KIND) {
            often.put(node, count);
          }
        });
    return often;
  }

  private static Attention flapping(String node, int goings) {
    return new Attention(
        "FLAPPING",
        null,
        null,
        node,
        node + " keeps disconnecting",
        "It disconnected %d times in the last hour, losing its work each time.".formatted(goings));
  }
}
