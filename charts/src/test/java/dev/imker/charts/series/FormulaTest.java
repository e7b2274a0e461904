package dev.imker.charts.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.charts.ChartException;
import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketModel;
import dev.imker.charts.market.SampleMarkets;
import dev.imker.charts.outcome.RunResult;
import dev.imker.charts.spec.AnalysisReader;
import dev.imker.charts.strategy.StrategyRunner;
import dev.imker.charts.strategy.StrategyRunner.Span;
import dev.imker.charts.strategy.TradingStrategy;
import org.junit.jupiter.api.Test;

/** Indicators that users write as formulas. */
class FormulaTest {
  private static TradingStrategy strategy(String yaml) {
    return AnalysisReader.parse(
            "t.yaml",
            "kind: backtest\ndata: {synthetic: {markets: 1}}\nstrategy:\n" + yaml.indent(2))
        .strategy();
  }

  private static RunResult run(Market market, String yaml) {
    return new StrategyRunner(market).run(strategy(yaml), new double[0], Span.all(market), true);
  }

  /** The same rule out of the catalogue's arithmetic is the second implementation. */
  @Test
  void a_formula_is_what_its_parts_say() {
    Market market = SampleMarkets.synthetic(MarketModel.MIXED);
    String formula =
        """
        indicators:
          slow: {sma: 30}
          k: 1.01
          upper: {formula: "slow * k + (high - low) / 2"}
        enter: {over: [close, upper]}
        exit: {under: [close, slow]}
        """;
    String parts =
        """
        indicators:
          slow: {sma: 30}
          range: {divided-by: [{minus: [high, low]}, 2]}
          upper: {plus: [{times: [slow, 1.01]}, range]}
        enter: {over: [close, upper]}
        exit: {under: [close, slow]}
        """;
    RunResult result = run(market, formula);
    assertThat(result.trades()).hasSizeGreaterThan(10);
    assertThat(result.trades()).isEqualTo(run(market, parts).trades());
    assertThat(result.warmUpBars()).isEqualTo(run(market, parts).warmUpBars());
  }

  @Test
  void numbers_in_a_formula_may_vary() {
    var analysis =
        AnalysisReader.parse(
            "t.yaml",
            """
            kind: optimise
            data: {synthetic: {markets: 1}}
            strategy:
              indicators:
                n: {sma: {from: 10, to: 30, step: 10}}
                edge: {formula: "if(close > open, n, n * 1.02)"}
              enter: {over: [close, edge]}
              exit: {under: [close, n]}
            """);
    assertThat(analysis.space().names()).containsExactly("n");
    Market market = SampleMarkets.synthetic(MarketModel.TREND);
    StrategyRunner runner = new StrategyRunner(market);
    double[] ten = {10};
    double[] thirty = {30};
    assertThat(runner.run(analysis.strategy(), ten, Span.all(market), true).trades())
        .isNotEqualTo(runner.run(analysis.strategy(), thirty, Span.all(market), true).trades());
  }

  @Test
  void a_formula_that_cannot_be_read_says_what_is_wrong() {
    assertThatThrownBy(() -> strategy("enter: {over: [{formula: close + hihg}, 1]}\nexit: never\n"))
        .isInstanceOf(ChartException.class)
        .hasMessageContaining("unknown name 'hihg'. Did you mean 'high'?");
    assertThatThrownBy(() -> strategy("enter: {over: [{formula: (close}, 1]}\nexit: never\n"))
        .isInstanceOf(ChartException.class);
  }
}
