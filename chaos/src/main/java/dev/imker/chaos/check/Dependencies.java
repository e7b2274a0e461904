package dev.imker.chaos.check;

import dev.imker.chaos.check.Violation.Promise;
import dev.imker.model.TaskId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeSet;

/**
 * No attempt of a task began before the attempts ended whose results it waits for; and what was
 * laid into its folder are exactly these results.
 */
final class Dependencies {
  private final History history;
  private final Results results;
  private final Map<TaskId, List<Attempt>> attempts = new HashMap<>();

  Dependencies(History history, Results results) {
    this.history = history;
    this.results = results;
    for (Attempt attempt : history.log().begun()) {
      attempt
          .task()
          .filter(_ -> results.isOfThisPool(attempt))
          .ifPresent(task -> add(task, attempt));
    }
  }

  private void add(TaskId task, Attempt attempt) {
    attempts.computeIfAbsent(task, key -> new ArrayList<>()).add(attempt);
  }

  List<Violation> check() {
    List<Violation> violations = new ArrayList<>();
    for (SubmittedJob job : history.acknowledged()) {
      job.after()
          .forEach(
              (index, before) -> {
                checkOrder(job, index, before, violations);
                if (job.passesResults()) {
                  checkPassed(job, index, before, violations);
                }
              });
    }
    return violations;
  }

  private void checkOrder(
      SubmittedJob job, int index, List<Integer> before, List<Violation> violations) {
    TaskId task = job.task(index);
    for (Attempt attempt : attempts.getOrDefault(task, List.of())) {
      if (history.forgets() && !results.wordOf(task).equals(Optional.of(attempt.word()))) {
        continue; // it may have followed a result that the backup does not have
      }
      for (int predecessor : before) {
        OptionalInt end =
            results
                .wordOf(job.task(predecessor))
                .map(history.log()::endLine)
                .orElse(OptionalInt.empty());
        if (end.isEmpty() || end.getAsInt() > history.log().beginLine(attempt)) {
          violations.add(
              new Violation(
                  Promise.DEPENDENCIES_ARE_RESPECTED,
                  "%s began (%s) before the end of %s"
                      .formatted(task, attempt.word(), job.task(predecessor))));
        }
      }
    }
  }

  private void checkPassed(
      SubmittedJob job, int index, List<Integer> before, List<Violation> violations) {
    List<String> output = results.outputOf(job.task(index));
    TreeSet<String> got =
        new TreeSet<>(output.isEmpty() ? output : output.subList(1, output.size()));
    TreeSet<String> wanted = new TreeSet<>();
    for (int predecessor : before) {
      results.wordOf(job.task(predecessor)).ifPresent(wanted::add);
    }
    if (!got.equals(wanted)) {
      violations.add(
          new Violation(
              Promise.DEPENDENCIES_ARE_RESPECTED,
              "%s was given %s instead of %s".formatted(job.task(index), got, wanted)));
    }
  }
}
