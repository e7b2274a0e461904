package dev.imker.sim;

import java.util.SplittableRandom;

/** A machine of a run: its work, its age, whether it is there. */
final class SimNode {
  /** What the machine does in a minute. */
  enum Presence {
    HERE,
    LEAVES,
    AWAY,
    RETURNS
  }

  private final Machines machines;
  private final SplittableRandom random;
  private int uptimeMinutes;
  private int workedMinutes;
  private int neededMinutes;
  private boolean busy;
  private boolean away;
  private int jitter;

  SimNode(Machines machines, SplittableRandom random) {
    this.machines = machines;
    this.random = random;
    drawJitter();
  }

  Presence presence(int minute) {
    WeekHours hours = machines.away();
    if (hours == null) {
      return Presence.HERE;
    }
    boolean gone = hours.contains(minute + jitter);
    if (gone == away) {
      return away ? Presence.AWAY : Presence.HERE;
    }
    away = gone;
    drawJitter();
    uptimeMinutes = 0;
    return gone ? Presence.LEAVES : Presence.RETURNS;
  }

  private void drawJitter() {
    int most = machines.jitterMinutes();
    jitter = most == 0 ? 0 : random.nextInt(-most, most + 1);
  }

  boolean isBusy() {
    return busy;
  }

  void begin(double nominalMinutes) {
    busy = true;
    workedMinutes = 0;
    neededMinutes = (int) Math.max(1, Math.round(nominalMinutes * machines.slowdown()));
  }

  /** Works a minute; true if the task is complete. */
  boolean workIsComplete() {
    return ++workedMinutes >= neededMinutes;
  }

  /** Gives up or completes the task; returns the minutes worked on it. */
  int end() {
    busy = false;
    return workedMinutes;
  }

  void age() {
    uptimeMinutes++;
  }

  /** Ages by a minute; true if the machine fails in it and starts anew. */
  boolean ageAndFail(int minute) {
    uptimeMinutes++;
    if (random.nextDouble() >= machines.failures().probability(minute, uptimeMinutes)) {
      return false;
    }
    uptimeMinutes = 0;
    return true;
  }
}
