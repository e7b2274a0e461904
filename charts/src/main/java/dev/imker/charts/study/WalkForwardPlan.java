package dev.imker.charts.study;

import dev.imker.charts.ChartException;
import dev.imker.charts.market.MarketInfo;
import dev.imker.charts.search.Evaluated;
import dev.imker.charts.spec.Analysis;
import dev.imker.charts.spec.WalkForwardSpec.Variant;
import java.util.ArrayList;
import java.util.List;

/**
 * First all combinations on every training window, once per pair of window lengths; then, for every
 * variant, the chosen ones on the test windows behind, one after the other. Each market for itself.
 */
final class WalkForwardPlan implements Plan {
  private final Analysis analysis;
  private final List<MarketInfo> markets;
  private final long stepsPerUnit;
  private final List<Variant> variants;
  private final long[] candidates;

  WalkForwardPlan(Analysis analysis, List<MarketInfo> markets, long stepsPerUnit) {
    this.analysis = analysis;
    this.markets = List.copyOf(markets);
    this.stepsPerUnit = stepsPerUnit;
    this.variants = analysis.walkForward().variants();
    this.candidates = analysis.search().combinations(analysis.space());
  }

  /** Bars of a training window and of the test window behind it; ends are inclusive. */
  record Window(int trainFirst, int trainLast, int testFirst, int testLast) {}

  static List<Window> windows(
      int bars, int trainBars, int testBars, int purgeBars, boolean anchored) {
    List<Window> windows = new ArrayList<>();
    for (int test = trainBars; test + 1 < bars; test += testBars) {
      int last = Math.min(bars, test + testBars) - 1;
      int first = anchored ? 0 : test - trainBars;
      windows.add(new Window(first, test - 1 - purgeBars, test, last));
    }
    return windows;
  }

  private List<Window> windows(MarketInfo market, Variant variant) {
    List<Window> windows =
        windows(
            market.bars(),
            variant.trainBars(),
            variant.testBars(),
            analysis.walkForward().purgeBars(),
            analysis.walkForward().anchored());
    if (windows.isEmpty()) {
      throw new ChartException(
          "Market '%s' has %d bars, too few to train on %d and test after them."
              .formatted(market.name(), market.bars(), variant.trainBars()));
    }
    return windows;
  }

  @Override
  public List<WorkUnit> round(int round, List<PartialResult> done) {
    return switch (round) {
      case 0 -> training();
      case 1 -> testing(done);
      default -> List.of();
    };
  }

  private List<WorkUnit> training() {
    UnitPacker packer = new UnitPacker(0, stepsPerUnit);
    for (MarketInfo market : markets) {
      for (int v = 0; v < variants.size(); v++) {
        if (lengthsOf(v) == v) {
          List<Window> windows = windows(market, variants.get(v));
          for (int w = 0; w < windows.size(); w++) {
            Window window = windows.get(w);
            packer.add(
                market.name(),
                new Run(
                    Run.Stage.TRAIN,
                    v,
                    w,
                    window.trainFirst(),
                    window.trainLast(),
                    true,
                    false,
                    candidates));
          }
        }
      }
    }
    return packer.units();
  }

  /** The first variant with the same window lengths, which trains for all of them. */
  private int lengthsOf(int variant) {
    Variant own = variants.get(variant);
    int first = 0;
    while (variants.get(first).trainBars() != own.trainBars()
        || variants.get(first).testBars() != own.testBars()) {
      first++;
    }
    return first;
  }

  private List<WorkUnit> testing(List<PartialResult> done) {
    UnitPacker packer = new UnitPacker(1, stepsPerUnit);
    for (MarketInfo market : markets) {
      for (int v = 0; v < variants.size(); v++) {
        packer.add(market.name(), walk(market, v, done));
      }
    }
    return packer.units();
  }

  /** All test windows one after the other, with one account. */
  private Run walk(MarketInfo market, int variant, List<PartialResult> done) {
    List<Window> windows = windows(market, variants.get(variant));
    long[] chosen = new long[windows.size()];
    int[] legs = new int[windows.size()];
    for (int w = 0; w < chosen.length; w++) {
      Evaluated trained = trained(done, market.name(), variant, w);
      int place = variants.get(variant).selection().choose(trained, analysis.space());
      chosen[w] = trained.combinations()[place];
      legs[w] = windows.get(w).testFirst();
    }
    return new Run(
        Run.Stage.FINAL,
        variant,
        0,
        legs[0],
        windows.getLast().testLast(),
        analysis.walkForward().flatAtWindowEnd(),
        true,
        chosen,
        legs);
  }

  /** What the combinations were worth in a training window, by the objective of the variant. */
  private Evaluated trained(List<PartialResult> done, String market, int variant, int window) {
    int trainer = lengthsOf(variant);
    return SweepTable.of(
            variants.get(variant).objective(),
            analysis.across(),
            done.stream().filter(r -> r.unit().market().equals(market)).toList(),
            (m, run) ->
                run.stage() == Run.Stage.TRAIN
                    && run.variant() == trainer
                    && run.window() == window)
        .overall();
  }

  @Override
  public AnalysisResult merge(List<PartialResult> done, boolean complete) {
    return new WalkForwardMerge(analysis, markets, variants, this::trained).merge(done, complete);
  }
}
