package dev.imker.server.history;

import dev.imker.model.JobId;
import dev.imker.model.NodeId;
import dev.imker.model.TaskState;
import dev.imker.store.AvailabilityRecord;
import dev.imker.store.JobFilter;
import dev.imker.store.JobRecord;
import dev.imker.store.NodeRecord;
import dev.imker.store.Reads;
import dev.imker.store.RunRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the recorded history of machines and work from the store. */
public final class HistoryReader {
  private static final int MAX_JOBS = 5000;
  private static final int MAX_RUNS_PER_JOB = 2000;
  private static final int PAGE = 500;

  private final Reads reads;
  private final JobFilter filter;
  private final Map<NodeId, Integer> positions = new HashMap<>();

  public HistoryReader(Reads reads) {
    this(reads, JobFilter.ALL);
  }

  private HistoryReader(Reads reads, JobFilter filter) {
    this.reads = reads;
    this.filter = filter;
  }

  /** Reads the machines and a user's own work; everybody's if no user is given. */
  public static HistoryReader of(Reads reads, @Nullable String onlyUser) {
    return new HistoryReader(
        reads, onlyUser == null ? JobFilter.ALL : JobFilter.ALL.withUser(onlyUser));
  }

  /** The last days before the last thing that was recorded. */
  public HistoryView readLast(
      String pool,
      String strategy,
      long leaseMillis,
      Map<String, Double> resources,
      Duration span) {
    List<JobRecord> newest = reads.jobs(filter, null, PAGE);
    long end = lastOf(reads.availability(0), newest);
    return read(pool, strategy, leaseMillis, resources, end - span.toMillis(), end);
  }

  /** The record from one time to another. */
  public HistoryView read(
      String pool,
      String strategy,
      long leaseMillis,
      Map<String, Double> resources,
      long sinceMillis,
      long end) {
    List<NodeRecord> nodes = reads.nodes();
    for (NodeRecord node : nodes) {
      positions.put(node.id(), positions.size());
    }
    List<AvailabilityRecord> comings = reads.availability(0);
    List<JobRecord> records = jobsSince(sinceMillis);
    List<HistoryView.Job> jobs = new ArrayList<>();
    for (JobRecord record : records) {
      HistoryView.Job job = job(record, end);
      if (job.tasks() > 0) {
        jobs.add(job);
      }
    }
    return new HistoryView(
        pool, strategy, sinceMillis, end, leaseMillis, resources, nodes(nodes, comings, end), jobs);
  }

  private static long lastOf(List<AvailabilityRecord> comings, List<JobRecord> jobs) {
    long last = comings.isEmpty() ? 0 : comings.getLast().atMillis();
    for (JobRecord job : jobs) {
      last = Math.max(last, Math.max(job.submittedMillis(), job.settledMillis()));
    }
    return last;
  }

  private List<JobRecord> jobsSince(long sinceMillis) {
    List<JobRecord> jobs = new ArrayList<>();
    @Nullable JobId before = null;
    while (jobs.size() < MAX_JOBS) {
      List<JobRecord> page = reads.jobs(filter, before, PAGE);
      for (JobRecord job : page) {
        if (job.submittedMillis() >= sinceMillis) {
          jobs.add(job);
        }
      }
      if (page.size() < PAGE || page.getLast().submittedMillis() < sinceMillis) {
        break;
      }
      before = page.getLast().id();
    }
    Collections.reverse(jobs);
    return jobs;
  }

  private HistoryView.Job job(JobRecord job, long endMillis) {
    List<HistoryView.Run> runs = new ArrayList<>();
    for (RunRecord run : reads.runs(job.id(), MAX_RUNS_PER_JOB)) {
      Integer node = positions.get(run.node());
      if (node != null && (run.state() == TaskState.DONE || run.state() == TaskState.FAILED)) {
        runs.add(new HistoryView.Run(node, run.runMillis(), run.granted().text()));
      }
    }
    int[] counts = job.countsByState();
    int ended = counts[TaskState.DONE.ordinal()] + counts[TaskState.FAILED.ordinal()];
    return new HistoryView.Job(
        job.id().value(),
        job.project().user(),
        job.project().name(),
        job.submittedMillis(),
        job.isSettled() ? job.settledMillis() : endMillis,
        runs.isEmpty() ? 0 : Math.max(ended, runs.size()),
        runs);
  }

  private static List<HistoryView.Node> nodes(
      List<NodeRecord> nodes, List<AvailabilityRecord> comings, long endMillis) {
    Map<NodeId, List<AvailabilityRecord>> byNode = new LinkedHashMap<>();
    for (AvailabilityRecord coming : comings) {
      byNode.computeIfAbsent(coming.node(), node -> new ArrayList<>()).add(coming);
    }
    List<HistoryView.Node> views = new ArrayList<>();
    for (NodeRecord node : nodes) {
      double benchmark = 0;
      int slots = 0;
      Map<String, Long> amounts = new HashMap<>();
      for (NodeRecord.Agent agent : node.agents()) {
        benchmark = Math.max(benchmark, agent.platform().benchmarkMillis());
        slots += agent.slots();
        agent
            .platform()
            .amounts()
            .forEach((name, amount) -> amounts.merge(name, amount, Math::max));
      }
      views.add(
          new HistoryView.Node(
              node.id().value(),
              benchmark,
              slots,
              amounts,
              spans(byNode.getOrDefault(node.id(), List.of()), endMillis)));
    }
    return views;
  }

  /** A node that comes while it is there has been away for a moment: its up-time begins anew. */
  static List<HistoryView.Span> spans(List<AvailabilityRecord> comings, long endMillis) {
    List<HistoryView.Span> spans = new ArrayList<>();
    long upSince = -1;
    for (AvailabilityRecord coming : comings) {
      long at = coming.atMillis();
      switch (coming.what()) {
        case UP -> {
          close(spans, upSince, at);
          upSince = at;
        }
        case BACK -> upSince = upSince < 0 ? at : upSince;
        case DOWN, LEFT -> {
          close(spans, upSince, at);
          upSince = -1;
        }
      }
    }
    close(spans, upSince, endMillis);
    return spans;
  }

  private static void close(List<HistoryView.Span> spans, long fromMillis, long toMillis) {
    if (fromMillis >= 0 && toMillis > fromMillis) {
      spans.add(new HistoryView.Span(fromMillis, toMillis));
    }
  }
}
