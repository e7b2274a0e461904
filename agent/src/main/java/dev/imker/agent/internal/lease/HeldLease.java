package dev.imker.agent.internal.lease;

import dev.imker.model.BlobId;
import dev.imker.model.Granted;
import dev.imker.model.Lease;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.TaskTemplate;
import dev.imker.wire.WireLeases;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A lease from its assignment until the server confirms its report. The report may be read and
 * marked as sent by any thread; everything about the run belongs to the runner.
 */
public final class HeldLease {
  private static final Logger LOG = LoggerFactory.getLogger(HeldLease.class);

  private final dev.imker.wire.proto.Lease wire;
  private final Lease lease;
  private final int attempt;
  private final int losses;
  private final int stage;
  private final List<String> params;
  private final List<InputFile> inputs;
  private final boolean undo;
  private final String previousError;
  private final Map<String, String> secrets;
  private final Granted granted;
  private final boolean ofAdmin;
  private final boolean plain;
  private volatile @Nullable Finished report;
  private volatile boolean sent;
  private volatile long sentNanos;
  private volatile long waitingNanos;
  private volatile boolean journaled;
  private volatile boolean confirmed;

  /** The run, from the moment that the job's description is known. */
  public volatile @Nullable TaskRun run;

  public HeldLease(Assignment assignment) {
    this.wire = assignment.getLease();
    this.lease = WireLeases.of(wire);
    this.attempt = assignment.getAttempt();
    this.losses = assignment.getLosses();
    this.stage = assignment.getStage();
    this.params = List.copyOf(assignment.getParamsList());
    this.inputs = inputs(assignment);
    this.undo = assignment.getPhase() == Phase.UNDO;
    this.previousError = assignment.getPreviousError();
    this.secrets = Map.copyOf(assignment.getSecretsMap());
    this.granted = granted(assignment.getGranted());
    this.ofAdmin = assignment.getOfAdmin();
    this.plain = granted.equals(Granted.ONE_CORE);
  }

  private static Granted granted(String text) {
    try {
      return Granted.parse(text);
    } catch (IllegalArgumentException e) {
      LOG.warn("Cannot tell what resources a task was given; it gets one core", e);
      return Granted.ONE_CORE;
    }
  }

  private static List<InputFile> inputs(Assignment assignment) {
    if (assignment.getInputsCount() == 0) {
      return List.of();
    }
    List<InputFile> inputs = new ArrayList<>(assignment.getInputsCount());
    for (dev.imker.wire.proto.InputFile file : assignment.getInputsList()) {
      inputs.add(
          new InputFile(
              file.getPath(), new BlobId(file.getSha256()), file.getSize(), file.getExecutable()));
    }
    return List.copyOf(inputs);
  }

  /** One that an earlier life of this agent finished. */
  public static HeldLease finishedBefore(Finished report) {
    HeldLease held = new HeldLease(Assignment.newBuilder().setLease(report.getLease()).build());
    held.report = report;
    held.journaled = true;
    return held;
  }

  public dev.imker.wire.proto.Lease wire() {
    return wire;
  }

  public Lease lease() {
    return lease;
  }

  public long token() {
    return wire.getToken();
  }

  /** Differs from that of every other lease of this agent. */
  public long runNumber() {
    return lease.token().value() ^ lease.token().incarnation();
  }

  public long job() {
    return wire.getJob();
  }

  public int attempt() {
    return attempt;
  }

  /**
   * How many earlier attempts were lost with their machines, for which the task is not to blame.
   */
  public int losses() {
    return losses;
  }

  /** Position of the task's stage in its job. */
  public int stage() {
    return stage;
  }

  /** Files of this task alone, besides those of its template. */
  public List<InputFile> inputs() {
    return inputs;
  }

  /** Whether the task, once done, is to be undone. */
  public boolean undo() {
    return undo;
  }

  /** Why the previous attempt failed, if known. */
  public String previousError() {
    return previousError;
  }

  /** What the environment of its task names, for that task alone; nothing of it is written down. */
  public Map<String, String> secrets() {
    return secrets;
  }

  /** What it was given of the machine and of the pool. */
  public Granted granted() {
    return granted;
  }

  /** Whether an admin of the pool has sent its task. */
  public boolean isOfAdmin() {
    return ofAdmin;
  }

  /** Whether it takes one core and nothing else, so that it may have to wait for a slot. */
  public boolean isPlain() {
    return plain;
  }

  public List<String> params() {
    return params;
  }

  public TaskRun begin(TaskTemplate template) {
    TaskRun begun = new TaskRun(this, template);
    run = begun;
    return begun;
  }

  public @Nullable Finished report() {
    return report;
  }

  public void finish(Finished finished) {
    report = finished;
  }

  public boolean isSent() {
    return sent;
  }

  public void markSent(boolean now, long nowNanos) {
    sentNanos = nowNanos;
    sent = now;
  }

  /** Whether its report went out so long ago that it may have got lost. */
  public boolean isSentBefore(long nanos) {
    return sent && sentNanos - nanos < 0;
  }

  /** From now on it waits for a description of its job. */
  void waitFrom(long nowNanos) {
    waitingNanos = nowNanos;
  }

  /** Whether it has waited so long for a description of its job; it then begins to wait anew. */
  public boolean hasWaited(long nanos, long nowNanos) {
    boolean overdue = nowNanos - waitingNanos > nanos;
    if (overdue) {
      waitingNanos = nowNanos;
    }
    return overdue;
  }

  public boolean isJournaled() {
    return journaled;
  }

  public void markJournaled() {
    journaled = true;
  }

  /** Whether the report is no longer needed. */
  public boolean isConfirmed() {
    return confirmed;
  }

  public void markConfirmed() {
    confirmed = true;
  }
}
