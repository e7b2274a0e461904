package dev.imker.sim;

import dev.imker.sim.config.Absence;
import dev.imker.sim.config.Machines;
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
  private boolean drawDue;

  SimNode(Machines machines, SplittableRandom random) {
    this.machines = machines;
    this.random = random;
    drawJitter();
  }

  Presence presence(int minute) {
    Absence absence = machines.away();
    if (absence == null) {
      return Presence.HERE;
    }
    boolean gone = absence.contains(minute + jitter);
    if (gone == away) {
      drawJitterIfQuiet(absence, minute);
      return away ? Presence.AWAY : Presence.HERE;
    }
    away = gone;
    drawDue = true;
    uptimeMinutes = 0;
    return gone ? Presence.LEAVES : Presence.RETURNS;
  }

  /** A new jitter must not undo the last coming or going, nor bring the next one at once. */
  private void drawJitterIfQuiet(Absence absence, int minute) {
    int most = machines.jitterMinutes();
    if (drawDue
        && most > 0
        && absence.contains(minute - most) == away
        && absence.contains(minute + most) == away) {
      drawJitter();
      drawDue = false;
    }
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
