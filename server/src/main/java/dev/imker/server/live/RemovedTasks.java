package dev.imker.server.live;

import dev.imker.core.message.Outbox;
import dev.imker.model.JobId;
import dev.imker.model.change.RemovedTasksDeleted;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What is known of the tasks of removed jobs. Of large jobs it is deleted bit by bit, a few
 * thousand tasks in a turn. Belongs to the loop's thread.
 */
public final class RemovedTasks {
  public static final int TASKS_PER_TURN = 2_000;

  private record Rest(JobId job, int from, int tasks) {}

  private final Deque<Rest> rests = new ArrayDeque<>();

  /** Whether a job has so many tasks that they are not deleted at once. */
  public static boolean areMany(int tasks) {
    return tasks > TASKS_PER_TURN;
  }

  public void add(JobId job, int tasks) {
    rests.add(new Rest(job, 0, tasks));
  }

  public boolean isEmpty() {
    return rests.isEmpty();
  }

  /** Deletes the next ones, if there are any. */
  public void deleteSome(Outbox out) {
    Rest next = rests.poll();
    if (next == null) {
      return;
    }
    int end = Math.min(next.tasks, next.from + TASKS_PER_TURN);
    out.change(new RemovedTasksDeleted(next.job, next.from, end, end == next.tasks));
    if (end < next.tasks) {
      rests.add(new Rest(next.job, end, next.tasks));
    }
  }
}
