package dev.imker.server.loop.follow;

import dev.imker.model.JobId;
import dev.imker.model.job.TaskLimits;
import dev.imker.server.live.TaskLimitSettings;
import dev.imker.store.PoolStore;
import dev.imker.store.RecoverySink;
import java.util.List;

/** Where the live state is restored from: all of it that grows with the pool. */
public interface LiveSource {
  /** See {@link PoolStore#load(RecoverySink)}. */
  void load(RecoverySink recovery);

  /** See {@link PoolStore#load(JobId, RecoverySink)}; only for jobs that open ones wait for. */
  boolean load(JobId job, RecoverySink recovery);

  /** What single tasks of a job have of their own. */
  List<TaskLimits> limits(JobId job);

  /** The database. */
  static LiveSource of(PoolStore store) {
    return new LiveSource() {
      @Override
      public void load(RecoverySink recovery) {
        store.load(recovery);
      }

      @Override
      public boolean load(JobId job, RecoverySink recovery) {
        return store.load(job, recovery);
      }

      @Override
      public List<TaskLimits> limits(JobId job) {
        return TaskLimitSettings.of(store, job);
      }
    };
  }

  /** What this server knows of it. */
  static LiveSource of(PoolStore.Followed followed) {
    return new LiveSource() {
      @Override
      public void load(RecoverySink recovery) {
        followed.load(recovery);
      }

      @Override
      public boolean load(JobId job, RecoverySink recovery) {
        return followed.load(job, recovery);
      }

      @Override
      public List<TaskLimits> limits(JobId job) {
        return TaskLimitSettings.parse(job, followed.taskLimits(job));
      }
    };
  }
}
