package dev.imker.cli;

import dev.imker.charts.Progress;
import java.io.Console;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/** How far an analysis is, on one line of the terminal; elsewhere nothing is shown. */
final class ChartProgress implements Progress {
  private static final int WIDTH = 28;
  private static final long EVERY_NANOS = 200_000_000L;

  private final PrintStream terminal;
  private final boolean live;
  private final long startNanos = System.nanoTime();
  private final AtomicLong nextNanos = new AtomicLong(startNanos);

  ChartProgress(PrintStream terminal, boolean live) {
    this.terminal = terminal;
    this.live = live;
  }

  @SuppressWarnings("SystemConsoleNull") // Null or not a terminal: it depends on the provider.
  static ChartProgress onTerminal() {
    Console console = System.console();
    return new ChartProgress(System.err, console != null && console.isTerminal());
  }

  @Override
  public void advanced(long stepsDone, long stepsTotal) {
    long now = System.nanoTime();
    long due = nextNanos.get();
    if (live && now - due >= 0 && nextNanos.compareAndSet(due, now + EVERY_NANOS)) {
      terminal.print("\r" + line(stepsDone, stepsTotal, now - startNanos) + "\u001b[K");
      terminal.flush();
    }
  }

  static String line(long done, long total, long nanos) {
    double share = total == 0 ? 1 : Math.clamp((double) done / total, 0, 1);
    int full = (int) Math.round(share * WIDTH);
    String left =
        share < 0.01
            ? ""
            : ", " + Texts.duration(Duration.ofNanos((long) (nanos / share - nanos))) + " left";
    return String.format(
        Locale.ROOT,
        "[%s%s] %3.0f %%  %,d of %,d steps%s",
        "#".repeat(full),
        ".".repeat(WIDTH - full),
        100 * share,
        done,
        total,
        left);
  }

  /** Leaves the terminal to others. */
  @Override
  public void finished() {
    if (live) {
      terminal.print("\r\u001b[K");
      terminal.flush();
    }
  }
}
