package dev.imker.server.internal.retention;

import dev.imker.model.JobId;
import dev.imker.model.JobStatus;
import dev.imker.model.TaskRange;
import dev.imker.model.job.After;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.StageGraph;
import dev.imker.store.JobFilter;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import dev.imker.store.blobs.BlobStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds the jobs that the rules no longer keep: those settled too long ago, then, where jobs take
 * too much of the disk, those that settled first. A job whose results a live job waits for is never
 * among them.
 */
final class RetentionPlan {
  private static final int PAGE = 1000;

  private final Reads reads;
  private final RuleBook rules;
  private final Map<JobId, String> doomed = new LinkedHashMap<>();
  private final List<JobRecord> staying = new ArrayList<>();
  private final List<JobRecord> settled = new ArrayList<>();

  private RetentionPlan(Reads reads, RuleBook rules) {
    this.reads = reads;
    this.rules = rules;
  }

  static List<Doomed> at(long nowMillis, Reads reads, RuleBook rules) {
    return new RetentionPlan(reads, rules).make(nowMillis);
  }

  private List<Doomed> make(long nowMillis) {
    Set<JobId> needed = needed();
    JobId before = null;
    for (List<JobRecord> page = page(null); !page.isEmpty(); page = page(before)) {
      before = page.getLast().id();
      for (JobRecord job : page) {
        boolean over = job.isSettled() && job.settledMillis() < nowMillis;
        (over && !needed.contains(job.id()) ? settled : staying).add(job);
      }
    }
    settled.sort(Comparator.comparingLong(JobRecord::settledMillis));
    limitAge(nowMillis);
    rules.users().forEach((user, rule) -> limitSize(user, rule.maxBytes()));
    Map<JobId, Long> bytes = limitSize("", rules.pool().maxBytes());
    return settled.stream()
        .filter(this::isDoomed)
        .map(
            job ->
                new Doomed(
                    job, bytes.getOrDefault(job.id(), 0L), doomed.getOrDefault(job.id(), "")))
        .toList();
  }

  private boolean isDoomed(JobRecord job) {
    return doomed.containsKey(job.id());
  }

  private void limitAge(long nowMillis) {
    Map<String, RetentionRules> ofUser = new HashMap<>();
    for (JobRecord job : settled) {
      long days = ofUser.computeIfAbsent(job.project().user(), rules::of).days(job.status());
      if (days >= 0 && job.settledMillis() < nowMillis - Duration.ofDays(days).toMillis()) {
        doomed.put(job.id(), "older than " + days + " days");
      }
    }
  }

  private List<JobRecord> page(@Nullable JobId before) {
    return reads.jobs(JobFilter.ALL, before, PAGE);
  }

  /**
   * Dooms the jobs of a user, or of all, that settled first, until the others take no more than the
   * limit; returns what becomes free with each.
   */
  private Map<JobId, Long> limitSize(String user, long maxBytes) {
    if (maxBytes < 0 && (!user.isEmpty() || doomed.isEmpty())) {
      return Map.of();
    }
    Predicate<JobRecord> counts = job -> user.isEmpty() || job.project().user().equals(user);
    List<JobRecord> left = settled.stream().filter(counts).filter(job -> !isDoomed(job)).toList();
    // A file that several jobs have becomes free with the last of them to go, so that is whose it
    // is. Those that go first come last here.
    Map<JobId, Long> shares = new HashMap<>();
    MarkedBlobs seen = new MarkedBlobs();
    long used = 0;
    for (JobRecord job : staying.stream().filter(counts).toList()) {
      used += share(job, seen);
    }
    for (JobRecord job : left.reversed()) {
      long share = share(job, seen);
      shares.put(job.id(), share);
      used += share;
    }
    settled.stream()
        .filter(counts)
        .filter(this::isDoomed)
        .forEach(job -> shares.put(job.id(), share(job, seen)));
    for (JobRecord job : left) {
      if (maxBytes < 0 || used <= maxBytes) {
        break;
      }
      doomed.put(job.id(), user.isEmpty() ? "the pool is too large" : user + " has too much");
      used -= shares.getOrDefault(job.id(), 0L);
    }
    return shares;
  }

  private long share(JobRecord job, MarkedBlobs seen) {
    long[] bytes = {reads.rowBytes(job.id())};
    reads.forEachBlob(
        job.id(), (blob, size) -> bytes[0] += seen.add(blob) ? BlobStore.diskBytes(size) : 0);
    return bytes[0];
  }

  /** Jobs whose tasks live jobs wait for or take results from. */
  private Set<JobId> needed() {
    Set<JobId> needed = new HashSet<>();
    JobFilter open = JobFilter.ALL.withStatuses(JobStatus.OPEN);
    JobId before = null;
    while (true) {
      List<JobRecord> page = reads.jobs(open, before, PAGE);
      for (JobRecord job : page) {
        reads.spec(job.id()).ifPresent(spec -> addNeeded(spec, needed));
        before = job.id();
      }
      if (page.size() < PAGE) {
        return needed;
      }
    }
  }

  private static void addNeeded(JobSpec spec, Set<JobId> needed) {
    for (Stage stage : spec.stages()) {
      for (After after : StageGraph.predecessors(stage)) {
        if (!after.tasks().isEmpty()) {
          TaskRange.parse(after.tasks()).forEach(range -> needed.add(range.job()));
        }
      }
    }
  }
}
