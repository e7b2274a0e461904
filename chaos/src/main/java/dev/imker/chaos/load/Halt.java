package dev.imker.chaos.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Has a task stand still once the log of its job has so many lines, for as long as somebody wants,
 * so that what goes down then does so after that line and before anything else. Works between
 * processes: all of it is files beside the log.
 *
 * @param order exists while tasks are to stand still; the number of lines, or empty if none is to
 * @param reached exists when one does
 */
public record Halt(Path log, Path order, Path reached) {
  private static final long LOOK_MILLIS = 10;

  public static Halt of(Path log) {
    return new Halt(
        log,
        log.resolveSibling(log.getFileName() + ".halt"),
        log.resolveSibling(log.getFileName() + ".halted"));
  }

  /** Whether anybody ever wants tasks with this log to stand still. */
  static boolean isPossible(Path log) {
    return Files.exists(of(log).order) || Files.exists(of(log).reached);
  }

  /** Tasks are to stand still after so many lines. */
  public void after(int lines) {
    write(order, Integer.toString(lines));
  }

  /** No task is to stand still. */
  public void never() {
    write(order, "");
  }

  public boolean isReached() {
    return Files.exists(reached);
  }

  /** Called by a task that has just written a line. */
  void await() throws IOException, InterruptedException {
    String wanted = wanted();
    if (wanted.isEmpty() || isReached() || lines() < Integer.parseInt(wanted)) {
      return;
    }
    write(reached, wanted);
    while (!wanted().isEmpty()) {
      Thread.sleep(LOOK_MILLIS);
    }
  }

  private String wanted() throws IOException {
    return Files.exists(order) ? Files.readString(order) : "";
  }

  /** How many lines the log has. */
  public long lines() throws IOException {
    try (Stream<String> lines = Files.lines(log)) {
      return lines.count();
    }
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
