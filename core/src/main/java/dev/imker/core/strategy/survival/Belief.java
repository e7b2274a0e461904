package dev.imker.core.strategy.survival;

import java.util.Arrays;

/**
 * The belief about how a node fails: weights over {@link Hazards}. Survival so far is accounted for
 * whenever a question is asked, an outage changes the weights.
 */
final class Belief {
  /** How much of an outage's lesson is replaced by general knowledge, to notice changes. */
  private static final float MIXED_IN = 0.05f;

  private final float[] weights = new float[Hazards.COUNT];
  private final float[] reach = new float[UptimeGrid.POINTS];
  private final float[] lived = new float[UptimeGrid.POINTS];
  private boolean stale = true;

  // The last question and its answers.
  private double askedUptime = Double.NaN;
  private double askedMinutes = Double.NaN;
  private double valueNow;
  private double livedNow;
  private double survives;
  private double expected;

  Belief() {
    for (int h = 0; h < Hazards.COUNT; h++) {
      weights[h] = Hazards.prior(h);
    }
  }

  void set(float[] newWeights) {
    System.arraycopy(newWeights, 0, weights, 0, weights.length);
    stale = true;
  }

  double[] memory() {
    return Memories.of(weights);
  }

  void recall(double[] memory) {
    Memories.into(memory, weights);
    stale = true;
  }

  /** Learns from an outage at an up-time; {@code general}: weights believed of the whole pool. */
  void onOutage(double uptimeMinutes, float[] general) {
    double sum = 0;
    for (int h = 0; h < Hazards.COUNT; h++) {
      double rate = Hazards.rate(h, uptimeMinutes) + 1e-6;
      weights[h] *= (float) (rate * Math.exp(-Hazards.cumulated(h, uptimeMinutes)));
      sum += weights[h];
    }
    for (int h = 0; h < Hazards.COUNT; h++) {
      float learnt = sum > 0 ? (float) (weights[h] / sum) : general[h];
      weights[h] = (1 - MIXED_IN) * learnt + MIXED_IN * general[h];
    }
    stale = true;
  }

  /** The probability of surviving that many more minutes. */
  double survival(double uptimeMinutes, double minutes) {
    look(uptimeMinutes, minutes);
    return survives;
  }

  /** Expected minutes until the outage, or the given ones if they end before. */
  double expectedMinutes(double uptimeMinutes, double minutes) {
    look(uptimeMinutes, minutes);
    return expected;
  }

  /** Answers both questions; the same question again, and the same up-time, cost little. */
  private void look(double uptimeMinutes, double minutes) {
    refresh();
    if (uptimeMinutes != askedUptime) {
      double position = UptimeGrid.position(uptimeMinutes);
      askedUptime = uptimeMinutes;
      askedMinutes = Double.NaN;
      valueNow = at(reach, position);
      livedNow = at(lived, position);
    }
    if (minutes != askedMinutes) {
      double position = UptimeGrid.position(uptimeMinutes + minutes);
      askedMinutes = minutes;
      survives = valueNow <= 0 ? 0 : at(reach, position) / valueNow;
      expected = valueNow <= 0 ? 0 : (at(lived, position) - livedNow) / valueNow;
    }
  }

  /** Adds the weights given that the current up-time was reached, scaled to {@code share}. */
  void addTo(float[] sum, double uptimeMinutes, float share) {
    int point = (int) UptimeGrid.position(uptimeMinutes);
    double total = 0;
    for (int h = 0; h < Hazards.COUNT; h++) {
      total += weights[h] * Hazards.survival(h)[point];
    }
    if (total <= 0) {
      return;
    }
    float scale = (float) (share / total);
    for (int h = 0; h < Hazards.COUNT; h++) {
      sum[h] += weights[h] * Hazards.survival(h)[point] * scale;
    }
  }

  private void refresh() {
    if (!stale) {
      return;
    }
    stale = false;
    askedUptime = Double.NaN;
    Arrays.fill(reach, 0);
    for (int h = 0; h < Hazards.COUNT; h++) {
      float weight = weights[h];
      float[] survival = Hazards.survival(h);
      for (int i = 0; i < UptimeGrid.POINTS; i++) {
        reach[i] += weight * survival[i];
      }
    }
    double total = 0;
    for (int i = 1; i < UptimeGrid.POINTS; i++) {
      double width = UptimeGrid.minutes(i) - UptimeGrid.minutes(i - 1);
      total += width * (reach[i] + reach[i - 1]) / 2;
      lived[i] = (float) total;
    }
  }

  private static double at(float[] curve, double position) {
    int i = (int) position;
    if (i >= UptimeGrid.POINTS - 1) {
      return curve[UptimeGrid.POINTS - 1];
    }
    double part = position - i;
    return curve[i] * (1 - part) + curve[i + 1] * part;
  }
}
