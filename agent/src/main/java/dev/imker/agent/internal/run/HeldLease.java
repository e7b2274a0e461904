package dev.imker.agent.internal.run;

import dev.imker.model.Lease;
import dev.imker.model.LeaseToken;
import dev.imker.model.TaskId;
import dev.imker.model.TaskTemplate;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Finished;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A lease from its assignment until the server confirms its report. The report may be read and
 * marked as sent by any thread; everything about the run belongs to the runner.
 */
final class HeldLease {
  private final dev.imker.wire.proto.Lease wire;
  private final Lease lease;
  private final int attempt;
  private final List<String> params;
  private volatile @Nullable Finished report;
  private volatile boolean sent;
  private volatile boolean journaled;

  /** The run, from the moment that the job's description is known. */
  @Nullable TaskRun run;

  HeldLease(Assignment assignment) {
    this(assignment.getLease(), assignment.getAttempt(), List.copyOf(assignment.getParamsList()));
  }

  private HeldLease(dev.imker.wire.proto.Lease wire, int attempt, List<String> params) {
    this.wire = wire;
    this.lease =
        new Lease(TaskId.of(wire.getJob(), wire.getIndex()), new LeaseToken(wire.getToken()));
    this.attempt = attempt;
    this.params = params;
  }

  /** One that an earlier life of this agent finished. */
  static HeldLease finishedBefore(Finished report) {
    HeldLease held = new HeldLease(report.getLease(), 0, List.of());
    held.report = report;
    held.journaled = true;
    return held;
  }

  dev.imker.wire.proto.Lease wire() {
    return wire;
  }

  Lease lease() {
    return lease;
  }

  long token() {
    return wire.getToken();
  }

  long job() {
    return wire.getJob();
  }

  int attempt() {
    return attempt;
  }

  List<String> params() {
    return params;
  }

  TaskRun begin(TaskTemplate template) {
    TaskRun begun = new TaskRun(this, template);
    run = begun;
    return begun;
  }

  @Nullable Finished report() {
    return report;
  }

  void finish(Finished finished) {
    report = finished;
  }

  boolean isSent() {
    return sent;
  }

  void markSent(boolean now) {
    sent = now;
  }

  boolean isJournaled() {
    return journaled;
  }

  void markJournaled() {
    journaled = true;
  }
}
