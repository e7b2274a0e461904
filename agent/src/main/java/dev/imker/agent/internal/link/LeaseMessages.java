package dev.imker.agent.internal.link;

import dev.imker.agent.internal.lease.HeldLease;
import dev.imker.agent.internal.lease.Holdings;
import dev.imker.agent.internal.lease.LeaseRuns;
import dev.imker.agent.internal.lease.Reporting;
import dev.imker.agent.internal.lease.TaskRun;
import dev.imker.agent.internal.report.Delivery;
import dev.imker.model.job.JobKind;
import dev.imker.model.job.TaskTemplate;
import dev.imker.model.recent.RecentMap;
import dev.imker.wire.proto.Assignment;
import dev.imker.wire.proto.Finished;
import dev.imker.wire.proto.FollowLog;
import dev.imker.wire.proto.InputFile;
import dev.imker.wire.proto.JobDescription;
import dev.imker.wire.proto.Lease;
import dev.imker.wire.proto.LogChunk;
import dev.imker.wire.proto.NeedJob;
import dev.imker.wire.proto.Outcome;
import dev.imker.wire.proto.Stop;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's messages about leases, on the session's delivery thread. Anything about processes is
 * passed to the runner; no-op tasks are answered right here.
 */
public final class LeaseMessages {
  private static final Logger LOG = LoggerFactory.getLogger(LeaseMessages.class);

  private static final int MAX_UNFINISHED = 64;
  private static final long ASK_AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Holdings holdings;
  private final Delivery delivery;
  private final LeaseRuns runner;
  private final Consumer<Object> sender;
  private final Templates templates = new Templates();

  /** Of leases whose last message has not come yet; a connection that broke may leave some. */
  private final Map<Lease, List<Assignment>> furtherInputs = RecentMap.ofNewest(MAX_UNFINISHED);

  /**
   * @param sender sends now or as soon as there is room
   */
  public LeaseMessages(
      Holdings holdings, Delivery delivery, LeaseRuns runner, Consumer<Object> sender) {
    this.holdings = holdings;
    this.delivery = delivery;
    this.runner = runner;
    this.sender = sender;
  }

  /** A task for this agent, or the first of its inputs. */
  public void assigned(Assignment part) {
    if (part.getMore()) {
      furtherInputs.computeIfAbsent(part.getLease(), _ -> new ArrayList<>()).add(part);
      return;
    }
    HeldLease held = new HeldLease(whole(part));
    if (!holdings.add(held)) {
      return;
    }
    TaskTemplate template = templates.findOrWait(held);
    if (template == null) {
      sender.accept(NeedJob.newBuilder().setJob(held.job()).setStage(held.stage()).build());
    } else {
      begin(held, template);
    }
  }

  /** With the inputs that came before it, of which some may have come twice. */
  private Assignment whole(Assignment last) {
    List<Assignment> before = furtherInputs.remove(last.getLease());
    if (before == null) {
      return last;
    }
    Map<String, InputFile> inputs = new LinkedHashMap<>();
    before.forEach(part -> part.getInputsList().forEach(file -> inputs.put(file.getPath(), file)));
    last.getInputsList().forEach(file -> inputs.put(file.getPath(), file));
    return last.toBuilder().clearInputs().addAllInputs(inputs.values()).build();
  }

  /** What a stage of a job is about; said again when it was changed. */
  public void described(JobDescription description) {
    try {
      TaskTemplate template = Templates.read(description);
      templates
          .add(description.getJob(), description.getStage(), template)
          .forEach(held -> begin(held, template));
      runner.note(() -> relimit(description.getJob(), description.getStage(), template));
    } catch (IOException | RuntimeException e) {
      LOG.warn("The description of job {} cannot be read", description.getJob(), e);
      String why = "This agent cannot read the description of the job: " + e.getMessage();
      templates
          .giveUp(description.getJob(), description.getStage())
          .forEach(
              held -> delivery.deliver(held, Reporting.withoutRun(held, Outcome.FAILED, 0, why)));
    }
  }

  /** A stage that is described again has other limits, also for what runs already. */
  private void relimit(long job, int stage, TaskTemplate template) {
    for (HeldLease held : holdings.all()) {
      TaskRun run = held.run;
      if (run != null && held.job() == job && held.stage() == stage) {
        run.maxRuntimeMillis = template.rules().maxRuntimeMillis();
      }
    }
  }

  private void begin(HeldLease held, TaskTemplate template) {
    if (template.kind() == JobKind.NOOP) {
      long nowMillis = System.currentTimeMillis();
      Finished report =
          Finished.newBuilder()
              .setLease(held.wire())
              .setOutcome(Outcome.SUCCEEDED)
              .setStartedMillis(nowMillis)
              .setEndedMillis(nowMillis)
              .build();
      held.markSent(
          true, holdings.nanoTime()); // first: the runner sends again what is finished and not sent
      held.finish(report);
      sender.accept(report);
    } else {
      runner.note(() -> runner.accept(held, template));
    }
  }

  /** Asks again for descriptions that have not come; a question or its answer may have got lost. */
  public void askAgain() {
    long nowNanos = holdings.nanoTime();
    for (HeldLease held : holdings.all()) {
      if (held.run == null && held.report() == null && held.hasWaited(ASK_AGAIN_NANOS, nowNanos)) {
        sender.accept(NeedJob.newBuilder().setJob(held.job()).setStage(held.stage()).build());
      }
    }
  }

  public void stopped(Stop stop) {
    HeldLease held = holdings.find(stop.getLease());
    if (held != null && stop.getUnlessBegun()) {
      runner.note(() -> runner.giveBackUnbegun(held, stop.getReason()));
    } else if (held != null) {
      templates.dropWaiting(held);
      runner.note(
          () -> {
            if (held.run != null) {
              runner.stop(held, TaskRun.Cause.STOPPED, stop.getReason());
            } else if (held.report() == null) {
              delivery.deliver(
                  held, Reporting.withoutRun(held, Outcome.STOPPED, 0, stop.getReason()));
            }
          });
    }
  }

  /** Gives back leases without a description of their jobs. */
  void giveBackWaiting() {
    runner.note(
        () -> {
          for (HeldLease held : holdings.all()) {
            if (held.run == null && held.report() == null) {
              templates.dropWaiting(held);
              delivery.deliver(
                  held, Reporting.withoutRun(held, Outcome.GIVEN_BACK, 0, "The agent was closed."));
            }
          }
        });
  }

  /** The server says that a lease is no longer ours: its outcome is useless. */
  public void forgotten(dev.imker.wire.proto.Lease lease) {
    HeldLease held = holdings.find(lease);
    if (held == null) {
      return;
    }
    templates.dropWaiting(held);
    runner.note(
        () -> {
          if (held.run == null || held.run.isOver()) {
            delivery.confirmed(held.lease());
          } else {
            runner.stop(held, TaskRun.Cause.FORGOTTEN, "The lease is no longer valid.");
          }
        });
  }

  /** Somebody follows the output of a task. */
  void followed(FollowLog follow) {
    HeldLease held = holdings.find(follow.getLease());
    if (held != null) {
      runner.note(() -> runner.follow(held, follow));
    } else {
      LogChunk.Builder last = LogChunk.newBuilder().setLease(follow.getLease()).setLast(true);
      sender.accept(
          last.setStream(LogChunk.Stream.STDOUT).setOffset(follow.getStdoutOffset()).build());
      sender.accept(
          last.setStream(LogChunk.Stream.STDERR).setOffset(follow.getStderrOffset()).build());
    }
  }
}
