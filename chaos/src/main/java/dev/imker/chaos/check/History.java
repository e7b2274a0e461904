package dev.imker.chaos.check;

import java.util.List;

/**
 * All that is known of a run when it is over.
 *
 * @param acknowledged jobs whose submission was answered
 * @param returned words that calls from Java brought back
 * @param jobs all jobs the pool has
 * @param tasks of the acknowledged jobs
 */
public record History(
    List<SubmittedJob> acknowledged,
    List<String> returned,
    List<FinalJob> jobs,
    List<FinalTask> tasks,
    PoolWrites writes,
    AttemptLog log) {
  public History {
    acknowledged = List.copyOf(acknowledged);
    returned = List.copyOf(returned);
    jobs = List.copyOf(jobs);
    tasks = List.copyOf(tasks);
  }
}
