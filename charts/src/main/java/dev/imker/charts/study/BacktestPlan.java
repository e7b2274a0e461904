package dev.imker.charts.study;

import dev.imker.charts.market.MarketInfo;
import dev.imker.charts.spec.Analysis;
import dev.imker.charts.study.AnalysisResult.MarketRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One detailed run per market. */
final class BacktestPlan implements Plan {
  private final Analysis analysis;
  private final List<MarketInfo> markets;
  private final long stepsPerUnit;

  BacktestPlan(Analysis analysis, List<MarketInfo> markets, long stepsPerUnit) {
    this.analysis = analysis;
    this.markets = List.copyOf(markets);
    this.stepsPerUnit = stepsPerUnit;
  }

  @Override
  public List<WorkUnit> round(int round, List<PartialResult> done) {
    if (round > 0) {
      return List.of();
    }
    UnitPacker packer = new UnitPacker(0, stepsPerUnit);
    for (MarketInfo market : markets) {
      packer.add(market.name(), wholeHistory(market, 0));
      new LuckTests(analysis).addPermutations(packer, market, 0);
    }
    return packer.units();
  }

  static Run wholeHistory(MarketInfo market, long combination) {
    long[] one = {combination};
    return new Run(Run.Stage.FINAL, 0, 0, 0, market.bars() - 1, false, true, one);
  }

  @Override
  public AnalysisResult merge(List<PartialResult> done, boolean complete) {
    List<MarketRun> courses = courses(analysis, done);
    return new AnalysisResult(
        analysis.kind().label(),
        analysis.name(),
        complete,
        analysis.objective().text(),
        Map.of(),
        markets,
        null,
        courses,
        List.of(),
        null,
        List.of(),
        new LuckTests(analysis).of(done, courses, null),
        PartialResult.notes(done));
  }

  /** The courses of the final runs, in the order of the results. */
  static List<MarketRun> courses(Analysis analysis, List<PartialResult> done) {
    List<MarketRun> courses = new ArrayList<>();
    for (PartialResult result : done) {
      for (int i = 0; i < result.outcomes().size(); i++) {
        Run run = result.unit().runs().get(i);
        PartialResult.Outcome outcome = result.outcomes().get(i);
        if (run.stage() == Run.Stage.FINAL) {
          courses.add(
              new MarketRun(
                  result.unit().market(),
                  outcome.fromDate(),
                  outcome.toDate(),
                  Labelled.parameters(analysis.space(), run.combinations()[0]),
                  Labelled.figures(outcome.figures()[0]),
                  outcome.trades(),
                  run.firstBar(),
                  outcome.curve()));
        }
      }
    }
    return courses;
  }
}
