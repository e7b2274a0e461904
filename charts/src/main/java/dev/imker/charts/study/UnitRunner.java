package dev.imker.charts.study;

import dev.imker.charts.Cancellation;
import dev.imker.charts.ChartException;
import dev.imker.charts.Progress;
import dev.imker.charts.market.Market;
import dev.imker.charts.series.UnusableParametersException;
import dev.imker.charts.spec.Analysis;
import dev.imker.charts.strategy.Figure;
import dev.imker.charts.strategy.RunResult;
import dev.imker.charts.strategy.StrategyRunner;
import dev.imker.charts.strategy.StrategyRunner.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Does a unit of work. Depends on its arguments alone, so that a unit may be done twice. */
public final class UnitRunner {
  private static final long STEPS_BETWEEN_REPORTS = 2_000_000;

  private final Analysis analysis;
  private final WorkUnit unit;
  private final Market market;
  private final Progress progress;
  private final Cancellation cancellation;
  private final StrategyRunner runner;
  private final long steps;
  private long done;
  private long reported;
  private @Nullable String problem;

  private UnitRunner(
      Analysis analysis,
      Market market,
      WorkUnit unit,
      Progress progress,
      Cancellation cancellation) {
    this.analysis = analysis;
    this.unit = unit;
    this.market = market;
    this.progress = progress;
    this.cancellation = cancellation;
    this.runner = new StrategyRunner(market);
    this.steps = unit.steps();
  }

  /**
   * @param market the candles of the market the unit names
   * @throws dev.imker.charts.CancelledException soon after cancellation was requested
   */
  public static PartialResult run(
      Analysis analysis,
      Market market,
      WorkUnit unit,
      Progress progress,
      Cancellation cancellation) {
    if (!market.name().equals(unit.market())) {
      throw new ChartException(
          "Unit %s is about market '%s', not '%s'."
              .formatted(unit.id(), unit.market(), market.name()));
    }
    return new UnitRunner(analysis, market, unit, progress, cancellation).all();
  }

  private PartialResult all() {
    List<PartialResult.Outcome> outcomes = new ArrayList<>();
    for (Run run : unit.runs()) {
      outcomes.add(outcome(run));
    }
    progress.advanced(steps, steps);
    return new PartialResult(unit, outcomes, problem);
  }

  private PartialResult.Outcome outcome(Run run) {
    Span span = new Span(run.firstBar(), run.lastBar(), run.closeAtEnd());
    double[][] figures = new double[run.combinations().length][];
    RunResult last = new RunResult(new double[0], List.of(), new double[0]);
    for (int i = 0; i < figures.length; i++) {
      cancellation.throwIfRequested();
      last = one(run, span, run.combinations()[i]);
      figures[i] = last.figures();
      advance(span.bars());
    }
    return new PartialResult.Outcome(
        market.date(run.firstBar()).toString(),
        market.date(run.lastBar()).toString(),
        figures,
        last.trades(),
        last.curve());
  }

  private RunResult one(Run run, Span span, long combination) {
    try {
      double[] parameters = analysis.space().values(combination);
      return runner.run(analysis.strategy(), parameters, span, run.detailed());
    } catch (UnusableParametersException e) {
      if (analysis.kind() == Analysis.Kind.BACKTEST) {
        throw e;
      }
      problem = e.getMessage();
      double[] nothing = new double[Figure.values().length];
      Arrays.fill(nothing, Double.NaN);
      return new RunResult(nothing, List.of(), new double[0]);
    }
  }

  private void advance(int bars) {
    done += bars;
    if (done - reported >= STEPS_BETWEEN_REPORTS) {
      reported = done;
      progress.advanced(done, steps);
    }
  }
}
