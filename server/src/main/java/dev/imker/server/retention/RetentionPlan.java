package dev.imker.server.retention;

import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.JobStatus;
import dev.imker.model.TaskRange;
import dev.imker.model.job.After;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.StageGraph;
import dev.imker.store.AccountReads;
import dev.imker.store.JobFilter;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the jobs that the rules no longer keep: those settled too long ago, then, where files are
 * too many, those that settled first. A job whose results a live job waits for is never among them.
 */
final class RetentionPlan {
  private static final int PAGE = 1000;

  private final Reads reads;
  private final AccountReads accounts;
  private final RuleBook rules;

  RetentionPlan(Reads reads, AccountReads accounts, RuleBook rules) {
    this.reads = reads;
    this.accounts = accounts;
    this.rules = rules;
  }

  List<Doomed> at(long nowMillis) {
    Set<JobId> needed = needed();
    Map<String, RetentionRules> ofUser = new HashMap<>();
    List<JobRecord> settled = settled(nowMillis, needed);
    List<Doomed> doomed = new ArrayList<>();
    List<JobRecord> left = new ArrayList<>();
    for (JobRecord job : settled) {
      RetentionRules rule = ofUser.computeIfAbsent(job.project().user(), rules::of);
      long days = rule.days(job.status());
      if (days >= 0 && job.settledMillis() < nowMillis - Duration.ofDays(days).toMillis()) {
        doomed.add(new Doomed(job, bytes(job.id()), "older than " + days + " days"));
      } else {
        left.add(job);
      }
    }
    limitSizes(left, doomed);
    return doomed;
  }

  private List<JobRecord> settled(long nowMillis, Set<JobId> needed) {
    List<JobRecord> all = new ArrayList<>();
    JobId before = null;
    for (List<JobRecord> page = page(null); !page.isEmpty(); page = page(before)) {
      before = page.getLast().id();
      for (JobRecord job : page) {
        if (job.isSettled() && job.settledMillis() < nowMillis && !needed.contains(job.id())) {
          all.add(job);
        }
      }
    }
    all.sort((a, b) -> Long.compare(a.settledMillis(), b.settledMillis()));
    return all;
  }

  private List<JobRecord> page(@org.jspecify.annotations.Nullable JobId before) {
    return reads.jobs(JobFilter.ALL, before, PAGE);
  }

  /** Users with a limit of their own first, then the pool as a whole. */
  private void limitSizes(List<JobRecord> left, List<Doomed> doomed) {
    Map<String, RetentionRules> own = rules.users();
    own.forEach(
        (user, rule) -> {
          if (rule.maxBytes() >= 0) {
            List<JobRecord> jobs =
                left.stream().filter(job -> job.project().user().equals(user)).toList();
            long freed = freed(doomed, user);
            limit(jobs, left, doomed, accounts.storageBytes(user) - freed - rule.maxBytes(), user);
          }
        });
    long most = rules.pool().maxBytes();
    if (most >= 0) {
      long used = accounts.totalBytes() - freed(doomed, "");
      limit(List.copyOf(left), left, doomed, used - most, "the pool");
    }
  }

  private static long freed(List<Doomed> doomed, String user) {
    return doomed.stream()
        .filter(one -> user.isEmpty() || one.job().project().user().equals(user))
        .mapToLong(Doomed::bytes)
        .sum();
  }

  private void limit(
      List<JobRecord> jobs, List<JobRecord> left, List<Doomed> doomed, long excess, String whose) {
    long rest = excess;
    for (JobRecord job : jobs) {
      if (rest <= 0) {
        return;
      }
      long bytes = bytes(job.id());
      if (bytes > 0) {
        doomed.add(new Doomed(job, bytes, "files of " + whose + " are too many"));
        left.remove(job);
        rest -= bytes;
      }
    }
  }

  private long bytes(JobId job) {
    Map<BlobId, Long> files = new HashMap<>();
    reads.forEachBlob(job, files::put);
    return files.values().stream().mapToLong(size -> size).sum();
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
