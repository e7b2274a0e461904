package dev.imker.chaos.check;

import dev.imker.model.TaskId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * What the tasks wrote down themselves, in a file that only grows: {@code b WORD} when an attempt
 * begins, {@code e WORD} when it ends; {@code u JOB.NUMBER} and {@code v JOB.NUMBER} when undoing a
 * task begins and ends; and what {@link SharedWork} reads. Whoever breaks the pool adds {@code x}
 * when from then on something else keeps what tasks share. The order of the lines is the order in
 * which it happened, so nobody's clock is trusted.
 */
public final class AttemptLog {
  private static final String BEGIN = "b ";
  private static final String END = "e ";
  private static final String UNDO_BEGIN = "u ";
  private static final String UNDO_END = "v ";
  private static final Pattern SHARED = Pattern.compile("[cCptlm] .*");

  /** From here on another one keeps what tasks share, and begins with nothing. */
  public static final String KEPT_ELSEWHERE = "x";

  private final List<Attempt> begun = new ArrayList<>();
  private final Map<String, Integer> beginLine = new HashMap<>();
  private final Map<String, Integer> endLine = new HashMap<>();
  private final Map<String, Integer> undoLine = new HashMap<>();
  private final List<String> begunTwice = new ArrayList<>();
  private final List<List<String>> shared = new ArrayList<>(List.of(new ArrayList<>()));

  public static AttemptLog read(Path file) throws IOException {
    return of(Files.exists(file) ? Files.readAllLines(file) : List.of());
  }

  public static AttemptLog of(List<String> lines) {
    AttemptLog log = new AttemptLog();
    for (int i = 0; i < lines.size(); i++) {
      log.add(lines.get(i), i);
    }
    return log;
  }

  private void add(String line, int number) {
    if (line.startsWith(BEGIN)) {
      Attempt attempt = Attempt.parse(line.substring(BEGIN.length()));
      begun.add(attempt);
      // Calls from Java do not know their lease: copies of one have the same word.
      if (beginLine.put(attempt.word(), number) != null && attempt.token().isPresent()) {
        begunTwice.add(attempt.word());
      }
    } else if (line.startsWith(END)) {
      endLine.put(line.substring(END.length()), number);
    } else if (line.startsWith(UNDO_BEGIN) || line.startsWith(UNDO_END)) {
      undoLine.putIfAbsent(line, number);
    } else if (SHARED.matcher(line).matches()) {
      shared.getLast().add(line);
    } else if (line.equals(KEPT_ELSEWHERE)) {
      shared.add(new ArrayList<>());
    }
  }

  /** In the order of their beginnings. */
  List<Attempt> begun() {
    return begun;
  }

  /** What tasks did with what they share, apart for each one that kept it. */
  List<List<String>> shared() {
    return shared;
  }

  List<String> begunTwice() {
    return begunTwice;
  }

  boolean ran(String word) {
    return beginLine.containsKey(word) && endLine.containsKey(word);
  }

  int beginLine(Attempt attempt) {
    return beginLine.getOrDefault(attempt.word(), 0);
  }

  OptionalInt endLine(String word) {
    Integer line = endLine.get(word);
    return line == null ? OptionalInt.empty() : OptionalInt.of(line);
  }

  /** Where undoing a task began for the first time. */
  OptionalInt undoBegin(TaskId task) {
    return undo(UNDO_BEGIN, task);
  }

  /** Where undoing a task came to an end for the first time. */
  OptionalInt undoEnd(TaskId task) {
    return undo(UNDO_END, task);
  }

  private OptionalInt undo(String what, TaskId task) {
    Integer line = undoLine.get("%s%d.%d".formatted(what, task.job().value(), task.index() + 1));
    return line == null ? OptionalInt.empty() : OptionalInt.of(line);
  }

  public int attempts() {
    return begun.size();
  }
}
