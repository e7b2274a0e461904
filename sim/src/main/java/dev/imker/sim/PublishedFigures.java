package dev.imker.sim;

import java.util.List;

/** The figures that were published for the reference configurations and strategies. */
public final class PublishedFigures {
  /** A figure that was not published. */
  public static final double UNPUBLISHED = Double.NaN;

  /** Efficiency and done rate in percent with constant failures. */
  public record Constant(String strategy, double effA, double doneA, double effB, double doneB) {}

  /** Makespan in minutes and windowed efficiency in percent with rising failures. */
  public record Ramp(String strategy, double makespan, double effWindow) {}

  public static final List<Constant> CONSTANT =
      List.of(
          new Constant("balanced", 60, 48, 53, 38),
          new Constant("newcomer", 54, 41, 55, 38),
          new Constant("performance", 58, 42, 54, 39),
          new Constant("runtime:s=0", 63, 52, 62, 39),
          new Constant("runtime:s=2", 64, 52, 62, 41),
          new Constant("runtime:s=dynamic", 65, 49, 61, 40),
          new Constant("uptime:s=0", 65, 51, 61, 42),
          new Constant("uptime:s=dynamic", 64, 49, 60, 42),
          new Constant("combined-runtime", 64, 49, 61, 42),
          new Constant("combined-uptime", 66, 51, 61, 42));

  public static final List<Ramp> RAMP_A =
      List.of(
          new Ramp("balanced", 3765, 60),
          new Ramp("performance", 3135, 61),
          new Ramp("combined-runtime", 3460, UNPUBLISHED),
          new Ramp("combined-improved", 3285, 65));

  /** The published strategies, with the settings of the tables. */
  public static final List<String> STRATEGIES =
      List.of(
          "balanced",
          "newcomer",
          "performance",
          "runtime:s=0",
          "runtime:s=2",
          "runtime:s=dynamic",
          "uptime:s=0",
          "uptime:s=dynamic",
          "uptime-improved",
          "combined-runtime",
          "combined-uptime",
          "combined-improved");

  private PublishedFigures() {}
}
