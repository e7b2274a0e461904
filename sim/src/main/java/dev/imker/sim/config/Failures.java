package dev.imker.sim.config;

/** The probability that a machine fails in the next minute. */
public interface Failures {
  Failures NEVER = (minute, uptimeMinutes) -> 0;

  /**
   * @param minute of the simulation, from 1 on
   * @param uptimeMinutes since the machine started
   */
  double probability(int minute, int uptimeMinutes);

  /**
   * The family of the reference configurations: a probability per minute before and after a switch,
   * reached after a period without failures and a linear rise.
   */
  record Ramp(double before, double after, int switchMinute, int safeMinutes, int risingMinutes)
      implements Failures {
    @Override
    public double probability(int minute, int uptimeMinutes) {
      double full = minute <= switchMinute ? before : after;
      if (uptimeMinutes < safeMinutes) {
        return 0;
      }
      if (uptimeMinutes >= safeMinutes + risingMinutes) {
        return full;
      }
      return full * (uptimeMinutes - safeMinutes) / risingMinutes;
    }
  }

  /** Up-times with a Weibull distribution; with a shape below 1, long up-times are safer. */
  record Weibull(double shape, double scaleMinutes) implements Failures {
    @Override
    public double probability(int minute, int uptimeMinutes) {
      double before = Math.pow((uptimeMinutes - 1) / scaleMinutes, shape);
      double after = Math.pow(uptimeMinutes / scaleMinutes, shape);
      return -Math.expm1(before - after);
    }
  }

  /** Multiplies the probability of another model within hours of the week. */
  record Within(Failures other, WeekHours hours, double factor) implements Failures {
    @Override
    public double probability(int minute, int uptimeMinutes) {
      double plain = other.probability(minute, uptimeMinutes);
      return hours.contains(minute) ? Math.min(1, factor * plain) : plain;
    }
  }
}
