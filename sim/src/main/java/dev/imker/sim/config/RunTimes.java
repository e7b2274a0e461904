package dev.imker.sim.config;

import java.util.random.RandomGenerator;

/** How long a project's tasks take on a machine of slowdown 1. */
public interface RunTimes {
  /** Minutes of one task, more than 0. */
  double draw(RandomGenerator random);

  /** Always the same. */
  record Fixed(double minutes) implements RunTimes {
    @Override
    public double draw(RandomGenerator random) {
      return minutes;
    }
  }

  /** Any value between two with the same probability. */
  record Uniform(double min, double max) implements RunTimes {
    @Override
    public double draw(RandomGenerator random) {
      return min + random.nextDouble() * (max - min);
    }
  }

  /** Half of the tasks are shorter than the median; {@code sigma} is that of the logarithm. */
  record LogNormal(double median, double sigma) implements RunTimes {
    @Override
    public double draw(RandomGenerator random) {
      return median * Math.exp(sigma * random.nextGaussian());
    }
  }

  /** Drawn from recorded tasks. */
  record Recorded(double[] minutes) implements RunTimes {
    @Override
    public double draw(RandomGenerator random) {
      return minutes[random.nextInt(minutes.length)];
    }
  }

  /** Many short and a few long ones. */
  record Exponential(double mean) implements RunTimes {
    @Override
    public double draw(RandomGenerator random) {
      return mean * random.nextExponential();
    }
  }
}
