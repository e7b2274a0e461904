package dev.imker.chaos.check;

import dev.imker.chaos.check.PoolWrites.TaskWrite;
import dev.imker.chaos.check.SubmittedJob.Ending;
import dev.imker.chaos.check.Violation.Promise;
import dev.imker.model.JobId;
import dev.imker.model.Lease;
import dev.imker.model.LeaseToken;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The results of tasks: one each, for good, of an attempt that really was. */
final class Results {
  /** What tasks say whose results are compared with each other. */
  private static final String EQUAL = "equal";

  private final History history;
  private final Map<TaskId, TaskWrite> committed = new HashMap<>();
  private final Map<TaskId, FinalTask> finals = new HashMap<>();
  private final Map<JobId, FinalJob> jobs = new HashMap<>();

  Results(History history) {
    this.history = history;
    history.tasks().forEach(task -> finals.put(task.id(), task));
    history.jobs().forEach(job -> jobs.put(job.id(), job));
  }

  List<Violation> check() {
    List<Violation> violations = new ArrayList<>();
    findCommitted(violations);
    for (SubmittedJob job : history.acknowledged()) {
      for (int index = 0; index < job.tasks(); index++) {
        checkTask(job, job.task(index), violations);
      }
    }
    for (FinalJob job : history.jobs()) {
      for (int index = 0; job.status().equals("DONE") && index < job.tasks(); index++) {
        TaskId task = new TaskId(job.id(), index);
        if (!committed.containsKey(task)) {
          violations.add(
              new Violation(
                  Promise.TASKS_HAVE_ONE_RESULT, "no result of " + task + " was written"));
        }
      }
    }
    return violations;
  }

  private void findCommitted(List<Violation> violations) {
    Set<TaskId> restarted = new HashSet<>();
    for (TaskWrite write : history.writes().tasks()) {
      TaskWrite first = committed.get(write.task());
      if (first != null && mayBeginAgain(write) && restarted.add(write.task())) {
        committed.remove(write.task());
      } else if (write.isResult() && first != null) {
        violations.add(
            new Violation(
                Promise.TASKS_HAVE_ONE_RESULT,
                "%s got a result of lease %d by %s and one of lease %d by %s"
                    .formatted(
                        write.task(),
                        first.token().value(),
                        first.server(),
                        write.token().value(),
                        write.server())));
      } else if (write.isResult()) {
        committed.put(write.task(), write);
      } else if (first != null && !isSame(first, write) && !isUndone(write)) {
        violations.add(
            new Violation(
                Promise.RESULTS_STAY,
                "%s was changed to %s by %s after its result"
                    .formatted(write.task(), write.state(), write.server())));
      }
    }
  }

  /** Whether the result of a task goes because its job begins again: its attempt leaves first. */
  private boolean mayBeginAgain(TaskWrite write) {
    FinalJob job = jobs.get(write.task().job());
    boolean goes = write.state() != TaskState.DONE || write.token().value() == 0;
    return job != null && job.isRestarted() && goes;
  }

  private boolean isUndone(TaskWrite write) {
    FinalJob job = jobs.get(write.task().job());
    return job != null && job.isUndone();
  }

  /**
   * What an attempt took that was stopped in the end is noted in the row of its task; the row of an
   * imported task comes before its attempts.
   */
  private static boolean isSame(TaskWrite first, TaskWrite later) {
    boolean imported = first.before().isEmpty() && first.token().value() == 0;
    return later.state() == first.state() && (imported || later.token().equals(first.token()));
  }

  private void checkTask(SubmittedJob job, TaskId task, List<Violation> violations) {
    FinalTask said = finals.get(task);
    if (job.ending() == Ending.CANCELLED && said != null && said.state().equals("CANCELLED")) {
      return;
    }
    if (said == null || !said.state().equals("DONE")) {
      String state = said == null ? "unknown" : said.state();
      violations.add(new Violation(Promise.TASKS_HAVE_ONE_RESULT, task + " is " + state));
      return;
    }
    if (job.ending() == Ending.AGREED) {
      checkAgreed(task, said, violations);
      return;
    }
    Attempt attempt = Attempt.parse(said.word());
    TaskWrite write = committed.get(task);
    if (!history.log().ran(attempt.word())) {
      violations.add(
          new Violation(
              Promise.RESULTS_ARE_OF_REAL_ATTEMPTS,
              "%s has the result \"%s\", and no attempt that ran to its end says so"
                  .formatted(task, attempt.word())));
    } else if (!attempt.task().equals(Optional.of(task))
        || (write != null && !isOf(attempt, write))) {
      violations.add(
          new Violation(
              Promise.RESULTS_ARE_OF_REAL_ATTEMPTS,
              "%s, written for lease %s, has the result of attempt %s"
                  .formatted(
                      task, write == null ? "none" : write.token().value(), attempt.word())));
    }
  }

  private void checkAgreed(TaskId task, FinalTask said, List<Violation> violations) {
    long ran =
        history.log().begun().stream()
            .filter(attempt -> attempt.task().equals(Optional.of(task)))
            .filter(attempt -> history.log().ran(attempt.word()))
            .count();
    if (ran < 2 || !said.word().equals(EQUAL)) {
      violations.add(
          new Violation(
              Promise.RESULTS_ARE_OF_REAL_ATTEMPTS,
              "%s has the result \"%s\" that two had to come to, and %d attempts ran to their end"
                  .formatted(task, said.word(), ran)));
    }
  }

  /** Whether an attempt is the one whose result was written. */
  private boolean isOf(Attempt attempt, TaskWrite write) {
    if (attempt.token().isEmpty()) {
      return true; // a call from Java, which does not know its lease
    }
    return attempt.token().get().value() == write.token().value() && isOfThisPool(attempt);
  }

  /** Before a backup was restored, other work had the same numbers. */
  boolean isOfThisPool(Attempt attempt) {
    LeaseToken token = attempt.token().orElse(new LeaseToken(0));
    Long incarnation = history.writes().incarnations().get(token.epoch());
    return incarnation == null || token.incarnation() == 0 || incarnation == token.incarnation();
  }

  boolean isCommitted(Attempt attempt) {
    TaskWrite write = attempt.task().map(committed::get).orElse(null);
    return write != null && isOf(attempt, write);
  }

  /** Whether the result of a task is that of this lease. */
  boolean isCommitted(Lease lease) {
    TaskWrite write = committed.get(lease.task());
    return write != null && write.token().value() == lease.token().value();
  }

  /** The attempt whose result counts. */
  Optional<String> wordOf(TaskId task) {
    return Optional.ofNullable(finals.get(task)).map(FinalTask::word);
  }

  List<String> outputOf(TaskId task) {
    FinalTask found = finals.get(task);
    return found == null ? List.of() : found.output();
  }
}
