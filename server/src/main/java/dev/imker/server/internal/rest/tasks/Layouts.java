package dev.imker.server.internal.rest.tasks;

import dev.imker.model.JobId;
import dev.imker.model.job.StageIndex;
import dev.imker.model.recent.RecentMap;
import dev.imker.server.commands.Await;
import dev.imker.server.internal.rest.jobs.JobViews;
import dev.imker.server.live.LiveJob;
import dev.imker.server.loop.SchedulerLoop;
import dev.imker.store.Reads;
import java.lang.ref.SoftReference;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which task of a job has which values. A specification may have millions of values, so those of
 * the jobs looked at last are kept as long as there is memory for them. What they are made of never
 * changes.
 */
public final class Layouts {
  private static final int MAX_KEPT = 32;

  private final SchedulerLoop loop;
  private final Reads reads;
  private final Map<JobId, SoftReference<StageIndex>> kept = RecentMap.ofLastUsed(MAX_KEPT);

  public Layouts(SchedulerLoop loop, Reads reads) {
    this.loop = loop;
    this.reads = reads;
  }

  /** Complains if there is no such job. */
  public StageIndex require(JobId job) throws InterruptedException {
    StageIndex known = known(job);
    if (known != null) {
      return known;
    }
    StageIndex found =
        Await.answer(loop.ask(pool -> Optional.ofNullable(pool.job(job)).map(LiveJob::stages)))
            .or(() -> reads.spec(job).map(StageIndex::of))
            .orElseThrow(() -> JobViews.unknown(job));
    synchronized (kept) {
      kept.put(job, new SoftReference<>(found));
    }
    return found;
  }

  private @Nullable StageIndex known(JobId job) {
    synchronized (kept) {
      SoftReference<StageIndex> reference = kept.get(job);
      return reference == null ? null : reference.get();
    }
  }
}
