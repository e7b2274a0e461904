package dev.imker.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What tasks wrote themselves about their beginnings and ends, and who was killed meanwhile. */
final class AttemptJournal {
  private static final class Attempt {
    final String folder;
    final long begunMillis;
    long endMillis;
    boolean lost;

    Attempt(String folder, long begunMillis, long endMillis) {
      this.folder = folder;
      this.begunMillis = begunMillis;
      this.endMillis = endMillis;
    }
  }

  private final List<Attempt> attempts = new ArrayList<>();

  private AttemptJournal() {}

  /** Reads lines {@code b|e TASK FOLDER MILLIS}; what has not ended lasts until now. */
  static AttemptJournal read(Path file, long nowMillis) throws IOException {
    AttemptJournal log = new AttemptJournal();
    Map<String, Attempt> open = new HashMap<>();
    for (String line : Files.readAllLines(file)) {
      String[] words = line.split(" ", -1);
      long millis = Long.parseLong(words[3]);
      String key = words[1] + " " + words[2];
      if (words[0].equals("b")) {
        Attempt begun = new Attempt(words[2], millis, nowMillis);
        log.attempts.add(begun);
        open.put(key, begun);
      } else {
        Attempt begun = open.remove(key);
        if (begun != null) {
          begun.endMillis = millis;
        }
      }
    }
    return log;
  }

  /** Counts as lost what ran below this folder at one of these times, and only until then. */
  void lose(String folder, List<Long> deathsMillis) {
    for (Attempt attempt : attempts) {
      if (!attempt.folder.startsWith(folder + "/")) {
        continue;
      }
      for (long death : deathsMillis) {
        if (attempt.begunMillis <= death && death < attempt.endMillis) {
          attempt.endMillis = death;
          attempt.lost = true;
        }
      }
    }
  }

  double efficiency() {
    double all = 0;
    double lost = 0;
    for (Attempt attempt : attempts) {
      double millis = attempt.endMillis - attempt.begunMillis;
      all += millis;
      lost += attempt.lost ? millis : 0;
    }
    return all == 0 ? 1 : 1 - lost / all;
  }
}
