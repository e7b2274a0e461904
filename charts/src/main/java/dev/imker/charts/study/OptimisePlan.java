package dev.imker.charts.study;

import dev.imker.charts.ChartException;
import dev.imker.charts.market.MarketInfo;
import dev.imker.charts.search.Evaluated;
import dev.imker.charts.search.Evolution;
import dev.imker.charts.search.Search;
import dev.imker.charts.search.Space;
import dev.imker.charts.spec.Analysis;
import dev.imker.charts.study.AnalysisResult.Choice;
import dev.imker.charts.study.AnalysisResult.MarketChoice;
import dev.imker.charts.study.AnalysisResult.MarketRun;
import dev.imker.charts.study.AnalysisResult.Robustness;
import dev.imker.charts.study.AnalysisResult.Surface;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Sweeps the combinations over all markets, in several rounds if the search halves; then runs the
 * chosen one in detail and evaluates those of its neighbours that the sweep left out.
 */
final class OptimisePlan implements Plan {
  private final Analysis analysis;
  private final Space space;
  private final List<MarketInfo> markets;
  private final long stepsPerUnit;
  private final long[] candidates;
  private final int generations;
  private final int sweeps;
  private final LuckTests luck;

  OptimisePlan(Analysis analysis, List<MarketInfo> markets, long stepsPerUnit) {
    this.analysis = analysis;
    this.space = analysis.space();
    this.markets = List.copyOf(markets);
    this.stepsPerUnit = stepsPerUnit;
    this.candidates = analysis.search().combinations(space);
    this.generations = analysis.search().generations(space);
    this.sweeps = Math.max(generations, analysis.search().rounds(candidates.length));
    this.luck = new LuckTests(analysis);
    luck.checkSize(candidates.length * generations);
  }

  @Override
  public List<WorkUnit> round(int round, List<PartialResult> done) {
    if (round < sweeps) {
      return sweep(round, survivors(round, done));
    }
    return round == sweeps ? finalRound(round, done) : List.of();
  }

  @Override
  public List<List<WorkUnit>> foreseen() {
    List<List<WorkUnit>> rounds = new ArrayList<>();
    int left = candidates.length;
    for (int round = 0; round < sweeps; round++) {
      rounds.add(sweep(round, Arrays.copyOf(candidates, left)));
      left = generations > 1 ? left : Math.max(1, left / analysis.search().factor());
    }
    return rounds;
  }

  private long[] survivors(int round, List<PartialResult> done) {
    if (round == 0) {
      return candidates;
    }
    if (generations > 1) {
      Search search = analysis.search();
      Evaluated known = table(done, round - 1).overall();
      return new Evolution(space, search.seed(), candidates.length).next(known, round);
    }
    Evaluated evaluated = table(done, round - 1).overall();
    int left = Math.max(1, evaluated.combinations().length / analysis.search().factor());
    return Arrays.stream(evaluated.ranking())
        .limit(left)
        .mapToLong(place -> evaluated.combinations()[place])
        .sorted()
        .toArray();
  }

  private List<WorkUnit> sweep(int round, long[] combinations) {
    Search search = analysis.search();
    double share = search.shareOfHistory(round, sweeps);
    UnitPacker packer = new UnitPacker(round, stepsPerUnit);
    for (int first = 0; first < markets.size(); first += JoinedResults.MARKETS) {
      List<MarketInfo> some =
          markets.subList(first, Math.min(markets.size(), first + JoinedResults.MARKETS));
      packer.addTogether(
          some.stream().map(MarketInfo::name).toList(),
          some.stream().map(market -> sweep(round, market, share, combinations)).toList());
    }
    for (MarketInfo market : markets) {
      luck.addBlocks(packer, market, combinations);
    }
    return packer.units();
  }

  private static Run sweep(int round, MarketInfo market, double share, long[] combinations) {
    int bars = Math.max(2, (int) Math.ceil(market.bars() * share));
    int last = Math.min(market.bars(), bars) - 1;
    return new Run(Run.Stage.SWEEP, round, 0, 0, last, false, false, combinations);
  }

  private List<WorkUnit> finalRound(int round, List<PartialResult> done) {
    Evaluated evaluated = table(done, sweeps - 1).overall();
    long chosen = chosen(evaluated, done);
    long[] missing =
        Arrays.stream(space.neighbours(chosen)).filter(c -> evaluated.place(c) < 0).toArray();
    UnitPacker packer = new UnitPacker(round, stepsPerUnit);
    for (MarketInfo market : markets) {
      packer.add(market.name(), BacktestPlan.wholeHistory(market, chosen));
      luck.addPermutations(packer, market, chosen);
      if (missing.length > 0) {
        packer.add(
            market.name(),
            new Run(Run.Stage.NEIGHBOURS, sweeps, 0, 0, market.bars() - 1, false, false, missing));
      }
    }
    return packer.units();
  }

