package dev.imker.agent.simulated;

import dev.imker.agent.internal.lease.HeldLease;
import dev.imker.agent.internal.lease.Holdings;
import dev.imker.agent.internal.lease.LeaseRuns;
import dev.imker.agent.internal.lease.Reporting;
import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.agent.internal.link.LeaseMessages;
import dev.imker.agent.internal.report.Attestor;
import dev.imker.agent.internal.report.Delivery;
import dev.imker.agent.internal.report.ReportJournal;
import dev.imker.model.Lease;
import dev.imker.model.job.TaskTemplate;
import dev.imker.wire.WireLeases;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Confirmed;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.FollowLog;
import dev.imker.wire.proto.JobDescription;
import dev.imker.wire.proto.SignOfLifeReply;
import dev.imker.wire.proto.Stop;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One life of an agent as far as leases and reports go: the agent's own classes for what it holds,
 * what the server says of leases, and bringing reports until they are confirmed. What runs the
 * tasks, the connection and the disk are models.
 */
public final class SteppedAgent {
  /** Where an agent is. */
  public interface Surroundings {
    long nanoTime();

    /** Sends to the server if there is a connection. */
    boolean trySend(Object message);

    /** Does something a little later, in order. */
    void later(Runnable note);

    /** A task has got a slot; {@link #ended} tells that it is over. */
    void begin(Lease lease, int attempt, boolean undo, TaskTemplate template);
  }

  /** What outlives an agent: reports that were written down. */
  public static final class Disk implements ReportJournal {
    private final Map<Lease, Finished> reports = new LinkedHashMap<>();

    @Override
    public void keep(HeldLease held) {
      Finished report = held.report();
      if (report != null && !held.isJournaled() && !held.isConfirmed()) {
        reports.put(held.lease(), report);
        held.markJournaled();
      }
    }

    @Override
    public void forget(HeldLease held) {
      held.markConfirmed();
      reports.remove(held.lease());
    }
  }

  private final int slots;
  private final Surroundings surroundings;
  private final Holdings holdings;
  private final Delivery delivery;
  private final LeaseMessages messages;
  private final ArrayDeque<TaskRun> ready = new ArrayDeque<>();
  private int running;

  /**
   * @param againMillis after which a report that nobody confirmed is sent again
   */
  public SteppedAgent(int slots, long againMillis, Disk disk, Surroundings surroundings) {
    this.slots = slots;
    this.surroundings = surroundings;
    holdings = new Holdings(surroundings::nanoTime);
    disk.reports.values().forEach(report -> holdings.add(HeldLease.finishedBefore(report)));
    delivery =
        new Delivery(
            holdings,
            disk,
            surroundings::trySend,
            Attestor.NONE,
            TimeUnit.MILLISECONDS.toNanos(againMillis));
    messages = new LeaseMessages(holdings, delivery, new Runs(), surroundings::trySend);
  }

  /** The server says something. */
  public void received(Object message) {
    switch (message) {
      case Assignment assignment -> messages.assigned(assignment);
      case JobDescription description -> messages.described(description);
      case Stop stop -> messages.stopped(stop);
      case Confirmed confirmed -> delivery.confirmed(WireLeases.of(confirmed.getLease()));
      case SignOfLifeReply reply -> reply.getUnknownList().forEach(messages::forgotten);
      default -> throw new IllegalArgumentException(message.getClass().getName());
    }
  }

  /** The server has let it in. */
  public void welcomed() {
    delivery.sendAll(surroundings::trySend);
  }

  /** The connection is gone. */
  public void disconnected() {
    delivery.keepAll();
  }

  /** Time has passed. */
  public void tick() {
    delivery.sendUnsent();
    messages.askAgain();
  }

  public List<dev.imker.wire.proto.Lease> held() {
    return holdings.wireLeases();
  }

  public boolean isIdle() {
    return holdings.isEmpty();
  }

  public boolean isRunning(Lease lease) {
    HeldLease held = find(lease);
    TaskRun run = held == null ? null : held.run;
    return run != null && run.phase == TaskRun.Phase.RUNNING;
  }

  /** What it says or is going to say of a lease, if that is over. */
  public @Nullable Finished report(Lease lease) {
    HeldLease held = find(lease);
    return held == null ? null : held.report();
  }

  private @Nullable HeldLease find(Lease lease) {
    return holdings.find(WireLeases.of(lease));
  }

  /** A task that runs has come to its end. */
  public void ended(Lease lease, Finished.Builder report) {
    HeldLease held = find(lease);
    TaskRun run = held == null ? null : held.run;
    if (held != null && run != null && run.phase == TaskRun.Phase.RUNNING) {
      running--;
      over(run, report.setLease(held.wire()).build());
    }
  }

  /** As RunEnds does. */
  private void over(TaskRun run, Finished report) {
    run.phase = TaskRun.Phase.OVER;
    if (run.ending != null && run.ending.cause() == TaskRun.Cause.FORGOTTEN) {
      delivery.confirmed(run.held.lease());
    } else {
      delivery.deliver(run.held, report);
    }
    startReady();
  }

  private void startReady() {
    while (!ready.isEmpty() && (running < slots || !ready.peek().held.isPlain())) {
      TaskRun run = ready.poll();
      run.phase = TaskRun.Phase.RUNNING;
      running++;
      HeldLease held = run.held;
      surroundings.begin(held.lease(), held.attempt(), held.undo(), run.template);
    }
  }

  /** As TaskRunner does, without processes. */
  private final class Runs implements LeaseRuns {
    @Override
    public void note(Runnable note) {
      surroundings.later(note);
    }

    @Override
    public void accept(HeldLease held, TaskTemplate template) {
      TaskRun run = held.begin(template);
      run.phase = TaskRun.Phase.READY;
      if (held.isPlain()) {
        ready.addLast(run);
      } else {
        ready.addFirst(run);
      }
      startReady();
    }

    @Override
    public void giveBackUnbegun(HeldLease held, String reason) {
      TaskRun run = held.run;
      if (run != null && ready.contains(run)) {
        stop(held, TaskRun.Cause.GIVEN_BACK, reason);
      }
    }

    @Override
    public void stop(HeldLease held, TaskRun.Cause cause, String reason) {
      TaskRun run = held.run;
      if (run == null || run.isOver()) {
        return;
      }
      run.endBecause(cause, reason);
      if (run.phase == TaskRun.Phase.RUNNING) {
        running--;
      } else {
        ready.remove(run);
      }
      long nowMillis = TimeUnit.NANOSECONDS.toMillis(surroundings.nanoTime());
      over(
          run,
          Reporting.withoutRun(held, Reporting.outcome(cause), 0, reason).toBuilder()
              .setEndedMillis(nowMillis)
              .build());
    }

    @Override
    public void follow(HeldLease held, FollowLog order) {}
  }
}
