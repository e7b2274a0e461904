package dev.imker.agent.internal.neighbour;

import dev.imker.agent.internal.process.ProcessTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * How much of the machine other programs use: the work of all cores minus that of the agent and its
 * tasks between two samples.
 */
final class CpuUse {
  private static final Path STAT = Path.of("/proc/stat");
  private static final int IDLE = 3;
  private static final int WAITING = 4;
  private static final int GUEST = 8;

  private long lastBusy = -1;
  private long lastAll;
  private long lastOwn;

  /** Share of all cores, 0 to 1; 0 at the first look and where the system does not tell. */
  double ofOthers() {
    long[] ticks;
    try (var lines = Files.lines(STAT)) {
      ticks = parse(lines.findFirst().orElse(""));
    } catch (IOException e) {
      return 0;
    }
    return step(ticks, ProcessTree.ownCpuTicks());
  }

  double step(long[] ticks, long own) {
    long all = Arrays.stream(ticks, 0, Math.min(ticks.length, GUEST)).sum();
    long busy = all - ticks[IDLE] - ticks[WAITING];
    double share = 0;
    if (lastBusy >= 0 && all > lastAll) {
      share = (double) (busy - lastBusy - (own - lastOwn)) / (all - lastAll);
    }
    lastBusy = busy;
    lastAll = all;
    lastOwn = own;
    return Math.clamp(share, 0, 1);
  }

  /** The figures of the line {@code cpu user nice system idle iowait irq softirq steal …}. */
  static long[] parse(String line) {
    String[] words = line.strip().split("\\s+", -1);
    long[] ticks = new long[Math.max(WAITING + 1, words.length - 1)];
    for (int i = 1; i < words.length; i++) {
      ticks[i - 1] = Long.parseLong(words[i]);
    }
    return ticks;
  }
}
