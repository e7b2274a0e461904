package dev.imker.server.internal.rest.changes;

import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptEnded;
import dev.imker.model.change.Change;
import java.util.List;

/** How many attempts have ended since the server started. Only the loop's thread counts. */
public final class EndTally {
  /** Attempts that brought a task to its end, and those that did not. */
  public record Ends(long done, long failed) {}

  private volatile Ends ends = new Ends(0, 0);

  void committed(List<Change> changes) {
    long done = 0;
    long failed = 0;
    for (Change change : changes) {
      if (change instanceof AttemptEnded ended) {
        if (ended.state() == TaskState.DONE) {
          done++;
        } else if (ended.state() != TaskState.CANCELLED) {
          failed++;
        }
      }
    }
    if (done + failed > 0) {
      ends = new Ends(ends.done + done, ends.failed + failed);
    }
  }

  public Ends ends() {
    return ends;
  }
}
