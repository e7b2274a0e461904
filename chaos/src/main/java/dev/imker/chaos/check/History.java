package dev.imker.chaos.check;

import java.util.List;
import java.util.Map;

/**
 * All that is known of a run when it is over.
 *
 * @param acknowledged jobs whose submission was answered
 * @param returned words that calls from Java brought back, by the number of the call
 * @param jobs all jobs the pool has
 * @param tasks of the acknowledged jobs
 * @param told what clients were told meanwhile, in the order of each client
 * @param dropped names of jobs that were put into the drop folder, and whether the folder shows
 *     them as done
 * @param notices of the jobs that have web hooks
 * @param forgets whether backups were restored, so that what ran after them runs again
 */
public record History(
    List<SubmittedJob> acknowledged,
    Map<Integer, String> returned,
    List<FinalJob> jobs,
    List<FinalTask> tasks,
    PoolWrites writes,
    AttemptLog log,
    List<Told> told,
    Map<String, Boolean> dropped,
    List<Noticed> notices,
    boolean forgets) {
  public History {
    acknowledged = List.copyOf(acknowledged);
    returned = Map.copyOf(returned);
    told = List.copyOf(told);
    dropped = Map.copyOf(dropped);
    notices = List.copyOf(notices);
    jobs = List.copyOf(jobs);
    tasks = List.copyOf(tasks);
  }
}
