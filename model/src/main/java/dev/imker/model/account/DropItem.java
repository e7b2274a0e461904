package dev.imker.model.account;

import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import java.util.List;

/**
 * A file taken from the inbox of a drop folder. This record is authoritative; the folder only
 * displays it.
 *
 * @param id created when the file was taken
 * @param folder which drop folder
 * @param path in the inbox: name, or project and name
 * @param content what was in the file
 * @param shown whether the folder already shows the state
 * @param jobs the jobs created from the file; empty if none
 * @param cause why it failed, for the author of the file; otherwise empty
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
  /** The state of the work for a file. */
  public enum State {
    RUNNING,
    DONE,
    FAILED,
    WITHDRAWN
  }

  public DropItem {
    jobs = List.copyOf(jobs);
  }

  /** Whether work for it is outstanding. */
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

  /** The same in another state that the folder does not show yet. */
  public DropItem as(State value, String why, long nowMillis) {
    return new DropItem(id, folder, path, content, value, false, jobs, why, takenMillis, nowMillis);
  }
}
