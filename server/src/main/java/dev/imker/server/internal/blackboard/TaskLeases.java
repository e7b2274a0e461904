package dev.imker.server.internal.blackboard;

import dev.imker.model.ProjectId;
import dev.imker.model.TaskId;
import dev.imker.server.internal.auth.Identity;
import dev.imker.store.AttemptRecord;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import java.util.Optional;

/** Whether the task that calls still runs: a task's token is worth as much as its lease. */
public record TaskLeases(Reads reads) {
  /** The project of the task, as long as its lease is valid. */
  public Optional<ProjectId> project(Identity.Held held) {
    TaskId task = held.lease().task();
    boolean running = reads.attempts(task).stream().anyMatch(attempt -> isTheOne(attempt, held));
    return running ? reads.job(task.job()).map(JobRecord::project) : Optional.empty();
  }

  private static boolean isTheOne(AttemptRecord attempt, Identity.Held held) {
    return attempt.token().equals(held.lease().token())
        && attempt.agent().equals(held.agent())
        && attempt.report() == null;
  }
}
