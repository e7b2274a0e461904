package dev.imker.sim;

import dev.imker.core.profile.PoolProfile;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The course of a run, minute by minute; in percent, except working nodes. */
public final class Timeline {
  private final int projects;
  private float[] efficiency = new float[1024];
  private float[][] done;
  private float[][] working;
  private final SortedMap<String, float[]> used = new TreeMap<>();
  private int minutes;

  Timeline(int projects) {
    this.projects = projects;
    done = new float[projects][1024];
    working = new float[projects][1024];
  }

  void record(PoolProfile profiles, Measures measures, @Nullable UsedAmounts amounts) {
    if (minutes == efficiency.length) {
      grow();
    }
    efficiency[minutes] = (float) (100 * measures.efficiency());
    for (int k = 0; k < profiles.projects() && k < projects; k++) {
      done[k][minutes] = (float) (100 * profiles.project(k).doneShare());
      working[k][minutes] = profiles.project(k).working() + profiles.project(k).copies();
    }
    if (amounts != null) {
      amounts
          .now()
          .forEach(
              (name, percent) ->
                  used.computeIfAbsent(name, key -> new float[efficiency.length])[minutes] =
                      percent.floatValue());
    }
    minutes++;
  }

  private void grow() {
    int size = 2 * minutes;
    efficiency = Arrays.copyOf(efficiency, size);
    used.replaceAll((name, percents) -> Arrays.copyOf(percents, size));
    for (int k = 0; k < projects; k++) {
      done[k] = Arrays.copyOf(done[k], size);
      working[k] = Arrays.copyOf(working[k], size);
    }
  }

  public int minutes() {
    return minutes;
  }

  public float[] efficiency() {
    return Arrays.copyOf(efficiency, minutes);
  }

  public float[] done(int project) {
    return Arrays.copyOf(done[project], minutes);
  }

  public float[] working(int project) {
    return Arrays.copyOf(working[project], minutes);
  }

  /** Percent of each resource that were in use, by name. */
  public SortedMap<String, float[]> used() {
    SortedMap<String, float[]> copy = new TreeMap<>();
    used.forEach((name, percents) -> copy.put(name, Arrays.copyOf(percents, minutes)));
    return copy;
  }
}
