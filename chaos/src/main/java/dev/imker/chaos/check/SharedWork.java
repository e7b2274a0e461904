package dev.imker.chaos.check;

import dev.imker.chaos.check.Violation.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What calls did together, by the lines they wrote themselves: {@code c WORD} before one is added
 * to a counter and {@code C WORD SUM} when that was answered; {@code p WORD ITEM} before something
 * is put into a queue and {@code t WORD ITEM} when it was taken; {@code l WORD NUMBER} when a lock
 * was got, with its fencing number, and {@code m WORD NUMBER} before it is given back.
 *
 * <p>No two additions had the same sum, and none counted twice; nothing was taken twice; no two
 * holders had the same number, and while one held the lock whose result counts, nobody got it.
 */
final class SharedWork {
  private final History history;
  private final Results results;
  private final List<Violation> violations = new ArrayList<>();

  /** Since another one keeps it. */
  private List<String> lines = List.of();

  /** And before: who got no answer from the former one asks the next. */
  private final List<String> linesSoFar = new ArrayList<>();

  SharedWork(History history, Results results) {
    this.history = history;
    this.results = results;
  }

  private record Line(String word, String what) {
    static Line of(String line) {
      String[] parts = line.split(" ", 3);
      return new Line(parts[1], parts.length > 2 ? parts[2] : "");
    }

    long number() {
      return Long.parseLong(what);
    }
  }

  List<Violation> check() {
    if (!history.forgets()) { // a backup knows nothing of what happened after it
      for (List<String> kept : history.log().shared()) {
        lines = kept;
        linesSoFar.addAll(kept);
        counter();
        queue();
        lock();
      }
    }
    return List.copyOf(violations);
  }

  private static List<Line> of(char kind, List<String> lines) {
    return lines.stream().filter(line -> line.charAt(0) == kind).map(Line::of).toList();
  }

  private void counter() {
    Map<Long, String> sums = new HashMap<>();
    for (Line added : of('C', lines)) {
      String other = sums.put(added.number(), added.word);
      if (other != null) {
        add("%s and %s both counted to %d".formatted(other, added.word, added.number()));
      }
    }
    int asked = of('c', linesSoFar).size();
    long most = sums.keySet().stream().mapToLong(Long::longValue).max().orElse(0);
    if (most > asked) {
      add("%d was counted to by %d additions of one".formatted(most, asked));
    }
  }

  private void queue() {
    Set<String> put = new HashSet<>();
    of('p', linesSoFar).forEach(line -> put.add(line.what));
    Map<String, String> taken = new HashMap<>();
    for (Line take : of('t', lines)) {
      String other = taken.put(take.what, take.word);
      if (other != null) {
        add("%s was given to %s and to %s".formatted(take.what, other, take.word));
      }
      if (!put.contains(take.what)) {
        add("%s was given %s, which nobody has put".formatted(take.word, take.what));
      }
    }
  }

  private void lock() {
    Map<Long, String> holders = new HashMap<>();
    Line holder = null;
    for (String text : lines) {
      Line line = Line.of(text);
      if (text.startsWith("l ")) {
        String other = holders.put(line.number(), line.word);
        if (other != null) {
          add("%s and %s both held the lock as %d".formatted(other, line.word, line.number()));
        }
        if (holder != null && line.number() > holder.number() && counts(holder)) {
          add("%s got the lock while %s held it".formatted(line.word, holder.word));
        }
        // One that stood still may say late that it had got it.
        holder = holder == null || line.number() > holder.number() ? line : holder;
      } else if (text.startsWith("m ") && line.equals(holder)) {
        holder = null;
      }
    }
  }

  /** Whether it had its lease from its beginning to its end, and gave the lock back. */
  private boolean counts(Line holder) {
    return of('m', lines).contains(holder)
        && history.log().begun().stream()
                .filter(attempt -> attempt.word().equals(holder.word))
                .count()
            == 1
        && results.isCommitted(Attempt.parse(holder.word));
  }

  private void add(String what) {
    violations.add(new Violation(Promise.WHAT_TASKS_SHARE_IS_EXACT, what));
  }
}
