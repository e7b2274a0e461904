package dev.imker.charts.study;

import dev.imker.charts.market.MarketInfo;
import dev.imker.charts.spec.Analysis;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * An analysis as units of work. Pure: the same analysis, markets and results always give the same
 * units and the same result, so that any machine can plan and merge.
 *
 * <pre>{@code
 * List<PartialResult> done = new ArrayList<>();
 * for (int round = 0; ; round++) {
 *   List<WorkUnit> units = study.round(round, done);
 *   if (units.isEmpty()) break;
 *   for (WorkUnit unit : units) done.add(UnitRunner.run(analysis, market(unit), unit, ...));
 * }
 * AnalysisResult result = study.merge(done, true);
 * }</pre>
 */
public final class Study {
  /** About two seconds of one core. */
  public static final long USUAL_STEPS_PER_UNIT = 400_000_000;

  private final Analysis analysis;
  private final Plan plan;
  private final List<MarketInfo> markets;

  /**
   * @param markets as {@link Analysis#infos} gives them
   * @param stepsPerUnit how many bars times combinations a unit has at most
   */
  public Study(Analysis analysis, List<MarketInfo> markets, long stepsPerUnit) {
    this.analysis = analysis;
    boolean asOne = analysis.isPortfolio();
    this.markets = asOne ? markets.subList(0, markets.size() - 1) : markets;
    List<MarketInfo> traded = asOne ? List.of(markets.getLast()) : markets;
    long steps = asOne ? Math.max(1, stepsPerUnit / markets.size()) : stepsPerUnit;
    this.plan =
        switch (analysis.kind()) {
          case BACKTEST -> new BacktestPlan(analysis, traded, steps);
          case OPTIMISE -> new OptimisePlan(analysis, traded, steps);
          case WALK_FORWARD -> new WalkForwardPlan(analysis, traded, steps);
        };
  }

  /** The units of the rounds that take long; those of later rounds are right in size only. */
  public List<List<WorkUnit>> foreseen() {
    return plan.foreseen();
  }

  /** The units of a round, given all results of the rounds before; none when all is done. */
  public List<WorkUnit> round(int round, List<PartialResult> done) {
    return plan.round(round, joined(done));
  }

  /** The same results, as far as they are needed: they take a fraction of the room. */
  public List<PartialResult> joined(List<PartialResult> done) {
    return JoinedResults.of(analysis.objective(), ordered(done));
  }

  /**
   * The result of everything done.
   *
   * @param complete false if the analysis was cancelled; then the result is of what there is
   */
  public AnalysisResult merge(List<PartialResult> done, boolean complete) {
    AnalysisResult merged = plan.merge(joined(done), complete);
    return merged.of(markets, rules(merged));
  }

  private Map<String, String> rules(AnalysisResult merged) {
    Map<String, Double> chosen = chosen(merged);
    List<String> names = analysis.space().names();
    return chosen.keySet().containsAll(names)
        ? RulesInWords.of(analysis, names.stream().mapToDouble(chosen::get).toArray())
        : Map.of();
  }

  private static Map<String, Double> chosen(AnalysisResult merged) {
    if (!merged.variants().isEmpty()) {
      List<AnalysisResult.WindowChoice> windows = merged.variants().getFirst().windows();
      String market = windows.isEmpty() ? "" : windows.getFirst().market();
      return windows.stream()
          .filter(window -> window.market().equals(market))
          .reduce((earlier, later) -> later)
          .map(AnalysisResult.WindowChoice::parameters)
          .orElse(Map.of());
    }
    AnalysisResult.Choice best = merged.best();
    return best == null ? Map.of() : best.parameters();
  }

  /** Sums of doubles depend on their order; it must not depend on who was done first. */
  private static List<PartialResult> ordered(List<PartialResult> done) {
    return done.stream()
        .sorted(
            Comparator.comparingInt((PartialResult r) -> r.unit().round())
                .thenComparing(r -> r.unit().id()))
        .toList();
  }
}
