package dev.imker.chaos.check;

import dev.imker.chaos.check.Violation.Promise;
import dev.imker.model.JobId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What clients were told is compared with what they were told before, and with what is true in the
 * end. Standbys may answer from a state that is a second old, so an answer is held against what the
 * same client knew some time before it asked.
 */
final class Observations {
  /** A second is promised; the rest is for clocks that are set and for processes that wait. */
  private static final long STALE_MILLIS = 5_000;

  private record Seen(String who, JobId job) {}

  private final History history;
  private final List<Violation> violations = new ArrayList<>();

  Observations(History history) {
    this.history = history;
  }

  List<Violation> check() {
    Map<JobId, FinalJob> ends = new HashMap<>();
    history.jobs().forEach(job -> ends.put(job.id(), job));
    Map<Seen, List<Told>> sequences = new HashMap<>();
    for (Told told : history.told()) {
      againstBefore(
          sequences.computeIfAbsent(new Seen(told.who(), told.job()), _ -> new ArrayList<>()),
          told);
      againstTheEnd(told, ends.get(told.job()));
    }
    return violations;
  }

  private void againstBefore(List<Told> before, Told told) {
    for (Told earlier : before) {
      boolean counts = earlier.answeredMillis() + STALE_MILLIS < told.askedMillis();
      if (counts && (earlier.done() > told.done() || (earlier.isSettled() && !told.isSettled()))) {
        violations.add(
            new Violation(
                Promise.NOBODY_IS_TOLD_OF_THE_PAST,
                "%s was told %s %d ms after %s"
                    .formatted(
                        told.who(), told, told.askedMillis() - earlier.answeredMillis(), earlier)));
        break;
      }
    }
    before.add(told);
  }

  private void againstTheEnd(Told told, @Nullable FinalJob end) {
    if (end == null
        || !told.isAnswer()
        || (told.isSettled() && !told.status().equals(end.status()))) {
      violations.add(
          new Violation(
              Promise.WHAT_WAS_TOLD_IS_TRUE,
              "%s was told %s, and in the end it is %s"
                  .formatted(told.who(), told, end == null ? "not there" : end.status())));
    }
  }
}
