package dev.imker.server.check;

import dev.imker.core.message.JobPicture;
import dev.imker.model.JobId;
import dev.imker.model.TaskId;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A job as memory has it, between two readings of the database.
 *
 * @param differences where both readings agree and memory says something else
 * @param changed whether the readings differ where memory agrees with neither
 */
record JobComparison(List<String> differences, boolean changed) {
  static JobComparison of(
      JobId job,
      @Nullable JobPicture before,
      @Nullable JobPicture memory,
      @Nullable JobPicture after) {
    if (isSame(memory, before) || isSame(memory, after)) {
      return new JobComparison(List.of(), false);
    }
    if (before == null || memory == null || after == null) {
      return isSame(before, after)
          ? new JobComparison(List.of(line("job " + job, whole(memory), whole(after))), false)
          : new JobComparison(List.of(), true);
    }
    if (!before.isSameJobAs(after)) {
      return new JobComparison(List.of(), true);
    }
    if (!memory.isSameJobAs(after)) {
      return new JobComparison(List.of(line("job " + job, whole(memory), whole(after))), false);
    }
    List<String> differences = new ArrayList<>();
    boolean changed = false;
    for (int i = 0; i < memory.size(); i++) {
      if (!memory.isSameTaskAs(before, i) && !memory.isSameTaskAs(after, i)) {
        if (before.isSameTaskAs(after, i)) {
          differences.add(line("task " + new TaskId(job, i), memory.inWords(i), after.inWords(i)));
        } else {
          changed = true;
        }
      }
    }
    return new JobComparison(differences, changed);
  }

  boolean isClear() {
    return differences.isEmpty() && !changed;
  }

  private static boolean isSame(@Nullable JobPicture one, @Nullable JobPicture other) {
    return (one == null || other == null) ? one == other : one.isSameAs(other);
  }

  private static @Nullable String whole(@Nullable JobPicture picture) {
    return picture == null ? null : picture.inWords();
  }

  private static String line(String subject, @Nullable String known, @Nullable String written) {
    return "%s: this server has %s; the database has %s"
        .formatted(subject, orNothing(known), orNothing(written));
  }

  static String orNothing(@Nullable String words) {
    return words == null ? "nothing" : words;
  }
}
