package dev.imker.cli.charts;

import dev.imker.charts.Progress;
import dev.imker.cli.terminal.TerminalLine;
import dev.imker.cli.terminal.Texts;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;

/** How far an analysis is, on one line of the terminal; elsewhere nothing is shown. */
final class ChartProgress implements Progress {
  /** So that all but the steps can be seen on a terminal of 40 columns. */
  private static final int WIDTH = 20;

  private static final long EVERY_NANOS = 200_000_000L;

  private final TerminalLine terminal;
  private final boolean live;
  private long roundTotal = -1;
  private long roundNanos;
  private long nextNanos = System.nanoTime();

  ChartProgress(PrintStream terminal, boolean live) {
    this.terminal = new TerminalLine(terminal);
    this.live = live;
  }

  static ChartProgress onTerminal() {
    return new ChartProgress(System.err, TerminalLine.isPossible());
  }

  @Override
  public void advanced(long stepsDone, long stepsTotal) {
    if (live) {
      draw(stepsDone, stepsTotal, System.nanoTime());
    }
  }

  /** A search may have several rounds; what is left is of the one that runs. */
  private synchronized void draw(long stepsDone, long stepsTotal, long nowNanos) {
    if (stepsTotal != roundTotal) {
      roundTotal = stepsTotal;
      roundNanos = nowNanos;
    }
    if (nowNanos - nextNanos >= 0) {
      nextNanos = nowNanos + EVERY_NANOS;
      terminal.draw(line(stepsDone, stepsTotal, nowNanos - roundNanos));
    }
  }

  static String line(long done, long total, long nanos) {
    double share = total == 0 ? 1 : Math.clamp((double) done / total, 0, 1);
    int full = (int) Math.round(share * WIDTH);
    String left =
        share < 0.01
            ? ""
            : Texts.duration(Duration.ofNanos((long) (nanos / share - nanos))) + " left";
    return String.format(
        Locale.ROOT,
        "[%s%s] %3.0f %%  %-11s  %,d of %,d steps",
        "#".repeat(full),
        ".".repeat(WIDTH - full),
        100 * share,
        left,
        done,
        total);
  }

  /** Leaves the terminal to others. */
  @Override
  public void finished() {
    if (live) {
      terminal.erase();
    }
  }
}
