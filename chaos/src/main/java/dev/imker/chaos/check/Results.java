package dev.imker.chaos.check;

import dev.imker.chaos.check.PoolWrites.TaskWrite;
import dev.imker.chaos.check.Violation.Promise;
import dev.imker.model.TaskId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The results of tasks: one each, for good, of an attempt that really was. */
final class Results {
  private final History history;
  private final Map<TaskId, TaskWrite> committed = new HashMap<>();
  private final Map<TaskId, FinalTask> finals = new HashMap<>();

  Results(History history) {
    this.history = history;
    history.tasks().forEach(task -> finals.put(task.id(), task));
  }

  List<Violation> check() {
    List<Violation> violations = new ArrayList<>();
    findCommitted(violations);
    for (SubmittedJob job : history.acknowledged()) {
      for (int index = 0; index < job.tasks(); index++) {
        checkTask(job.task(index), violations);
      }
    }
    for (FinalJob job : history.jobs()) {
      for (int index = 0; index < job.tasks(); index++) {
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
    for (TaskWrite write : history.writes().tasks()) {
      TaskWrite first = committed.get(write.task());
      if (write.isResult() && first != null) {
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
      } else if (first != null) {
        violations.add(
            new Violation(
                Promise.RESULTS_STAY,
                "%s was changed to %s by %s after its result"
                    .formatted(write.task(), write.state(), write.server())));
      }
    }
  }

  private void checkTask(TaskId task, List<Violation> violations) {
    FinalTask said = finals.get(task);
    if (said == null || !said.state().equals("DONE")) {
      String state = said == null ? "unknown" : said.state();
      violations.add(new Violation(Promise.TASKS_HAVE_ONE_RESULT, task + " is " + state));
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
        || (write != null && !attempt.token().equals(Optional.of(write.token())))) {
      violations.add(
          new Violation(
              Promise.RESULTS_ARE_OF_REAL_ATTEMPTS,
              "%s, written for lease %s, has the result of attempt %s"
                  .formatted(
                      task, write == null ? "none" : write.token().value(), attempt.word())));
    }
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
