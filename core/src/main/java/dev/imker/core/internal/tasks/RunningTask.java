package dev.imker.core.internal.tasks;

import dev.imker.core.profile.NodeProfile;
import dev.imker.model.TaskEvent;
import org.jspecify.annotations.Nullable;

/**
 * A task in state RUNNING and the attempts at it, oldest first. Usually one; several with
 * speculative delivery; none while a lost one waits for its return to READY.
 */
public final class RunningTask {
  public final TaskArray job;
  public final StageTasks stage;
  public final int index;

  /** Whether it is in the list of tasks that may be copied. */
  public final boolean copyable;

  private @Nullable LiveAttempt first;
  private int attempts;

  /** What will bring it back to READY; null while there is an attempt. */
  public @Nullable TaskEvent returning;

  public long returnMillis;

  /** By how much it counts for more than a core, in hundredths; negative for less. */
  public long beyondOneCore;

  /** Links of the list of tasks that may be copied. */
  public @Nullable RunningTask before;

  public @Nullable RunningTask after;

  public RunningTask(TaskArray job, int index) {
    this.job = job;
    this.stage = job.stage(index);
    this.index = index;
    this.copyable = stage.speculative();
  }

  public int attempts() {
    return attempts;
  }

  public @Nullable LiveAttempt first() {
    return first;
  }

  public void add(LiveAttempt attempt) {
    attempts++;
    returning = null;
    if (first == null) {
      first = attempt;
      return;
    }
    LiveAttempt last = first;
    for (LiveAttempt next = last; next != null; next = next.nextOfTask) {
      last = next;
    }
    last.nextOfTask = attempt;
  }

  public void remove(LiveAttempt attempt) {
    attempts--;
    if (first == attempt) {
      first = attempt.nextOfTask;
    } else {
      LiveAttempt previous = first;
      while (previous != null && previous.nextOfTask != attempt) {
        previous = previous.nextOfTask;
      }
      if (previous == null) {
        throw new IllegalStateException("attempt " + attempt.lease + " is not at its task");
      }
      previous.nextOfTask = attempt.nextOfTask;
    }
    attempt.nextOfTask = null;
  }

  public boolean isOn(NodeProfile node) {
    for (LiveAttempt attempt = first; attempt != null; attempt = attempt.nextOfTask) {
      if (attempt.agent.profile() == node) {
        return true;
      }
    }
    return false;
  }
}
