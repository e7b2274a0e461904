package dev.imker.server.internal.rest.plan;

import dev.imker.model.ImkerException;
import dev.imker.model.JobId;
import dev.imker.model.JobStatus;
import dev.imker.model.TaskState;
import dev.imker.planner.PlanDag;
import dev.imker.planner.PlanValidator;
import dev.imker.planner.PlannedAction;
import dev.imker.planner.pddl.Atom;
import dev.imker.planner.pddl.Domain;
import dev.imker.planner.pddl.Pddl;
import dev.imker.planner.pddl.PddlException;
import dev.imker.planner.pddl.Problem;
import dev.imker.server.internal.auth.Accounts;
import dev.imker.server.internal.auth.Identity;
import dev.imker.server.internal.auth.Role;
import dev.imker.server.internal.rest.jobs.JobIntake;
import dev.imker.server.loop.PoolUnavailableException;
import dev.imker.server.plan.PlanOrder;
import dev.imker.server.plan.PlannedStages;
import dev.imker.server.plan.PlannedStages.FactFile;
import dev.imker.store.JobRecord;
import dev.imker.store.PoolStore;
import dev.imker.store.StoreException;
import dev.imker.store.TaskQuery;
import dev.imker.store.TaskRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What follows when the job of a round has ended: nothing, or the next round. */
final class Replanning {
  private static final Logger LOG = LoggerFactory.getLogger(Replanning.class);
  private static final int DEFAULT_REPLANS = 5;

  private final PlanRounds rounds;
  private final PoolStore store;
  private final PlannedJobs jobs;
  private final Accounts accounts;

  Replanning(PlanRounds rounds, PoolStore store, PlannedJobs jobs, Accounts accounts) {
    this.rounds = rounds;
    this.store = store;
    this.jobs = jobs;
    this.accounts = accounts;
  }

  /** Closes a round whose job has settled, and begins the next one if there is to be one. */
  void settle(String name, JobRecord job, PlanRound round)
      throws IOException, InterruptedException {
    PlanOrder order = rounds.order(round);
    rounds.learn(round, Pddl.domain(order.domain()).name(), job.id());
    PlanRound.State how = PlanRound.State.GIVEN_UP;
    String why = "";
    if (job.status() == JobStatus.DONE) {
      how = PlanRound.State.DONE;
    } else if (job.status() == JobStatus.CANCELLED) {
      why = "The job was cancelled.";
    } else {
      try {
        why = goOn(name, job.id(), round, order);
        how = why.isEmpty() ? PlanRound.State.REPLANNED : how;
      } catch (PoolUnavailableException | StoreException e) {
        throw e; // tried again
      } catch (ImkerException | PddlException | IllegalArgumentException e) {
        why = String.valueOf(e.getMessage());
      }
    }
    rounds.write(name, Optional.of(round.ended(how, why)));
    if (how == PlanRound.State.GIVEN_UP) {
      LOG.info("Giving up on the plan of job {}: {}", job.id(), why);
    }
  }

  /** Begins the next round; returns why there is none, or nothing. */
  private String goOn(String name, JobId job, PlanRound round, PlanOrder order)
      throws IOException, InterruptedException {
    if (rounds.job(PlanRounds.following(name)).isPresent()) {
      return ""; // by a server that could not note it any more
    }
    int most = order.maxReplans() == 0 ? DEFAULT_REPLANS : order.maxReplans();
    if (!order.replan()) {
      return "An action failed, and the strategy says to give up.";
    }
    if (round.number() >= most) {
      return "An action failed, and %d other plans have already been tried.".formatted(most);
    }
    List<PlannedAction> done = new ArrayList<>();
    List<PlannedAction> failed = new ArrayList<>();
    List<FactFile> files = new ArrayList<>(round.files());
    Situation first = Situation.of(order);
    Problem then = first.problem().from(round.facts().stream().map(Replanning::atom).toList());
    for (TaskRecord task : store.reads().tasks(TaskQuery.all(job))) {
      String text = round.actions().get(task.id().index());
      boolean ended = hasFailedItself(task);
      if (text.isEmpty()) {
        if (ended) {
          return "The cleanup after a failed action failed as well.";
        }
        continue;
      }
      PlannedAction action = PlannedStages.parse(text);
      if (ended) {
        failed.add(action);
      } else if (task.state() == TaskState.DONE) {
        done.add(action);
        noteFiles(order, first.domain(), action, job + "." + (task.id().index() + 1), files);
      }
    }
    Set<Atom> facts = new PlanValidator(first.domain(), then).after(done);
    Set<PlannedAction> without =
        Stream.concat(round.without().stream().map(PlannedStages::parse), failed.stream())
            .collect(Collectors.toSet());
    Situation now =
        new Situation(order, first.domain(), first.problem().from(List.copyOf(facts)), without);
    PlannedStages stages = now.stages(rounds.plan(round.user(), now, () -> false), failed, files);
    PlanRound next =
        new PlanRound(
            round.user(),
            round.order(),
            round.number() + 1,
            facts.stream().map(Atom::toString).sorted().toList(),
            stages.actions(),
            without.stream().map(PlannedAction::toString).sorted().toList(),
            files,
            round.inputs(),
            PlanRound.State.RUNNING,
            "");
    JobIntake.Accepted accepted =
        jobs.submit(
            identity(round.user()),
            PlanRounds.following(name),
            next,
            stages.job(PlannedJobs.name(order, next.number())));
    LOG.info("Job {} continues as job {}: another plan without {}", job, accepted.job(), failed);
    return "";
  }

  /** Those that wait for a failed one fail as well, without having been tried. */
  private static boolean hasFailedItself(TaskRecord task) {
    return switch (task.state()) {
      case FAILED -> task.attempts() > 0 && !task.reason().startsWith("predecessor ");
      case AUTO_BLOCKED -> true;
      case WAITING, READY, RUNNING, DONE, BLOCKED, CANCELLED -> false;
    };
  }

  private static void noteFiles(
      PlanOrder order, Domain domain, PlannedAction action, String task, List<FactFile> files) {
    PlanDag alone = new PlanDag(List.of(action), List.of());
    new PlannedStages(order, domain, alone, List.of(), List.of())
        .madeBy(action)
        .forEach(
            (fact, glob) -> {
              files.removeIf(file -> file.fact().equals(fact));
              files.add(new FactFile(fact, task, glob));
            });
  }

  private static Atom atom(String text) {
    PlannedAction words = PlannedStages.parse(text);
    return new Atom(words.name(), words.arguments());
  }

  private Identity identity(String user) {
    return user.equals(Identity.ADMIN_NAME)
        ? Identity.ADMIN
        : accounts
            .usable(user)
            .map(account -> new Identity(account.name(), Role.USER))
            .orElseThrow(
                () ->
                    new ImkerException(
                        "The user %s does not exist or is disabled.".formatted(user)));
  }
}
