package dev.imker.charts.strategy;

import dev.imker.charts.outcome.RunResult;
import java.util.List;

/** Follows a strategy over a span of bars, with one account. */
public interface Trader {
  /**
   * Trades with parameters that change on the way. A position goes on from leg to leg, under the
   * rules of the leg it is in.
   *
   * @param legs in the order of their bars; the first begins with the span
   * @param flatBetween whether positions are closed with the last bar of a leg instead
   * @param detailed whether to keep every trade and the account bar by bar
   * @throws dev.imker.charts.series.UnusableParametersException if the numbers make no sense
   */
  RunResult walk(
      TradingStrategy strategy,
      List<StrategyRunner.Leg> legs,
      StrategyRunner.Span span,
      boolean flatBetween,
      boolean detailed);

  /** Trades with the same parameters all the way. */
  default RunResult run(
      TradingStrategy strategy, double[] parameters, StrategyRunner.Span span, boolean detailed) {
    List<StrategyRunner.Leg> one = List.of(new StrategyRunner.Leg(span.firstBar(), parameters));
    return walk(strategy, one, span, false, detailed);
  }
}
