package dev.imker.charts.study;

import dev.imker.charts.Cancellation;
import dev.imker.charts.Progress;
import dev.imker.charts.code.JavaIndicators;
import dev.imker.charts.kernel.Surroundings;
import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketQuality;
import dev.imker.charts.market.Markets;
import dev.imker.charts.market.ShuffledMarket;
import dev.imker.charts.outcome.Figure;
import dev.imker.charts.outcome.RunResult;
import dev.imker.charts.outcome.Trade;
import dev.imker.charts.series.UnusableParametersException;
import dev.imker.charts.spec.Analysis;
import dev.imker.charts.strategy.CurveFigures;
import dev.imker.charts.strategy.PortfolioRunner;
import dev.imker.charts.strategy.StrategyRunner;
import dev.imker.charts.strategy.StrategyRunner.Leg;
import dev.imker.charts.strategy.StrategyRunner.Span;
import dev.imker.charts.strategy.Trader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
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
  private final Markets markets;
  private final Market market;
  private final Progress progress;
  private final Cancellation cancellation;
  private final JavaIndicators java;
  private final Trader trader;
  private final long steps;
  private long done;
  private long reported;
  private @Nullable String problem;
  private final Set<String> notes = new LinkedHashSet<>();

  private UnitRunner(
      Analysis analysis,
      Markets markets,
      JavaIndicators java,
      WorkUnit unit,
      Progress progress,
      Cancellation cancellation) {
    this.java = java;
    this.analysis = analysis;
    this.unit = unit;
    this.markets = markets;
    this.market = markets.get(unit.market());
    this.progress = progress;
    this.cancellation = cancellation;
    Surroundings surroundings = new Surroundings(markets::get, java);
    this.trader =
        analysis.isPortfolio()
            ? new PortfolioRunner(markets.calendar(), surroundings)
            : new StrategyRunner(market, surroundings);
    this.steps = unit.steps();
  }

  /**
   * @param markets the candles of the market that the unit names, and of those that the strategy
   *     looks at; of a portfolio, of all markets
   * @param java indicators of libraries that the analysis names
   * @throws dev.imker.charts.CancelledException soon after cancellation was requested
   */
  public static PartialResult run(
      Analysis analysis,
      Markets markets,
      JavaIndicators java,
      WorkUnit unit,
      Progress progress,
      Cancellation cancellation) {
    return new UnitRunner(analysis, markets, java, unit, progress, cancellation).all();
  }

  private PartialResult all() {
    List<PartialResult.Outcome> outcomes = new ArrayList<>();
    for (Run run : unit.runs()) {
      outcomes.add(outcome(run));
    }
    if (unit.runs().stream().anyMatch(Run::detailed)) {
      List<Market> seen = analysis.isPortfolio() ? markets.all() : List.of(market);
      seen.forEach(one -> notes.addAll(MarketQuality.notes(one)));
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
        market.when(run.firstBar()),
        market.when(run.lastBar()),
        figures,
        new double[0],
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
    RunResult result = trader.walk(analysis.strategy(), legs, span, flat, run.detailed());
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
            before < 0 ? first : first - 1,
            result.trades().stream()
                .filter(t -> t.exitBar() >= first && t.exitBar() <= last)
                .toList(),
            held(result, first, last));
    return new PartialResult.LegOutcome(market.when(first), market.when(last), figures);
  }

  /** At how many closes there was a position. */
  private static int held(RunResult result, int first, int last) {
    BitSet bars = new BitSet();
    for (Trade trade : result.trades()) {
      int until = Math.min(last, trade.open() ? trade.exitBar() : trade.exitBar() - 1);
      int from = Math.max(first, trade.entryBar());
      bars.set(from, Math.max(from, until + 1));
    }
    return bars.cardinality();
  }

  private void note(RunResult result, Span span) {
    if (result.warmUpBars() > span.lastBar()) {
      notes.add(
          "%s has %d bars, but the indicators need %d to warm up, so nothing was traded. Use shorter indicators, more data, or set warm-up."
              .formatted(market.name(), market.bars(), result.warmUpBars()));
    } else if (result.trades().isEmpty()) {
      notes.add(
          "%s: nothing was traded. Either no rule gave a signal to enter, or the account could not pay for an order and its fees."
              .formatted(market.name()));
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
      Trader used =
          run.stage() == Run.Stage.SHUFFLED ? shuffled(LuckTests.seed(analysis, run)) : trader;
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

  private Trader shuffled(long seed) {
    Set<String> seen = analysis.strategy().sources().markets();
    List<Market> needed =
        markets.all().stream()
            .filter(m -> analysis.isPortfolio() || m == market || seen.contains(m.name()))
            .toList();
    Markets other = new Markets(shuffled(needed, seed), shuffled(markets.watched(), seed));
    Surroundings surroundings = new Surroundings(other::get, java);
    return analysis.isPortfolio()
        ? new PortfolioRunner(other.calendar(), surroundings)
        : new StrategyRunner(other.get(market.name()), surroundings);
  }

  private static List<Market> shuffled(List<Market> all, long seed) {
    return all.stream().map(one -> ShuffledMarket.of(one, seed)).toList();
  }

  private void advance(int bars) {
    done += bars;
    if (done - reported >= STEPS_BETWEEN_REPORTS) {
      reported = done;
      progress.advanced(done, steps);
    }
  }
}
