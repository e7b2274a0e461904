package dev.imker.model.account;

import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import java.util.List;

/**
 * A file that was taken out of the inbox of a drop folder. This is the truth about it; the folder
 * only shows it.
 *
 * @param id made when the file was taken
 * @param folder which drop folder
 * @param path in the inbox: name, or project and name
 * @param content what was in the file
 * @param shown whether the folder shows the state already
 * @param jobs what the file became; empty if nothing
 * @param cause why it failed, for the person who wrote the file; else empty
 */
public record DropItem(
    String id,
    String folder,
    String path,
    BlobId content,
    State state,
    boolean shown,
    List<JobId> jobs,
    String cause,
    long takenMillis,
    long changedMillis) {
  /** Where the work of a file is. */
  public enum State {
    RUNNING,
    DONE,
    FAILED,
    WITHDRAWN
  }

  public DropItem {
    jobs = List.copyOf(jobs);
  }

  /** Whether there is still something to do about it. */
  public boolean isOpen() {
    return state == State.RUNNING || !shown;
  }

  public DropItem withJobs(List<JobId> value, long nowMillis) {
    return new DropItem(
        id, folder, path, content, state, shown, value, cause, takenMillis, nowMillis);
  }

  public DropItem asShown(long nowMillis) {
    return new DropItem(
        id, folder, path, content, state, true, jobs, cause, takenMillis, nowMillis);
  }

  /** The same in another state, which the folder does not show yet. */
  public DropItem as(State value, String why, long nowMillis) {
    return new DropItem(id, folder, path, content, value, false, jobs, why, takenMillis, nowMillis);
  }
}