  private long chosen(Evaluated evaluated, List<PartialResult> done) {
    int place = analysis.selection().choose(evaluated, space);
    if (evaluated.worth(evaluated.best()) == Double.NEGATIVE_INFINITY) {
      String problem =
          done.stream().map(PartialResult::problem).filter(Objects::nonNull).findFirst().orElse("");
      throw new ChartException(
          "No combination could be evaluated by '%s'. %s"
              .formatted(analysis.objective().text(), problem));
    }
    return evaluated.combinations()[place];
  }

  /** Of one round of a search by halving, which sees another part of the history than others. */
  private SweepTable table(List<PartialResult> done, int round) {
    return SweepTable.of(
        analysis.objective(),
        analysis.across(),
        done,
        (market, run) ->
            run.stage() == Run.Stage.SWEEP
                && (generations > 1 ? run.variant() <= round : run.variant() == round));
  }

  @Override
  public AnalysisResult merge(List<PartialResult> done, boolean complete) {
    int lastSweep =
        done.stream()
            .flatMap(r -> r.unit().runs().stream())
            .filter(run -> run.stage() == Run.Stage.SWEEP)
            .mapToInt(Run::variant)
            .max()
            .orElse(0);
    SweepTable table = table(done, lastSweep);
    Evaluated evaluated = table.overall();
    List<MarketRun> courses = BacktestPlan.courses(analysis, done);
    Surface surface = surface(table, evaluated);
    return new AnalysisResult(
        analysis.kind().label(),
        analysis.name(),
        complete,
        analysis.objective().text(),
        Map.of(),
        markets,
        table.isEmpty() ? null : best(table, evaluated, done),
        courses,
        perMarket(table),
        surface,
        List.of(),
        luck.of(done, courses, surface),
        warnings(table, evaluated, done, complete));
  }

  private Choice best(SweepTable table, Evaluated evaluated, List<PartialResult> done) {
    long chosen = chosen(evaluated, done);
    double worth = evaluated.worth(evaluated.place(chosen));
    return new Choice(
        Labelled.parameters(space, chosen),
        worth,
        Labelled.figures(table.meanFigures(chosen)),
        robustness(evaluated, chosen, worth, done));
  }

  private @Nullable Robustness robustness(
      Evaluated evaluated, long chosen, double worth, List<PartialResult> done) {
    double[] swept = evaluated.neighbours(space, evaluated.place(chosen));
    Evaluated extra =
        SweepTable.of(
                analysis.objective(),
                analysis.across(),
                done,
                (market, run) -> run.stage() == Run.Stage.NEIGHBOURS)
            .overall();
    List<Double> around = new ArrayList<>(Arrays.stream(swept).boxed().toList());
    for (int i = 0; i < extra.combinations().length; i++) {
      around.add(extra.worth(i));
    }
    around.removeIf(w -> Double.isInfinite(w));
    if (around.isEmpty()) {
      return null;
    }
    double mean = around.stream().mapToDouble(w -> w).sum() / around.size();
    double worst = around.stream().mapToDouble(w -> w).min().orElse(worth);
    return new Robustness(around.size(), mean, worst, share(mean, worth));
  }

  /** 1 if the neighbours are worth as much, less if they are worth less, whatever the sign. */
  private static double share(double mean, double worth) {
    if (worth == 0) {
      return mean < 0 ? 0 : 1;
    }
    return 1 + (mean - worth) / Math.abs(worth);
  }

  private List<MarketChoice> perMarket(SweepTable table) {
    List<MarketChoice> choices = new ArrayList<>();
    for (String market : table.markets()) {
      Evaluated evaluated = table.of(market);
      int place = evaluated.best();
      long combination = evaluated.combinations()[place];
      choices.add(
          new MarketChoice(
              market, Labelled.parameters(space, combination), evaluated.worth(place)));
    }
    return choices;
  }

  private Surface surface(SweepTable table, Evaluated evaluated) {
    int[] ranking = evaluated.ranking();
    double[][] values = new double[ranking.length][];
    double[] worth = new double[ranking.length];
    double[][] figures = new double[ranking.length][];
    for (int i = 0; i < ranking.length; i++) {
      long combination = evaluated.combinations()[ranking[i]];
      values[i] = space.values(combination);
      worth[i] = evaluated.worth(ranking[i]);
      figures[i] = table.meanFigures(combination);
    }
    return new Surface(space.names(), values, worth, figures);
  }

  private static List<String> warnings(
      SweepTable table, Evaluated evaluated, List<PartialResult> done, boolean complete) {
    List<String> warnings = new ArrayList<>(PartialResult.notes(done));
    if (!table.isEmpty() && table.nothingTraded()) {
      warnings.add("No combination made a single trade, so there is nothing to choose from.");
    }
    if (!complete) {
      warnings.add(
          "The analysis was stopped early; this result covers what was computed until then.");
    }
    long unusable =
        IntStream.range(0, evaluated.combinations().length)
            .filter(i -> evaluated.worth(i) == Double.NEGATIVE_INFINITY)
            .count();
    if (unusable > 0) {
      warnings.add(
          "%d combinations are invalid for their indicators and were skipped.".formatted(unusable));
    }
    warnings.add(
        "The best of %d combinations looks better than it will trade; a walk-forward analysis tells you more."
            .formatted(evaluated.combinations().length));
    return warnings;
  }
}
