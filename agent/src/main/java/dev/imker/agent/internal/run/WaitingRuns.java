package dev.imker.agent.internal.run;

import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.agent.internal.lease.Uplink;
import dev.imker.wire.proto.Waiting;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Runs that wait for sub-tasks: their slots are free for others, here and in the eyes of the
 * server. Otherwise tasks that wait could keep those from running that they wait for. Owned by the
 * runner's thread.
 */
final class WaitingRuns {
  private final Uplink uplink;
  private final Set<TaskRun> waiting = new HashSet<>();
  private int told;

  WaitingRuns(Uplink uplink) {
    this.uplink = uplink;
  }

  /** False if it waited already. */
  boolean begin(TaskRun run) {
    boolean news = waiting.add(run);
    if (waiting.size() > told) {
      tell();
    }
    return news;
  }

  /**
   * False if it did not wait. The server hears of it with the next tick: many wait again at once.
   */
  boolean end(TaskRun run) {
    return waiting.remove(run);
  }

  void tellIfFewer() {
    if (waiting.size() != told) {
      tell();
    }
  }

  /** A new session knows of none. */
  void tellAgain() {
    told = 0;
    tellIfFewer();
  }

  private void tell() {
    int now = waiting.size();
    Map<String, Integer> byUser = new HashMap<>();
    waiting.forEach(run -> byUser.merge(run.template.user(), 1, Integer::sum));
    if (uplink.trySend(Waiting.newBuilder().setCount(now).putAllCountByUser(byUser).build())) {
      told = now;
    }
  }
}
