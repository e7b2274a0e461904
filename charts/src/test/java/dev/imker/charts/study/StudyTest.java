package dev.imker.charts.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.imker.charts.Cancellation;
import dev.imker.charts.CancelledException;
import dev.imker.charts.Progress;
import dev.imker.charts.code.JavaIndicators;
import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketModel;
import dev.imker.charts.market.Markets;
import dev.imker.charts.market.SyntheticMarkets;
import dev.imker.charts.outcome.Figure;
import dev.imker.charts.spec.Analysis;
import dev.imker.charts.spec.AnalysisReader;
import dev.imker.charts.strategy.StrategyRunner;
import dev.imker.charts.study.AnalysisResult.Choice;
import dev.imker.charts.study.AnalysisResult.Robustness;
import dev.imker.charts.study.AnalysisResult.Surface;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StudyTest {
  private static final List<Market> MARKETS =
      SyntheticMarkets.generate(3, 4, 11, MarketModel.MIXED);

  private static String yaml(String kind, String rest) {
    return """
    kind: %s
    data: {synthetic: {markets: 3}}
    strategy:
      indicators:
        fast: {ema: {from: 4, to: 20, step: 2}}
        slow: {sma: {from: 15, to: 60, step: 5}}
      enter: {crossed-up: [fast, slow]}
      exit: [{crossed-down: [fast, slow]}, {trailing-stop: 8}]
      fees: {percent: 0.1}
    %s
    """
        .formatted(kind, rest);
  }

  private static Analysis analysis(String kind, String rest) {
    return AnalysisReader.parse("a.yaml", yaml(kind, rest));
  }

  private static AnalysisResult run(Analysis analysis) {
    return new LocalRun(analysis, MARKETS, 2, Progress.SILENT, Cancellation.NEVER).run();
  }

  private static Surface surface(AnalysisResult result) {
    return Objects.requireNonNull(result.surface());
  }

  private static Choice best(AnalysisResult result) {
    return Objects.requireNonNull(result.best());
  }

  @Test
  void the_best_combination_is_that_of_a_plain_loop() {
    Analysis analysis = analysis("optimise", "optimise: {objective: cagr}");
    AnalysisResult result = run(analysis);
    double best = Double.NEGATIVE_INFINITY;
    for (long c = 0; c < analysis.space().size(); c++) {
      double sum = 0;
      for (Market market : MARKETS) {
        sum +=
            new StrategyRunner(market)
                .run(
                    analysis.strategy(),
                    analysis.space().values(c),
                    StrategyRunner.Span.all(market),
                    false)
                .figure(Figure.CAGR);
      }
      best = Math.max(best, sum / MARKETS.size());
    }
    assertThat(best(result).worth()).isCloseTo(best, within(1e-12));
    assertThat(surface(result).worth()).hasSize(90);
    assertThat(surface(result).worth()[0]).isEqualTo(best(result).worth());
    assertThat(result.perMarket()).hasSize(3);
    assertThat(result.bestPerMarket()).hasSize(3);
    Robustness robustness = Objects.requireNonNull(best(result).robustness());
    assertThat(robustness.neighbours()).isBetween(2, 4);
    assertThat(robustness.worst()).isLessThanOrEqualTo(best);
  }

  @Test
  void indicator_series_are_computed_once_per_parameter() {
    Analysis analysis = analysis("optimise", "");
    StrategyRunner runner = new StrategyRunner(MARKETS.getFirst());
    for (long c = 0; c < analysis.space().size(); c++) {
      runner.run(
          analysis.strategy(),
          analysis.space().values(c),
          StrategyRunner.Span.all(MARKETS.getFirst()),
          false);
    }
    assertThat(runner.seriesComputed()).as("9 fast, 10 slow and the close").isEqualTo(20);
  }

  /** However small the units, in whatever order they end, through JSON: the result is the same. */
  @Test
  void units_done_in_any_order_and_as_json_give_the_same_result() {
    for (String kind : List.of("optimise", "walk-forward")) {
      Analysis analysis =
          analysis(
              kind, kind.equals("optimise") ? "" : "walk-forward: {train: 300, test: [100, 150]}");
      String whole = ChartJson.write(run(analysis));
      long seed = 42;
      Random random = new Random(seed);
      Study study = new Study(analysis, MARKETS.stream().map(Market::info).toList(), 7_000);
      List<PartialResult> done = new ArrayList<>();
      List<WorkUnit> units = study.round(0, done);
      assertThat(units).hasSizeGreaterThan(20);
      for (int round = 0; !units.isEmpty(); units = study.round(++round, done)) {
        List<WorkUnit> shuffled = new ArrayList<>(units);
        Collections.shuffle(shuffled, random);
        for (WorkUnit unit : shuffled) {
          WorkUnit sent = ChartJson.read(ChartJson.write(unit), WorkUnit.class);
          Market market =
              MARKETS.stream()
                  .filter(m -> m.name().equals(sent.market()))
                  .findFirst()
                  .orElseThrow();
          PartialResult result =
              UnitRunner.run(
                  analysis,
                  new Markets(List.of(market)),
                  JavaIndicators.NONE,
                  sent,
                  Progress.SILENT,
                  Cancellation.NEVER);
          done.add(ChartJson.read(ChartJson.write(result), PartialResult.class));
        }
      }
      AnalysisResult merged = study.merge(done, true);
      AnalysisResult expected = ChartJson.read(whole, AnalysisResult.class);
      assertThat(merged.best()).as("seed %d", seed).isEqualTo(expected.best());
      assertThat(merged.perMarket())
          .usingRecursiveFieldByFieldElementComparator()
          .containsExactlyInAnyOrderElementsOf(expected.perMarket());
      assertThat(merged.variants().stream().map(AnalysisResult.Variant::worth).toList())
          .isEqualTo(expected.variants().stream().map(AnalysisResult.Variant::worth).toList());
    }
  }

  @Test
  void searches_with_a_budget_find_nearly_the_best() {
    double all = best(run(analysis("optimise", ""))).worth();
    for (String search : List.of("random", "halton", "halving")) {
      AnalysisResult result =
          run(analysis("optimise", "optimise: {search: {%s: {budget: 60}}}".formatted(search)));
      assertThat(best(result).worth()).as(search).isBetween(all * 0.5, all);
      assertThat(surface(result).worth().length).as(search).isLessThanOrEqualTo(60);
    }
  }

  @Test
  void senseless_combinations_are_left_out() {
    Analysis analysis =
        AnalysisReader.parse(
            "a.yaml",
            """
            kind: optimise
            data: {synthetic: {markets: 3}}
            strategy:
              indicators: {m: {macd: {short: [5, 50], long: [20, 30]}}}
              enter: {over: [m, 0]}
              exit: {under: [m, 0]}
            """);
    AnalysisResult result = run(analysis);
    assertThat(best(result).parameters()).containsEntry("m.short_bars", 5.0);
    assertThat(result.warnings()).anyMatch(w -> w.startsWith("2 combinations are invalid"));
  }

  @Test
  void walk_forward_trades_only_behind_its_training() {
    AnalysisResult result =
        run(
            analysis(
                "walk-forward", "walk-forward: {train: 400, test: 120, select: [best, robust]}"));
    assertThat(result.variants()).hasSize(2);
    assertThat(result.variants().get(0).worth())
        .isGreaterThanOrEqualTo(result.variants().get(1).worth());
    for (AnalysisResult.MarketRun run : result.perMarket()) {
      assertThat(run.firstBar()).isEqualTo(400);
      assertThat(run.trades()).allMatch(t -> t.entryBar() >= 400);
      assertThat(run.curve()).hasSize(MARKETS.getFirst().bars() - 400);
      double end = run.curve()[run.curve().length - 1];
      assertThat(run.figures().get("final-equity")).isCloseTo(end, within(1e-9));
    }
  }

  /** Whoever holds the market over all windows has held it all the time, and no bar less. */
  @Test
  void the_market_of_all_windows_is_the_market_of_the_whole_test() {
    AnalysisResult result = run(analysis("walk-forward", "walk-forward: {train: 400, test: 120}"));
    for (AnalysisResult.MarketRun run : result.perMarket()) {
      double product =
          result.variants().getFirst().windows().stream()
              .filter(window -> window.market().equals(run.market()))
              .mapToDouble(window -> held(window.figures()))
              .reduce(1, (a, b) -> a * b);
      double[] close =
          MARKETS.stream()
              .filter(market -> market.name().equals(run.market()))
              .findFirst()
              .orElseThrow()
              .close();
      assertThat(product).isCloseTo(close[close.length - 1] / close[400], within(1e-9));
      assertThat(held(run.figures())).isCloseTo(product, within(1e-9));
    }
  }

  private static double held(Map<String, Double> figures) {
    return 1 + Objects.requireNonNull(figures.get("buy-and-hold"));
  }

  /** Where all that is worth anything is below zero, neighbours that are worse count as worse. */
  @Test
  void neighbours_that_are_worse_never_make_a_choice_more_than_robust() {
    AnalysisResult result = run(analysis("optimise", "optimise: {objective: cagr - 5}"));
    Robustness robustness = Objects.requireNonNull(best(result).robustness());
    double worth = best(result).worth();
    assertThat(worth).isNegative();
    assertThat(robustness.mean()).isLessThan(worth);
    assertThat(robustness.share())
        .isCloseTo(1 - (worth - robustness.mean()) / -worth, within(1e-12))
        .isLessThan(1);
  }

  @Test
  void what_cannot_trade_is_told() {
    AnalysisResult never =
        run(
            AnalysisReader.parse(
                "a.yaml",
                """
                kind: optimise
                data: {synthetic: {markets: 3}}
                strategy: {enter: never, exit: {bars-held: [3, 5]}}
                """));
    assertThat(never.warnings()).anyMatch(w -> w.startsWith("No combination made a single trade"));
    AnalysisResult late =
        run(
            AnalysisReader.parse(
                "a.yaml",
                """
                kind: backtest
                data: {synthetic: {markets: 3}}
                strategy: {enter: {over: [close, {ema: 900}]}, exit: never}
                """));
    assertThat(late.perMarket()).allMatch(run -> run.trades().isEmpty());
    assertThat(late.warnings())
        .filteredOn(w -> w.contains("the indicators need") && w.contains("nothing was traded"))
        .hasSize(3);
    AnalysisResult poor =
        run(
            AnalysisReader.parse(
                "a.yaml",
                """
                kind: backtest
                data: {synthetic: {markets: 3}}
                strategy: {enter: always, exit: {bars-held: 2}, capital: 100, fees: {fixed: 500}}
                """));
    assertThat(poor.warnings()).filteredOn(w -> w.contains("could not pay")).hasSize(3);
  }

  @Test
  void windows_cover_everything_behind_the_first_training() {
    List<WalkForwardPlan.Window> windows = WalkForwardPlan.windows(1000, 400, 250, 0, false);
    assertThat(windows)
        .containsExactly(
            new WalkForwardPlan.Window(0, 399, 400, 649),
            new WalkForwardPlan.Window(250, 649, 650, 899),
            new WalkForwardPlan.Window(500, 899, 900, 999));
    assertThat(WalkForwardPlan.windows(1000, 400, 250, 0, true)).allMatch(w -> w.trainFirst() == 0);
  }

  @Test
  void bars_are_purged_between_training_and_test() {
    assertThat(WalkForwardPlan.windows(1000, 400, 250, 10, false))
        .first()
        .isEqualTo(new WalkForwardPlan.Window(0, 389, 400, 649));
  }

  /** Two days up, two days down: there is much to find, and nothing once the days are shuffled. */
  @Test
  void shuffling_tells_structure_from_luck() {
    int bars = 400;
    int[] days = new int[bars];
    double[] close = new double[bars];
    for (int i = 0; i < bars; i++) {
      days[i] = 15_000 + i;
      close[i] = i == 0 ? 100 : close[i - 1] * (i % 4 < 2 ? 1.02 : 0.98);
    }
    Market wave = new Market("wave", days, close, close, close, close, new double[bars]);
    Analysis analysis =
        AnalysisReader.parse(
            "a.yaml",
            """
            kind: backtest
            data: {synthetic: {markets: 1}}
            luck: {permutations: 40, draws: 100}
            strategy:
              enter: {falling: {of: close, bars: 2, strength: 1}}
              exit: {rising: {of: close, bars: 2, strength: 1}}
              execution: close
            """);
    AnalysisResult result =
        new LocalRun(analysis, List.of(wave), 1, Progress.SILENT, Cancellation.NEVER).run();
    var shuffled = Objects.requireNonNull(result.luck().permutations());
    assertThat(shuffled.count()).isEqualTo(40);
    assertThat(shuffled.asGood()).isZero();
    assertThat(shuffled.pValue()).isCloseTo(1.0 / 41, within(1e-12));
    assertThat(shuffled.mean()).isLessThan(shuffled.worth() / 2);
    assertThat(Objects.requireNonNull(result.luck().tradeDraws()).draws()).isEqualTo(100);
  }

  @Test
  void an_optimisation_says_how_much_of_it_is_luck() {
    AnalysisResult result =
        run(
            analysis(
                "optimise",
                "optimise: {search: {random: {budget: 30}}}\nluck: {permutations: 5, blocks: 6}"));
    var overfitting = Objects.requireNonNull(result.luck().overfitting());
    assertThat(overfitting.combinations()).isEqualTo(30);
    assertThat(overfitting.splits()).isEqualTo(20);
    assertThat(overfitting.probability()).isBetween(0.0, 1.0);
    assertThat(Objects.requireNonNull(result.luck().deflatedSharpe()).trials()).isEqualTo(30);
    assertThat(Objects.requireNonNull(result.luck().permutations()).worth())
        .isCloseTo(best(result).worth(), within(1e-12));
  }

  @Test
  void progress_reaches_the_total_and_cancelling_keeps_what_is_done() {
    Analysis analysis = analysis("optimise", "");
    AtomicLong last = new AtomicLong();
    AtomicLong total = new AtomicLong();
    Progress progress =
        (done, all) -> {
          last.accumulateAndGet(done, Math::max);
          total.set(all);
        };
    new LocalRun(analysis, MARKETS, 1, progress, Cancellation.NEVER).run();
    assertThat(last.get()).isGreaterThanOrEqualTo(total.get());

    AtomicLong steps = new AtomicLong();
    AnalysisResult partial =
        new LocalRun(
                analysis, MARKETS, 1, (done, all) -> steps.set(done), () -> steps.get() > 90_000)
            .run();
    assertThat(partial.complete()).isFalse();
    assertThat(surface(partial).worth()).isNotEmpty();
    assertThat(partial.warnings()).anyMatch(w -> w.contains("stopped early"));
  }

  @Test
  void a_cancelled_unit_stops() {
    Analysis analysis = analysis("optimise", "");
    Study study = new Study(analysis, MARKETS.stream().map(Market::info).toList(), 1 << 30);
    WorkUnit unit = study.round(0, List.of()).getFirst();
    assertThatThrownBy(
            () ->
                UnitRunner.run(
                    analysis,
                    new Markets(MARKETS),
                    JavaIndicators.NONE,
                    unit,
                    Progress.SILENT,
                    () -> true))
        .isInstanceOf(CancelledException.class);
  }
}
