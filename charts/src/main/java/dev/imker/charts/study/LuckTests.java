package dev.imker.charts.study;

import dev.imker.charts.ChartException;
import dev.imker.charts.luck.DeflatedSharpe;
import dev.imker.charts.luck.Luck;
import dev.imker.charts.luck.Overfitting;
import dev.imker.charts.luck.Overfitting.Block;
import dev.imker.charts.luck.TradeDraws;
import dev.imker.charts.market.BarTimes;
import dev.imker.charts.market.MarketInfo;
import dev.imker.charts.outcome.Figure;
import dev.imker.charts.spec.Analysis;
import dev.imker.charts.spec.LuckSpec;
import dev.imker.charts.study.AnalysisResult.MarketRun;
import dev.imker.charts.study.AnalysisResult.Surface;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The runs that tell whether a result is luck, and what they came to. */
record LuckTests(Analysis analysis) {
  private static final double DAYS_PER_YEAR = 365.25;

  /** All of them are compared with each other for every way to halve the blocks. */
  private static final int MAX_COMPARED = 20_000;

  private LuckSpec spec() {
    return analysis.luck();
  }

  void checkSize(int combinations) {
    if (spec().blocks() > 0 && combinations > MAX_COMPARED) {
      throw new ChartException(
          "luck.blocks compares at most %,d combinations, but there are %,d. Use fewer steps, a search with a budget, or remove it."
              .formatted(MAX_COMPARED, combinations));
    }
  }

  /** The combination on the market shuffled again and again. */
  void addPermutations(UnitPacker packer, MarketInfo market, long combination) {
    long[] one = {combination};
    for (int i = 1; i <= spec().permutations(); i++) {
      packer.add(
          market.name(),
          new Run(Run.Stage.SHUFFLED, i, 0, 0, market.bars() - 1, false, false, one));
    }
  }

  static long seed(Analysis analysis, Run run) {
    return analysis.luck().seed() * 1_000_003L + run.variant();
  }

  /** All combinations on each block of the history. */
  void addBlocks(UnitPacker packer, MarketInfo market, long[] combinations) {
    int blocks = spec().blocks();
    if (blocks > 0 && market.bars() < 2 * blocks) {
      throw new ChartException(
          "Market '%s' has %d bars, too few for %d blocks (luck.blocks)."
              .formatted(market.name(), market.bars(), blocks));
    }
    for (int block = 0; block < blocks; block++) {
      int first = cut(market, block);
      int last = cut(market, block + 1) - 1;
      packer.add(
          market.name(),
          new Run(Run.Stage.BLOCK, 0, block, first, last, true, false, combinations));
    }
  }

  private int cut(MarketInfo market, int block) {
    return (int) ((long) market.bars() * block / spec().blocks());
  }

  /** What there is to say of a result that consists of these courses. */
  Luck of(List<PartialResult> done, List<MarketRun> courses, @Nullable Surface surface) {
    double capital = analysis.strategy().terms().capital();
    List<TradeDraws.Course> drawn =
        courses.stream()
            .map(c -> new TradeDraws.Course(capital, c.firstBar(), c.curve(), c.trades()))
            .toList();
    return new Luck(
        TradeDraws.of(drawn, spec().draws(), spec().seed()),
        permutations(done),
        surface == null ? null : deflated(courses, surface, capital),
        overfitting(done));
  }

  private Luck.@Nullable Permutations permutations(List<PartialResult> done) {
    Map<Integer, List<Double>> worth = new TreeMap<>();
    for (PartialResult result : done) {
      for (int i = 0; i < result.outcomes().size(); i++) {
        Run run = result.unit().runs().get(i);
        if (run.stage() == Run.Stage.SHUFFLED || run.stage() == Run.Stage.FINAL) {
          int number = run.stage() == Run.Stage.FINAL ? 0 : run.variant();
          worth
              .computeIfAbsent(number, n -> new ArrayList<>())
              .add(analysis.objective().value(result.outcomes().get(i).figures()[0]));
        }
      }
    }
    List<Double> real = worth.remove(0);
    if (real == null || worth.isEmpty()) {
      return null;
    }
    double[] shuffled =
        worth.values().stream()
            .filter(markets -> markets.size() == real.size())
            .mapToDouble(this::overall)
            .toArray();
    return shuffled.length == 0 ? null : Luck.Permutations.of(overall(real), shuffled);
  }

  private double overall(List<Double> worth) {
    return analysis.across().of(worth.stream().mapToDouble(w -> w).toArray());
  }

  private static @Nullable DeflatedSharpe deflated(
      List<MarketRun> courses, Surface surface, double capital) {
    if (courses.isEmpty()) {
      return null;
    }
    int place = Figure.SHARPE.ordinal();
    double[] trials = Arrays.stream(surface.figures()).mapToDouble(row -> row[place]).toArray();
    double sharpe =
        courses.stream()
                .mapToDouble(c -> c.figures().getOrDefault(Figure.SHARPE.label(), Double.NaN))
                .sum()
            / courses.size();
    double barsPerYear =
        courses.stream()
                .mapToDouble(c -> barsPerYear(c.curve().length, c.fromDate(), c.toDate()))
                .sum()
            / courses.size();
    List<double[]> returns =
        courses.stream().map(c -> DeflatedSharpe.returns(capital, c.curve())).toList();
    return DeflatedSharpe.of(sharpe, trials, returns, barsPerYear);
  }

  private static double barsPerYear(int bars, String from, String to) {
    return bars / (Math.max(1, BarTimes.daysBetween(from, to)) / DAYS_PER_YEAR);
  }

  private @Nullable Overfitting overfitting(List<PartialResult> done) {
    int count = spec().blocks();
    Map<String, Integer> markets = new HashMap<>();
    done.forEach(r -> markets.putIfAbsent(r.unit().market(), markets.size()));
    Map<Long, Block[][]> blocks = new TreeMap<>();
    for (PartialResult result : done) {
      int market = markets.getOrDefault(result.unit().market(), 0);
      for (int i = 0; i < result.outcomes().size(); i++) {
        Run run = result.unit().runs().get(i);
        if (run.stage() == Run.Stage.BLOCK) {
          PartialResult.Outcome outcome = result.outcomes().get(i);
          for (int k = 0; k < run.combinations().length; k++) {
            blocks
                    .computeIfAbsent(run.combinations()[k], c -> new Block[markets.size()][count])[
                    market][run.window()] =
                block(run, outcome, outcome.figures()[k]);
          }
        }
      }
    }
    return Overfitting.of(List.copyOf(blocks.values()), count);
  }

  private static Block block(Run run, PartialResult.Outcome outcome, double[] figures) {
    int bars = run.lastBar() - run.firstBar() + 1;
    double scale = Math.sqrt(barsPerYear(bars, outcome.fromDate(), outcome.toDate()));
    double deviation = figures[Figure.VOLATILITY.ordinal()] / scale;
    return new Block(bars, figures[Figure.SHARPE.ordinal()] / scale * deviation, deviation);
  }
}
