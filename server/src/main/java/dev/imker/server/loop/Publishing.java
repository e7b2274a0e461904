package dev.imker.server.loop;

import dev.imker.core.message.JobHeader;
import dev.imker.core.message.Outbox;
import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.SettingPut;
import dev.imker.model.change.SpecChanged;
import dev.imker.model.job.JobSpec;
import dev.imker.server.live.LiveJob;
import dev.imker.server.live.PublishedData;
import java.util.Collection;
import java.util.List;

/**
 * Publishes the results of stages in the transaction in which the last of their tasks is done, and
 * tells those who wait for them.
 */
final class Publishing {
  private Publishing() {}

  /**
   * @param touched jobs in which something happened
   */
  static void go(Collection<JobId> touched, PoolState pool, long nowMillis, Outbox out) {
    PublishedData data = pool.published();
    boolean any = false;
    for (JobId id : data.publishing(touched)) {
      LiveJob job = pool.job(id);
      List<SettingPut> puts =
          job == null
              ? List.of()
              : data.publish(
                  job,
                  index -> pool.scheduler().view().state(new TaskId(id, index)) == TaskState.DONE);
      puts.forEach(out::change);
      any |= !puts.isEmpty();
    }
    if (any) {
      data.waiting().forEach(id -> tell(id, pool, nowMillis, out));
    }
  }

  private static void tell(JobId id, PoolState pool, long nowMillis, Outbox out) {
    LiveJob job = pool.job(id);
    JobHeader header = pool.scheduler().view().job(id);
    if (job == null || header == null) {
      return;
    }
    JobSpec spec = pool.published().resolve(job.user(), job.spec());
    if (!spec.equals(job.spec())) {
      out.change(new SpecChanged(id, spec));
      pool.scheduler()
          .onPublished(
              nowMillis,
              id,
              pool.published().headers(job.user(), job.spec(), header.stages()),
              out);
      pool.replace(job.changed(spec));
    }
  }
}
