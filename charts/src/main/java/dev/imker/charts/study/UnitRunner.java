package dev.imker.charts.study;

import dev.imker.charts.Cancellation;
import dev.imker.charts.ChartException;
import dev.imker.charts.Progress;
import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketQuality;
import dev.imker.charts.market.ShuffledMarket;
import dev.imker.charts.series.UnusableParametersException;
import dev.imker.charts.spec.Analysis;
import dev.imker.charts.strategy.CurveFigures;
import dev.imker.charts.strategy.Figure;
import dev.imker.charts.strategy.RunResult;
import dev.imker.charts.strategy.StrategyRunner;
import dev.imker.charts.strategy.StrategyRunner.Leg;
import dev.imker.charts.strategy.StrategyRunner.Span;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Does a unit of work. Depends on its arguments alone, so that a unit may be done twice. */
public final class UnitRunner {
  private static final long STEPS_BETWEEN_REPORTS = 2_000_000;
  private static final RunResult NOTHING =
      new RunResult(new double[0], List.of(), new double[0], 0, 0);

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
  private final Set<String> notes = new LinkedHashSet<>();

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
    if (unit.runs().stream().anyMatch(Run::detailed)) {
      notes.addAll(MarketQuality.notes(market));
    }
    progress.advanced(steps, steps);
    return new PartialResult(unit, outcomes, problem, List.copyOf(notes));
  }

  private PartialResult.Outcome outcome(Run run) {
    Span span = new Span(run.firstBar(), run.lastBar(), run.closeAtEnd());
    if (run.isWalk()) {
      return walk(run, span);
    }
    double[][] figures = new double[run.combinations().length][];
    RunResult last = NOTHING;
    for (int i = 0; i < figures.length; i++) {
      cancellation.throwIfRequested();
      last = one(run, span, run.combinations()[i]);
      figures[i] = last.figures();
      advance(span.bars());
    }
    return outcome(run, figures, last, List.of());
  }

  private PartialResult.Outcome outcome(
      Run run, double[][] figures, RunResult last, List<PartialResult.LegOutcome> legs) {
    return new PartialResult.Outcome(
        market.date(run.firstBar()).toString(),
        market.date(run.lastBar()).toString(),
        figures,
        last.trades(),
        last.curve(),
        legs);
  }

  private PartialResult.Outcome walk(Run run, Span span) {
    cancellation.throwIfRequested();
    List<Leg> legs = new ArrayList<>();
    for (int i = 0; i < run.legs().length; i++) {
      legs.add(new Leg(run.legs()[i], analysis.space().values(run.combinations()[i])));
    }
    boolean flat = analysis.walkForward().flatAtWindowEnd();
    RunResult result = runner.walk(analysis.strategy(), legs, span, flat, run.detailed());
    note(result, span);
    advance(span.bars());
    List<PartialResult.LegOutcome> outcomes = new ArrayList<>();
    for (int i = 0; i < run.legs().length; i++) {
      int last = i + 1 < run.legs().length ? run.legs()[i + 1] - 1 : run.lastBar();
      outcomes.add(leg(run, result, run.legs()[i], last));
    }
    return outcome(run, new double[][] {result.figures()}, result, outcomes);
  }

  private PartialResult.LegOutcome leg(Run run, RunResult result, int first, int last) {
    int before = first - run.firstBar() - 1;
    double capital = before < 0 ? analysis.strategy().terms().capital() : result.curve()[before];
    double[] figures =
        CurveFigures.of(
            analysis.strategy().terms(),
            capital,
            Arrays.copyOfRange(result.curve(), first - run.firstBar(), last - run.firstBar() + 1),
            market,
            first,
            result.trades().stream()
                .filter(t -> t.exitBar() >= first && t.exitBar() <= last)
                .toList(),
            result.trades().stream().mapToInt(t -> t.barsHeldBetween(first, last)).sum());
    return new PartialResult.LegOutcome(
        market.date(first).toString(), market.date(last).toString(), figures);
  }

  private void note(RunResult result, Span span) {
    if (result.warmUpBars() > span.lastBar()) {
      notes.add(
          "%s has %d bars, but the indicators need %d to settle, so nothing was traded. Use fewer bars in them, more data, or set warm-up."
              .formatted(market.name(), market.bars(), result.warmUpBars()));
    }
    if (result.cutOrders() > 0) {
      notes.add(
          "%s: %d orders were larger than the account and were cut to it; set leverage to allow more."
              .formatted(market.name(), result.cutOrders()));
    }
  }

  private RunResult one(Run run, Span span, long combination) {
    try {
      double[] parameters = analysis.space().values(combination);
      StrategyRunner used =
          run.stage() == Run.Stage.SHUFFLED
              ? new StrategyRunner(ShuffledMarket.of(market, LuckTests.seed(analysis, run)))
              : runner;
      RunResult result = used.run(analysis.strategy(), parameters, span, run.detailed());
      if (run.detailed()) {
        note(result, span);
      }
      return result;
    } catch (UnusableParametersException e) {
      if (analysis.kind() == Analysis.Kind.BACKTEST) {
        throw e;
      }
      problem = e.getMessage();
      double[] nothing = new double[Figure.values().length];
      Arrays.fill(nothing, Double.NaN);
      return new RunResult(nothing, List.of(), new double[0], 0, 0);
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
