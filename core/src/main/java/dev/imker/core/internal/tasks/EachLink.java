package dev.imker.core.internal.tasks;

import dev.imker.model.TaskState;

/** The n-th task depends on the n-th: only the start of both stages has to be stored. */
record EachLink(TaskArray job, StageTasks before, StageTasks after) implements GroupLink {
  @Override
  public boolean isComplete(int index) {
    return job.state(partner(index)) == TaskState.DONE;
  }

  @Override
  public boolean isBroken(int index) {
    return TaskGraph.isLostFor(job.state(partner(index)));
  }

  @Override
  public int culprit(int index) {
    return isBroken(index) ? partner(index) : -1;
  }

  @Override
  public void moved(int from, int toExclusive, TaskState was, TaskState is, RecheckList recheck) {
    int shift = after.first - before.first;
    recheck.add(from + shift, toExclusive + shift);
  }

  private int partner(int index) {
    return index - after.first + before.first;
  }
}
