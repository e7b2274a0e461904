package dev.imker.core.internal.steps;

import dev.imker.core.internal.tasks.TaskArray;
import dev.imker.core.message.Outbox;
import dev.imker.model.change.JobChanged;

/** Reports the state of a job as a whole to the outbox. */
public final class JobReports {
  private JobReports() {}

  /** To be called once after every event that changed tasks of the job. */
  public static void touched(TaskArray job, long nowMillis, Outbox out) {
    boolean settled = job.isSettled();
    // A settled job whose tasks change once more, such as by a cancel, is told with its new counts.
    if (settled || job.settledTold()) {
      job.settledTold(settled);
      changed(job, nowMillis, out);
    }
    out.jobTouched(job.id());
  }

  public static void changed(TaskArray job, long nowMillis, Outbox out) {
    long settledMillis = job.settledTold() ? nowMillis : JobChanged.OPEN;
    out.change(new JobChanged(job.id(), job.counts(), settledMillis, job.priority()));
  }
}
