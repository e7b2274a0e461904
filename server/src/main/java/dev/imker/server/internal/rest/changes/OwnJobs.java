package dev.imker.server.internal.rest.changes;

import dev.imker.model.JobId;
import dev.imker.model.recent.RecentMap;
import dev.imker.server.internal.auth.Identity;
import dev.imker.store.Reads;
import java.util.List;
import java.util.Map;

/** Tells a subscriber's own jobs from others; remembers the last ones. For one thread. */
public final class OwnJobs {
  private static final int MAX_REMEMBERED = 10_000;

  private final Identity caller;
  private final Reads reads;
  private final Map<JobId, Boolean> own = RecentMap.ofLastUsed(MAX_REMEMBERED);

  public OwnJobs(Identity caller, Reads reads) {
    this.caller = caller;
    this.reads = reads;
  }

  public List<JobId> among(List<JobId> jobs) {
    return caller.onlyUser() == null
        ? jobs
        : jobs.stream().filter(job -> own.computeIfAbsent(job, this::isOwn)).toList();
  }

  private boolean isOwn(JobId job) {
    return reads.job(job).map(found -> caller.maySee(found.project().user())).orElse(false);
  }
}
