package dev.imker.server.usage;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What something used over time, in bounded memory: when there is no more room, every two
 * neighbours become one, so that the whole time stays and is told ever more coarsely.
 */
public final class UsageSeries {
  private static final int MOST = 240;
  private static final int FIRST = 16;
  private static final long MILLIS_PER_SECOND = 1000;

  /**
   * One moment.
   *
   * @param cores how many cores were busy with it since the point before
   */
  public record Point(long atMillis, double cores, long memoryBytes, long diskBytes) {}

  private final long longestMillis;
  private final long beginMillis;
  private int[] seconds = new int[FIRST];
  private float[] cores = new float[FIRST];
  private float[] memory = new float[FIRST];
  private float[] disk = new float[FIRST];
  private int size;

  /** What is told sooner after the last point is left out. */
  private long pauseMillis;

  private float heldMemory;
  private float heldDisk;

  /**
   * @param longestMillis how far back it goes; what is older is forgotten
   */
  UsageSeries(long beginMillis, long longestMillis) {
    this.beginMillis = beginMillis;
    this.longestMillis = longestMillis;
  }

  long lastMillis() {
    return size == 0 ? 0 : beginMillis + seconds[size - 1] * MILLIS_PER_SECOND;
  }

  /** Whether a point now would be kept. */
  boolean isDue(long atMillis) {
    return size == 0 || atMillis - lastMillis() >= Math.max(pauseMillis, MILLIS_PER_SECOND);
  }

  /** Of what is told between two points, the peaks count for the next one. */
  void hold(long memoryBytes, long diskBytes) {
    heldMemory = Math.max(heldMemory, (float) memoryBytes);
    heldDisk = Math.max(heldDisk, (float) diskBytes);
  }

  void add(Point point) {
    if (size == MOST) {
      forgetBefore(point.atMillis - longestMillis);
    }
    if (size == MOST) {
      halve();
    }
    if (size == seconds.length) {
      int more = Math.min(MOST, 2 * size);
      seconds = Arrays.copyOf(seconds, more);
      cores = Arrays.copyOf(cores, more);
      memory = Arrays.copyOf(memory, more);
      disk = Arrays.copyOf(disk, more);
    }
    seconds[size] = (int) ((point.atMillis - beginMillis) / MILLIS_PER_SECOND);
    cores[size] = (float) point.cores;
    memory[size] = Math.max(heldMemory, (float) point.memoryBytes);
    disk[size] = Math.max(heldDisk, (float) point.diskBytes);
    heldMemory = 0;
    heldDisk = 0;
    size++;
  }

  private void forgetBefore(long millis) {
    int from = 0;
    while (from < size && beginMillis + seconds[from] * MILLIS_PER_SECOND < millis) {
      from++;
    }
    for (Object column : List.of(seconds, cores, memory, disk)) {
      System.arraycopy(column, from, column, 0, size - from);
    }
    size -= from;
  }

  /** Processors as a mean, memory and disk as the greater one: peaks are not lost. */
  private void halve() {
    for (int i = 0; i < size / 2; i++) {
      int second = 2 * i + 1;
      seconds[i] = seconds[second];
      cores[i] = (cores[2 * i] + cores[second]) / 2;
      memory[i] = Math.max(memory[2 * i], memory[second]);
      disk[i] = Math.max(disk[2 * i], disk[second]);
    }
    size /= 2;
    pauseMillis = (lastMillis() - beginMillis) / MOST * 2;
  }

  List<Point> points() {
    List<Point> points = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      points.add(
          new Point(
              beginMillis + seconds[i] * MILLIS_PER_SECOND,
              cores[i],
              (long) memory[i],
              (long) disk[i]));
    }
    return points;
  }
}
