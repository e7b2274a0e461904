package dev.imker.sim.twin;

import dev.imker.sim.SimResult;
import dev.imker.sim.SimRun;
import dev.imker.sim.Spread;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The strategy that would have been best for a pool, compared with the current one.
 *
 * @param best the strategy with the earliest mean end
 * @param used the current strategy, simulated like the others
 * @param earlier how much sooner the best ends, in hours, run by run with the same seed
 * @param sooner number of runs in which it ends sooner
 * @param runs total number of runs
 */
record TwinAdvice(
    String best, String used, Spread earlier, double usedHours, int sooner, int runs) {
  private static final double CLEAR_SHARE = 0.01;
  private static final double MILLIS_PER_HOUR = 3_600_000;

  /** Null if every strategy has unfinished runs, or the current one was not simulated. */
  public static @Nullable TwinAdvice of(List<SimResult> results, String used) {
    SimResult present =
        results.stream().filter(r -> r.strategy().equals(used)).findFirst().orElse(null);
    SimResult best =
        results.stream()
            .filter(r -> r.makespan() != null)
            .min(Comparator.comparingDouble(TwinAdvice::meanEnd))
            .orElse(null);
    if (present == null || best == null || present.makespan() == null) {
      return null;
    }
    if (meanEnd(best) == meanEnd(present)) {
      best = present;
    }
    double hours = best.config().stepMillis() / MILLIS_PER_HOUR;
    int runs = best.runs().size();
    double[] earlier = new double[runs];
    int sooner = 0;
    for (int i = 0; i < runs; i++) {
      SimRun mine = best.runs().get(i);
      SimRun its = present.runs().get(i);
      earlier[i] = (its.makespan() - mine.makespan()) * hours;
      sooner += earlier[i] > 0 ? 1 : 0;
    }
    return new TwinAdvice(
        best.strategy(), used, Spread.of(earlier), meanEnd(present) / 60, sooner, runs);
  }

  private static double meanEnd(SimResult result) {
    Spread end = result.makespan();
    return end == null ? Double.POSITIVE_INFINITY : end.mean();
  }

  /** Whether a change is worthwhile: more than a percent sooner, and in most of the runs. */
  public boolean isClear() {
    return !best.equals(used)
        && earlier.mean() > CLEAR_SHARE * usedHours
        && 2 * sooner > runs
        && earlier.mean() > earlier.sd() / Math.sqrt(runs);
  }

  public String text() {
    if (best.equals(used)) {
      return used + ", which the pool uses, would finish first. Nothing to change.";
    }
    String difference =
        String.format(
            Locale.ROOT,
            "%s would have finished %s earlier than %s (± %s; sooner in %d of %d runs)",
            best,
            duration(earlier.mean()),
            used,
            duration(earlier.sd()),
            sooner,
            runs);
    return isClear()
        ? difference
            + ". Recommended: imker strategy set "
            + best.replace(':', ' ').replace(',', ' ')
        : difference + ", too small or too uncertain a gain to recommend a change.";
  }

  private static String duration(double hours) {
    double minutes = Math.abs(hours) * 60;
    String sign = hours < 0 ? "-" : "";
    if (minutes >= 60) {
      return String.format(Locale.ROOT, "%s%.1f h", sign, minutes / 60);
    }
    return minutes >= 1
        ? String.format(Locale.ROOT, "%s%.1f min", sign, minutes)
        : String.format(Locale.ROOT, "%s%.1f s", sign, minutes * 60);
  }
}
