package dev.imker.charts.pool;

import dev.imker.charts.ChartException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@code imker chart task}: what agents run. Not meant for people. */
public final class PoolTaskMain {
  /** Where a task finds its plan. */
  public static final String PLAN = "IMKER_CHART_PLAN";

  private static final int WRONG_USE = 2;

  private PoolTaskMain() {}

  /** Runs in the current folder; the exit code. */
  public static int run(
      List<String> arguments, @Nullable String plan, PrintStream out, PrintStream err) {
    if (plan == null || arguments.isEmpty()) {
      err.println("This program runs a task of an analysis; submit one with 'imker submit FILE'.");
      return WRONG_USE;
    }
    try {
      run(arguments, new PoolTask(PoolPlan.decode(plan), Path.of("").toAbsolutePath(), out));
      return 0;
    } catch (ChartException e) {
      err.println(e.getMessage());
    } catch (IOException e) {
      err.println("A file cannot be read or written: " + e.getMessage());
    }
    return 1;
  }

  private static void run(List<String> arguments, PoolTask task) throws IOException {
    switch (arguments.getFirst()) {
      case "work" -> task.work(number(arguments, 1), number(arguments, 2), number(arguments, 3));
      case "pick" -> task.pick(number(arguments, 1));
      case "report" -> task.report();
      default -> throw new ChartException("Unknown task " + arguments.getFirst() + ".");
    }
  }

  private static int number(List<String> arguments, int place) {
    if (place >= arguments.size() || !arguments.get(place).matches("[0-9]{1,9}")) {
      throw new ChartException("The task has too few numbers.");
    }
    return Integer.parseInt(arguments.get(place));
  }
}
