package dev.imker.sim.twin;

import dev.imker.sim.config.Absence;
import java.util.Arrays;
import java.util.List;

/**
 * A machine that is absent when the recorded one was. If a simulation outlasts the record, the
 * record is repeated, after whole days if possible, so that nights stay nights.
 */
final class RecordedAbsence implements Absence {
  private final int[] from;
  private final int[] to;
  private final int period;

  /** Spans in steps, in order. */
  RecordedAbsence(List<int[]> up, int period) {
    from = up.stream().mapToInt(span -> span[0]).toArray();
    to = up.stream().mapToInt(span -> span[1]).toArray();
    this.period = period;
  }

  @Override
  public boolean contains(int minute) {
    int step = Math.floorMod(minute, period);
    int found = Arrays.binarySearch(from, step);
    int span = found >= 0 ? found : -found - 2;
    return span < 0 || step >= to[span];
  }
}
