package dev.imker.chaos.check;

import dev.imker.chaos.check.Violation.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares what a pool says of itself with what tasks and database saw. */
public final class HistoryCheck {
  private static final String DONE = "DONE";

  private final History history;
  private final Results results;
  private final List<Violation> violations = new ArrayList<>();

  private HistoryCheck(History history) {
    this.history = history;
    this.results = new Results(history);
  }

  /** All that is wrong; empty if every promise was kept. */
  public static List<Violation> of(History history) {
    HistoryCheck check = new HistoryCheck(history);
    check.jobsFinish();
    check.jobsExistOnce();
    check.violations.addAll(check.results.check());
    check.violations.addAll(Leaders.check(history.writes()));
    check.violations.addAll(new Dependencies(history, check.results).check());
    check.attemptsRunOnce();
    check.returnedCallsRan();
    return List.copyOf(check.violations);
  }

  private void jobsFinish() {
    Map<Long, FinalJob> known = new HashMap<>();
    history.jobs().forEach(job -> known.put(job.id().value(), job));
    for (SubmittedJob submitted : history.acknowledged()) {
      FinalJob found = known.get(submitted.id().value());
      if (found == null) {
        add(Promise.ACKNOWLEDGED_JOBS_FINISH, submitted.name() + " is not in the pool");
      } else if (!found.name().equals(submitted.name()) || found.tasks() != submitted.tasks()) {
        add(
            Promise.ACKNOWLEDGED_JOBS_FINISH,
            submitted.name() + " was acknowledged as another job: " + found);
      }
    }
    for (FinalJob job : history.jobs()) {
      if (!job.status().equals(DONE)) {
        add(
            Promise.ACKNOWLEDGED_JOBS_FINISH,
            "job %s (%s) is %s".formatted(job.id(), job.name(), job.status()));
      }
    }
  }

  private void jobsExistOnce() {
    Map<String, Integer> counts = new HashMap<>();
    Set<String> names = new HashSet<>();
    history.acknowledged().forEach(job -> names.add(job.name()));
    for (FinalJob job : history.jobs()) {
      if (names.contains(job.name()) && counts.merge(job.name(), 1, Integer::sum) == 2) {
        add(Promise.JOBS_EXIST_ONCE, job.name() + " is in the pool more than once");
      }
    }
  }

  private void attemptsRunOnce() {
    history
        .log()
        .begunTwice()
        .forEach(word -> add(Promise.ATTEMPTS_RUN_ONCE, "attempt " + word + " began twice"));
  }

  private void returnedCallsRan() {
    for (String word : history.returned()) {
      if (!history.log().ran(word)) {
        add(
            Promise.RESULTS_ARE_OF_REAL_ATTEMPTS,
            "a call returned " + word + ", of which the log does not know");
      }
    }
  }

  private void add(Promise promise, String what) {
    violations.add(new Violation(promise, what));
  }
}
