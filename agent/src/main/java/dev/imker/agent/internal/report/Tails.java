package dev.imker.agent.internal.report;

import dev.imker.agent.internal.host.JavaTasks;
import dev.imker.agent.internal.lease.HeldLease;
import dev.imker.agent.internal.lease.LogTail;
import dev.imker.agent.internal.lease.SecretMask;
import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.agent.internal.lease.Uplink;
import dev.imker.model.job.JobKind;
import dev.imker.wire.proto.FollowLog;

/** The runs whose output somebody follows. Owned by the runner's thread. */
public final class Tails {
  private final Uplink uplink;
  private int count;

  public Tails(Uplink uplink) {
    this.uplink = uplink;
  }

  public boolean isEmpty() {
    return count == 0;
  }

  /** Somebody wants to follow a run, or no longer; true if there may be something to send. */
  public boolean follow(HeldLease held, FollowLog order) {
    TaskRun run = held.run;
    if (run == null || run.phase == TaskRun.Phase.REPORTING || run.isOver()) {
      tail(held, order).end();
      return false;
    }
    drop(run);
    if (order.getOn()) {
      run.tail = tail(held, order);
      count++;
      JavaTasks.follow(run.process, true);
    }
    return order.getOn();
  }

  private LogTail tail(HeldLease held, FollowLog order) {
    return new LogTail(
        held.wire(),
        order.getStdoutOffset(),
        order.getStderrOffset(),
        new SecretMask(held.secrets().values()),
        uplink::trySend);
  }

  /** Sends what is new of a run, if somebody follows it. */
  public void send(TaskRun run) {
    if (run.tail != null && run.template.kind() == JobKind.JAVA) {
      run.tail.send(run.liveLog);
    } else if (run.tail != null && run.folder != null) {
      run.tail.send(run.folder.stdout(), run.folder.stderr());
    }
  }

  /** Nothing more comes of a run. */
  public void end(TaskRun run) {
    if (run.tail != null) {
      run.tail.end();
      drop(run);
    }
  }

  private void drop(TaskRun run) {
    if (run.tail != null) {
      run.tail = null;
      count--;
      JavaTasks.follow(run.process, false);
    }
  }
}
