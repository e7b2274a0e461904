package dev.imker.chaos;

import dev.imker.chaos.check.PoolWrites;
import dev.imker.chaos.check.PoolWrites.TaskWrite;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * How long the pool hands out nothing when its leader goes: from that moment to the first lease by
 * a successor, both by the clock of this machine.
 */
final class FailOvers {
  /** How a leader went. */
  enum Way {
    KILLED("leader killed"),
    LEFT_TO_THE_DEAF("leader killed after the database had forgotten its standbys"),
    HUNG("leader hung"),
    WITHOUT_POWER("leader without power"),
    /** Whoever leads then. */
    DATABASE_BACK("database there again"),
    ROOM_AGAIN("room again on the disk of the database");

    private final String words;

    Way(String words) {
      this.words = words;
    }
  }

  private record Gone(Way way, boolean byZooKeeper, long epoch, long atMillis, boolean warm) {}

  private record Disturbance(long fromMillis, long untilMillis) {}

  private final List<Gone> gone = new ArrayList<>();
  private final List<Disturbance> disturbances = new ArrayList<>();

  /**
   * @param warm whether a successor was up
   */
  void leaderGone(Way way, boolean byZooKeeper, long epoch, boolean warm) {
    gone.add(new Gone(way, byZooKeeper, epoch, System.currentTimeMillis(), warm));
  }

  /** The database can work again: from here on work may go on. */
  void databaseBack(Way way, boolean byZooKeeper) {
    gone.add(new Gone(way, byZooKeeper, -1, System.currentTimeMillis(), true));
  }

  /** Something else happened that may delay a fail-over. */
  void disturbed(long lastsMillis) {
    long now = System.currentTimeMillis();
    disturbances.add(new Disturbance(now, now + lastsMillis));
  }

  /** Two lines for each way to lose a leader: the distribution, and all times in milliseconds. */
  List<String> report(PoolWrites writes) {
    List<String> lines = new ArrayList<>();
    for (Way way : Way.values()) {
      for (boolean byZooKeeper : new boolean[] {false, true}) {
        line(way, byZooKeeper, writes, lines);
      }
    }
    return lines;
  }

  private void line(Way way, boolean byZooKeeper, PoolWrites writes, List<String> lines) {
    List<Long> all = new ArrayList<>();
    List<Long> alone = new ArrayList<>();
    for (Gone leader : gone) {
      OptionalLong took = took(leader, writes);
      if (leader.way == way && leader.byZooKeeper == byZooKeeper && took.isPresent()) {
        all.add(took.getAsLong());
        if (leader.warm && !isDisturbed(leader, took.getAsLong())) {
          alone.add(took.getAsLong());
        }
      }
    }
    if (!all.isEmpty()) {
      lines.add(
          "%s, successor chosen by %s: %s; with other faults at the same time: %s"
              .formatted(
                  way.words,
                  byZooKeeper ? "ZooKeeper" : "the database",
                  figures(alone),
                  figures(all)));
      lines.add("  each, in the order in which they happened: " + all);
    }
  }

  private static OptionalLong took(Gone leader, PoolWrites writes) {
    return writes.tasks().stream()
        .filter(TaskWrite::isDispatch)
        .filter(write -> write.token().epoch() > leader.epoch)
        .mapToLong(write -> write.atMillis() - leader.atMillis)
        .filter(millis -> millis >= 0)
        .findFirst();
  }

  private boolean isDisturbed(Gone leader, long tookMillis) {
    long end = leader.atMillis + tookMillis;
    return disturbances.stream()
        .anyMatch(d -> d.fromMillis <= end && leader.atMillis <= d.untilMillis);
  }

  static String figures(List<Long> millis) {
    if (millis.isEmpty()) {
      return "none";
    }
    List<Long> sorted = millis.stream().sorted().toList();
    return "%d times, p50 %d ms, p95 %d ms, max %d ms"
        .formatted(sorted.size(), percentile(sorted, 50), percentile(sorted, 95), sorted.getLast());
  }

  private static long percentile(List<Long> sorted, int percent) {
    int place = (int) Math.ceil(sorted.size() * percent / 100.0) - 1;
    return sorted.get(Math.max(0, place));
  }
}
