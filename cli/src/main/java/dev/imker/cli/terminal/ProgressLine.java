package dev.imker.cli.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * Live progress of a job on one line of the terminal. Where standard error is not a terminal only
 * the last line is printed, and that the pool is away.
 */
public final class ProgressLine {
  private static final int WIDTH = 20;

  private final PrintStream terminal;
  private boolean live;
  private final long startNanos;
  private long doneAtStart = -1;
  private String note = "";
  private String last = "";

  ProgressLine(PrintStream terminal, boolean live, long startNanos) {
    this.terminal = terminal;
    this.live = live;
    this.startNanos = startNanos;
  }

  /** For a job that was submitted just now: its rate counts from here. */
  public static ProgressLine ofNewJob() {
    ProgressLine line = onTerminal();
    line.doneAtStart = 0;
    return line;
  }

  public static ProgressLine onTerminal() {
    return new ProgressLine(System.err, TerminalLine.isPossible(), System.nanoTime());
  }

  public void show(JsonNode job) {
    note = "";
    last = line(job, System.nanoTime());
    draw();
  }

  /** Lets somebody else write lines; the next view is drawn below them. */
  public void makeWay() {
    if (live) {
      new TerminalLine(terminal).erase();
    }
  }

  /** No line is drawn. */
  public void leaveOut() {
    live = false;
  }

  /** Where there is no line to draw it is said once, until the next view of the job. */
  public void trouble(String text) {
    if (!live && note.isEmpty()) {
      terminal.println("imker: " + text);
      terminal.flush();
    }
    note = "  (" + text + ")";
    draw();
  }

  public void finish() {
    if (live) {
      new TerminalLine(terminal).erase();
    }
    terminal.println(last);
    terminal.flush();
  }

  String line(JsonNode job, long nowNanos) {
    JsonNode counts = job.path("counts");
    long total = job.path("tasks").asLong();
    long done = counts.path("done").asLong();
    long running = counts.path("running").asLong();
    long failed = counts.path("failed").asLong() + counts.path("autoBlocked").asLong();
    long cancelled = counts.path("cancelled").asLong();
    long settled = done + failed + cancelled;
    if (doneAtStart < 0) {
      doneAtStart = settled;
    }
    double seconds = Math.max(1e-3, (nowNanos - startNanos) / 1e9);
    double rate = (settled - doneAtStart) / seconds;
    JsonNode said = job.path("progress");
    double share = said.path("fraction").asDouble(total == 0 ? 1 : (double) settled / total);
    int filled = (int) (share * WIDTH);
    StringBuilder line = new StringBuilder("[");
    line.repeat('#', filled).repeat('.', WIDTH - filled).append("] ");
    line.append(settled).append('/').append(total);
    line.append("  done ").append(done);
    line.append("  running ").append(running);
    line.append("  failed ").append(failed);
    if (cancelled > 0) {
      line.append("  cancelled ").append(cancelled);
    }
    if (said.has("fraction")) {
      line.append("  ").append((int) (share * 100)).append(" %");
      String text = said.path("text").asText();
      line.append(text.isEmpty() ? "" : " " + text);
    }
    line.append(String.format(Locale.ROOT, "  %.1f/s", rate));
    if (job.has("expectedEnd")) {
      JsonNode end = job.path("expectedEnd");
      line.append(
          "  %s left (%s to %s)"
              .formatted(left(end, "at"), left(end, "earliest"), left(end, "latest")));
    } else if (settled < total && rate > 0) {
      Duration left = Duration.ofMillis((long) ((total - settled) / rate * 1000));
      line.append("  ").append(Texts.duration(left)).append(" left");
    }
    return line.toString();
  }

  private static String left(JsonNode end, String when) {
    Duration left = Duration.between(Instant.now(), Instant.parse(end.path(when).asText()));
    return Texts.duration(left.isNegative() ? Duration.ZERO : left);
  }

  private void draw() {
    if (live) {
      new TerminalLine(terminal).draw(last + note);
    }
  }
}
