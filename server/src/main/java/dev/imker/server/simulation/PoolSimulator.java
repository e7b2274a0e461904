package dev.imker.server.simulation;

import dev.imker.server.history.HistoryView;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Simulates pools. The server finds one by {@link java.util.ServiceLoader}, if there is one: it
 * does not depend on the simulator itself.
 */
public interface PoolSimulator {
  /**
   * What to simulate.
   *
   * @param format yaml or xml; ignored with a history
   * @param text describes a pool and its work; empty with a history
   * @param history the life of a real pool, to be replayed
   * @param seeds runs of each strategy
   */
  record Order(
      String format,
      String text,
      @Nullable HistoryView history,
      List<String> strategies,
      int seeds) {}

  /** What came out, strategy by strategy. */
  record Report(String name, int nodes, int tasks, double minutes, List<Outcome> outcomes) {}

  /** A mean with its standard deviation. */
  record Figure(double mean, double sd) {}

  /**
   * How one strategy did; percentages, and minutes.
   *
   * @param makespan until all was done; null if some run did not get there
   */
  record Outcome(
      String strategy,
      Figure efficiency,
      Figure doneRate,
      @Nullable Figure makespan,
      List<Project> projects,
      List<Resource> resources,
      Curves curves) {}

  /**
   * How much of a resource was in use, in percent; nothing is told of machines without amounts.
   *
   * @param whileWaiting the same over the time in which tasks waited
   */
  record Resource(String name, Figure used, Figure whileWaiting) {}

  /** When a project was done, in minutes; null if it never was in some run. */
  record Project(String name, @Nullable Figure finished) {}

  /**
   * The first run over time; {@code done} in percent and {@code working} nodes, by project, and how
   * much is {@code used}, in percent, by resource.
   *
   * @param minutes the moments
   */
  record Curves(
      double[] minutes, float[] efficiency, float[][] done, float[][] working, float[][] used) {}

  /**
   * Runs all of it.
   *
   * @param isOver asked all the time; ends the work
   * @throws dev.imker.model.ImkerException if the description is wrong, or the time was over
   */
  Report run(Order order, BooleanSupplier isOver);
}
