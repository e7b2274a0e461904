package dev.imker.sim;

import dev.imker.model.Granted;
import dev.imker.model.Lease;
import dev.imker.sim.config.Absence;
import dev.imker.sim.config.Machines;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** A machine of a run: its work, its age, its presence. */
final class SimNode {
  /** What the machine does during a minute. */
  enum Presence {
    HERE,
    LEAVES,
    AWAY,
    RETURNS
  }

  /** A task that it is working on. */
  static final class Work {
    final Lease lease;
    final Granted granted;
    private final int neededMinutes;
    private int workedMinutes;

    private Work(Lease lease, Granted granted, int neededMinutes) {
      this.lease = lease;
      this.granted = granted;
      this.neededMinutes = neededMinutes;
    }

    int workedMinutes() {
      return workedMinutes;
    }

    /** Cores that it holds, in hundredths. */
    long cores() {
      return granted.of("cores");
    }

    /** Works for a minute; true if the task is complete. */
    boolean isComplete() {
      return ++workedMinutes >= neededMinutes;
    }
  }

  private final Machines machines;
  private final SplittableRandom random;
  private final List<Work> work = new ArrayList<>();
  private int uptimeMinutes;
  private boolean away;
  private int jitter;
  private boolean drawDue;

  SimNode(Machines machines, SplittableRandom random) {
    this.machines = machines;
    this.random = random;
    drawJitter();
  }

  Machines machines() {
    return machines;
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

  /**
   * A new jitter must neither undo the last arrival or departure nor trigger the next one
   * immediately.
   */
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
    return !work.isEmpty();
  }

  /** Its current tasks. */
  List<Work> work() {
    return List.copyOf(work);
  }

  void begin(Lease lease, Granted granted, double nominalMinutes) {
    int minutes = (int) Math.max(1, Math.round(nominalMinutes * machines.slowdown()));
    work.add(new Work(lease, granted, minutes));
  }

  /** Gives up or completes a task. */
  void end(Work one) {
    work.remove(one);
  }

  @Nullable Work find(Lease lease) {
    for (Work one : work) {
      if (one.lease.equals(lease)) {
        return one;
      }
    }
    return null;
  }

  void age() {
    uptimeMinutes++;
  }

  /** Ages by a minute; true if the machine fails in that minute and restarts. */
  boolean ageAndFail(int minute) {
    uptimeMinutes++;
    if (random.nextDouble() >= machines.failures().probability(minute, uptimeMinutes)) {
      return false;
    }
    uptimeMinutes = 0;
    return true;
  }
}
