package dev.imker.chaos.check;

import dev.imker.chaos.check.SubmittedJob.Ending;
import dev.imker.chaos.check.Violation.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares what a pool says of itself with what tasks, clients and database saw. */
public final class HistoryCheck {
  private static final String DONE = "DONE";
  private static final String FAILED = "FAILED";
  private static final String CANCELLED = "CANCELLED";

  private final History history;
  private final Results results;
  private final Map<Long, FinalJob> ends = new HashMap<>();
  private final List<Violation> violations = new ArrayList<>();

  private HistoryCheck(History history) {
    this.history = history;
    this.results = new Results(history);
    history.jobs().forEach(job -> ends.put(job.id().value(), job));
  }

  /** All that is wrong; empty if every promise was kept. */
  public static List<Violation> of(History history) {
    HistoryCheck check = new HistoryCheck(history);
    check.violations.addAll(check.results.check());
    check.jobsFinish();
    check.jobsExistOnce();
    check.violations.addAll(Leaders.check(history.writes()));
    check.violations.addAll(new Dependencies(history, check.results).check());
    check.violations.addAll(new Observations(history).check());
    check.violations.addAll(new Rollbacks(history).check());
    check.violations.addAll(Licences.check(history));
    check.violations.addAll(new SharedWork(history, check.results).check());
    check.attemptsRunOnce();
    check.callsReturnTheirResult();
    check.droppedFilesAreDone();
    check.noticesComeOnce();
    return List.copyOf(check.violations);
  }

  private void jobsFinish() {
    Set<Long> cancelled = new HashSet<>();
    for (SubmittedJob submitted : history.acknowledged()) {
      FinalJob found = ends.get(submitted.id().value());
      if (found == null) {
        add(Promise.ACKNOWLEDGED_JOBS_FINISH, submitted.name() + " is not in the pool");
      } else if (!found.name().equals(submitted.name()) || found.tasks() != submitted.tasks()) {
        add(
            Promise.ACKNOWLEDGED_JOBS_FINISH,
            submitted.name() + " was acknowledged as another job: " + found);
      }
      if (submitted.ending() == Ending.CANCELLED) {
        cancelled.add(submitted.id().value());
      }
    }
    for (FinalJob job : history.jobs()) {
      boolean asItHasTo =
          job.status().equals(job.isUndone() ? FAILED : DONE)
              || (job.status().equals(CANCELLED)
                  && (cancelled.contains(job.id().value()) || isOrphan(job)));
      if (!asItHasTo) {
        add(
            Promise.ACKNOWLEDGED_JOBS_FINISH,
            "job %s (%s) is %s".formatted(job.id(), job.name(), job.status()));
      }
    }
  }

  /** What an attempt spawned that came to nothing goes with it; the next attempt spawns its own. */
  private boolean isOrphan(FinalJob job) {
    return job.parent().isPresent() && !results.isCommitted(job.parent().get());
  }

  private void jobsExistOnce() {
    Map<String, Integer> counts = new HashMap<>();
    Set<String> names = new HashSet<>(history.dropped().keySet());
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

  /** What a future was told is what the database has, and no two futures were told the same. */
  private void callsReturnTheirResult() {
    Map<String, Integer> calls = new HashMap<>();
    history
        .returned()
        .forEach(
            (call, word) -> {
              Integer other = calls.put(word, call);
              if (other != null) {
                add(
                    Promise.WHAT_WAS_TOLD_IS_TRUE,
                    "the calls %d and %d were both told %s".formatted(other, call, word));
              }
              if (!history.log().ran(word)) {
                add(
                    Promise.RESULTS_ARE_OF_REAL_ATTEMPTS,
                    "call %d returned %s, of which the log does not know".formatted(call, word));
              } else if (!results.isCommitted(Attempt.parse(word))) {
                add(
                    Promise.WHAT_WAS_TOLD_IS_TRUE,
                    "call %d returned %s, but the result in the pool is of another attempt"
                        .formatted(call, word));
              }
            });
  }

  private void droppedFilesAreDone() {
    Set<String> names = new HashSet<>();
    history.jobs().forEach(job -> names.add(job.name()));
    history
        .dropped()
        .forEach(
            (name, shown) -> {
              if (!shown || !names.contains(name)) {
                add(
                    Promise.DROPPED_FILES_ARE_DONE,
                    "%s was dropped; the folder %s it as done, the pool %s the job"
                        .formatted(
                            name,
                            shown ? "shows" : "does not show",
                            names.contains(name) ? "has" : "does not have"));
              }
            });
  }

  private void noticesComeOnce() {
    history.notices().stream()
        .filter(notice -> !notice.isAsPromised())
        .forEach(notice -> add(Promise.NOTICES_COME_ONCE, notice.toString()));
  }

  private void add(Promise promise, String what) {
    violations.add(new Violation(promise, what));
  }
}
