package dev.imker.server.internal.blackboard;

import dev.imker.model.Lease;
import dev.imker.model.ProjectId;
import dev.imker.server.commands.Await;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.loop.LiveState;
import dev.imker.store.AttemptRecord;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import java.util.Optional;

/** Whether the calling task is still running: a task's token is valid as long as its lease. */
public record TaskLeases(Reads reads, LiveState live) {
  /**
   * The project of the task, as long as its lease is valid. A task may call before its start is on
   * disk (decision 0022), but the live state answers only after that.
   */
  public Optional<ProjectId> project(Identity.Held held) throws InterruptedException {
    Optional<ProjectId> written = written(held);
    return written.isEmpty() && isLive(held) ? written(held) : written;
  }

  private boolean isLive(Identity.Held held) throws InterruptedException {
    return Await.answer(
        live.ask(pool -> pool.scheduler().view().isKnown(held.agent(), held.lease())));
  }

  private Optional<ProjectId> written(Identity.Held held) {
    Lease lease = held.lease();
    boolean running =
        reads.attempts(lease.task()).stream().anyMatch(attempt -> isTheOne(attempt, held));
    return running ? reads.job(lease.task().job()).map(JobRecord::project) : Optional.empty();
  }

  private static boolean isTheOne(AttemptRecord attempt, Identity.Held held) {
    return attempt.token().equals(held.lease().token())
        && attempt.agent().equals(held.agent())
        && attempt.report() == null;
  }
}
