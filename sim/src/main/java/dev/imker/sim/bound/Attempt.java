package dev.imker.sim.bound;

import dev.imker.sim.config.Failures;

/**
 * The expected outcome of a task that a machine begins.
 *
 * @param success probability of finishing it
 * @param minutes until its end or the failure
 */
record Attempt(double success, double minutes) {
  /** As in the simulator: the minute in which a task is complete is safe. */
  static Attempt of(Failures failures, int minute, int uptimeMinutes, int length) {
    double alive = 1;
    double minutes = 0;
    for (int i = 1; i <= length; i++) {
      minutes += alive;
      if (i < length) {
        alive *= 1 - failures.probability(minute, uptimeMinutes + i);
      }
    }
    return new Attempt(alive, minutes);
  }

  /** With the minute in which the machine asked for it. */
  double busyMinutes() {
    return minutes + 1;
  }

  /** Minutes that are lost: those of attempts that fail. */
  double lostMinutes(int length) {
    return minutes - success * length;
  }
}
