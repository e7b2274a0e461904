package dev.imker.chaos;

import dev.imker.chaos.check.WriteAudit;
import dev.imker.chaos.cluster.ChaosPool;
import dev.imker.chaos.cluster.Member;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Writes down every few seconds what the processes of a pool take and how much they do, as a table
 * and as a picture.
 */
final class Footprint implements AutoCloseable {
  private static final long EVERY_MILLIS = 5_000;
  private static final int WIDTH = 860;
  private static final int PANEL = 170;
  private static final int LEFT = 70;
  private static final int TOP = 34;

  /**
   * One look.
   *
   * @param serverMegabytes resident memory of the largest server
   * @param agentMegabytes the same of the largest agent
   * @param results tasks that were done since the last look, in a second
   */
  private record Sample(
      double minute,
      double serverMegabytes,
      double agentMegabytes,
      double serverFiles,
      double agentFiles,
      double results) {}

  private final ChaosPool pool;
  private final WriteAudit audit;
  private final Path folder;
  private final Thread thread;
  private final List<Sample> samples = new ArrayList<>();

  private Footprint(ChaosPool pool, WriteAudit audit, Path folder) {
    this.pool = pool;
    this.audit = audit;
    this.folder = folder;
    this.thread = Thread.ofPlatform().name("footprint").daemon().unstarted(this::watch);
  }

  static Footprint watch(ChaosPool pool, WriteAudit audit, Path folder) {
    Footprint watched = new Footprint(pool, audit, folder);
    watched.thread.start();
    return watched;
  }

  private void watch() {
    long begun = System.nanoTime();
    long last = begun;
    long results = results(0);
    while (sleep()) {
      long now = System.nanoTime();
      long done = results(results);
      samples.add(
          new Sample(
              (now - begun) / (double) TimeUnit.MINUTES.toNanos(1),
              largest(pool.servers(), Footprint::megabytes),
              largest(pool.agents(), Footprint::megabytes),
              largest(pool.servers(), Footprint::files),
              largest(pool.agents(), Footprint::files),
              (done - results) * 1e9 / (now - last)));
      results = done;
      last = now;
      write();
    }
  }

  private static boolean sleep() {
    try {
      Thread.sleep(EVERY_MILLIS);
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  /** As many as before while the database is away. */
  private long results(long before) {
    try {
      return audit.results();
    } catch (SQLException e) {
      return before;
    }
  }

  private interface Measure {
    double of(long pid) throws IOException;
  }

  /** Of the processes that live. */
  private static double largest(List<Member> members, Measure measure) {
    double largest = 0;
    for (Member member : members) {
      OptionalLong pid = member.javaPid();
      try {
        largest = Math.max(largest, pid.isPresent() ? measure.of(pid.getAsLong()) : 0);
      } catch (IOException | UncheckedIOException e) {
        // it was killed just now
      }
    }
    return largest;
  }

  private static double megabytes(long pid) throws IOException {
    return Files.readAllLines(Path.of("/proc", Long.toString(pid), "status")).stream()
            .filter(line -> line.startsWith("VmRSS:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D+", "")))
            .sum()
        / 1024.0;
  }

  private static double files(long pid) throws IOException {
    try (Stream<Path> open = Files.list(Path.of("/proc", Long.toString(pid), "fd"))) {
      return open.count();
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }

  // ---------------------------------------------------------------- what came of it

  private void write() {
    StringBuilder table =
        new StringBuilder(
            "minute,server MB,agent MB,server files,agent files,results per second\n");
    for (Sample one : samples) {
      table.append(
          String.format(
              Locale.ROOT,
              "%.2f,%.1f,%.1f,%.0f,%.0f,%.1f%n",
              one.minute,
              one.serverMegabytes,
              one.agentMegabytes,
              one.serverFiles,
              one.agentFiles,
              one.results));
    }
    try {
      Files.writeString(folder.resolve("footprint.csv"), table);
      Files.writeString(folder.resolve("footprint.svg"), picture());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String picture() {
    int height = 3 * PANEL + TOP;
    StringBuilder svg =
        new StringBuilder(
            ("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                    + " font-family=\"sans-serif\" font-size=\"12\">\n"
                    + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n")
                .formatted(WIDTH, height));
    panel(svg, 0, "resident memory in MB", Sample::serverMegabytes, Sample::agentMegabytes);
    panel(svg, 1, "open files", Sample::serverFiles, Sample::agentFiles);
    panel(svg, 2, "tasks done in a second", Sample::results, null);
    return svg.append("</svg>\n").toString();
  }

  private void panel(
      StringBuilder svg,
      int number,
      String title,
      ToDoubleFunction<Sample> server,
      @Nullable ToDoubleFunction<Sample> agent) {
    int top = TOP + number * PANEL;
    int bottom = top + PANEL - 40;
    double most = samples.stream().mapToDouble(server).max().orElse(1);
    if (agent != null) {
      most = Math.max(most, samples.stream().mapToDouble(agent).max().orElse(1));
    }
    double scale = Math.max(1, most * 1.1);
    double minutes = samples.getLast().minute;
    svg.append(
        text(LEFT, top - 8, title + (agent == null ? "" : " (blue: server, orange: agent)")));
    for (int i = 0; i <= 2; i++) {
      double y = bottom - i * (bottom - top) / 2.0;
      svg.append(
          "<line x1=\"%d\" y1=\"%.0f\" x2=\"%d\" y2=\"%.0f\" stroke=\"#ddd\"/>%n"
              .formatted(LEFT, y, WIDTH - 10, y));
      svg.append(text(8, (int) y + 4, String.format(Locale.ROOT, "%.0f", scale * i / 2)));
    }
    svg.append(text(LEFT, bottom + 16, "0"));
    svg.append(text(WIDTH - 60, bottom + 16, String.format(Locale.ROOT, "%.0f min", minutes)));
    svg.append(line(server, "#1f77b4", scale, minutes, top, bottom));
    if (agent != null) {
      svg.append(line(agent, "#ff7f0e", scale, minutes, top, bottom));
    }
  }

  private static String text(int x, int y, String words) {
    return "<text x=\"%d\" y=\"%d\">%s</text>%n".formatted(x, y, words);
  }

  private String line(
      ToDoubleFunction<Sample> value,
      String colour,
      double scale,
      double minutes,
      int top,
      int bottom) {
    StringBuilder points = new StringBuilder();
    for (Sample one : samples) {
      points.append(
          String.format(
              Locale.ROOT,
              "%.1f,%.1f ",
              LEFT + one.minute / minutes * (WIDTH - LEFT - 10),
              bottom - value.applyAsDouble(one) / scale * (bottom - top)));
    }
    return "<polyline fill=\"none\" stroke=\"%s\" points=\"%s\"/>%n".formatted(colour, points);
  }
}
