package dev.imker.charts.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.charts.Cancellation;
import dev.imker.charts.Progress;
import dev.imker.charts.market.BarTimes;
import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketModel;
import dev.imker.charts.market.SyntheticMarkets;
import dev.imker.charts.report.ReportWriter;
import dev.imker.charts.spec.Analysis;
import dev.imker.charts.spec.AnalysisReader;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every kind of analysis with candles of hours. */
class IntradayStudyTest {
  private static final int HOURS = 7;

  @TempDir Path folder;

  /** Days one after the other as the hours of fewer days. */
  private static List<Market> hours() {
    return SyntheticMarkets.generate(2, 4, 5, MarketModel.MIXED).stream()
        .map(
            m -> {
              int n = m.bars();
              int[] days = new int[n];
              int[] seconds = new int[n];
              long[] instants = new long[n];
              for (int i = 0; i < n; i++) {
                days[i] = 19_000 + i / HOURS;
                seconds[i] = (9 + i % HOURS) * 3600;
                instants[i] = days[i] * 86_400L + seconds[i];
              }
              BarTimes times = new BarTimes(days, seconds, instants, 3600, null);
              return new Market(
                  m.name(), times, m.open(), m.high(), m.low(), m.close(), m.volume());
            })
        .toList();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kind: optimise\nluck: {permutations: 2, blocks: 4}\n",
        "kind: optimise\noptimise: {search: {evolution: {budget: 12, generation: 4}}}\n",
        "kind: walk-forward\nwalk-forward: {train: [200, 300], test: 100}\n",
      })
  void analyses_are_done_and_reported(String kind) {
    Analysis analysis =
        AnalysisReader.parse(
            "a.yaml",
            kind
                + """
                data: {files: [x]}
                strategy:
                  indicators: {m: {sma: {from: 5, to: 30, step: 5}}}
                  enter: [{crossed-up: [close, m]}, {time: 09:00-15:00}]
                  exit: [{crossed-down: [close, m]}, {time: 15:00-16:00}]
                """);
    List<Market> markets = hours();
    AnalysisResult result =
        new LocalRun(analysis, markets, 2, Progress.SILENT, Cancellation.NEVER).run();
    assertThat(result.complete()).isTrue();
    assertThat(result.luck().deflatedSharpe() == null).isEqualTo(kind.contains("walk-forward"));
    assertThat(result.perMarket().getFirst().toDate()).matches("2024-.*:00|2023-.*:00|2022-.*:00");
    assertThat(result.perMarket().getFirst().trades())
        .hasSizeGreaterThan(5)
        .allMatch(trade -> trade.entryDate().length() == "2024-01-02 09:00".length());
    ReportWriter.write(result, markets, analysis.outputs(), folder);
    assertThat(folder.resolve("report.html")).content().contains("09:00");
    assertThat(folder.resolve("report.xlsx")).isNotEmptyFile();
  }

  @Test
  void one_account_trades_hours_of_several_markets() {
    Analysis analysis =
        AnalysisReader.parse(
            "a.yaml",
            """
            kind: backtest
            data: {files: [x]}
            strategy:
              enter: {over: [close, {sma: 20}]}
              exit: {under: [close, {sma: 20}]}
              portfolio: {positions: 1, rank: {roc: 10}, rebalance: daily}
            """);
    List<Market> markets = hours();
    AnalysisResult result =
        new LocalRun(analysis, markets, 1, Progress.SILENT, Cancellation.NEVER).run();
    assertThat(result.perMarket().getFirst().trades()).hasSizeGreaterThan(10);
    ReportWriter.write(result, markets, analysis.outputs(), folder);
    assertThat(folder.resolve("equity.csv")).content().contains(" 10:00,");
  }
}
