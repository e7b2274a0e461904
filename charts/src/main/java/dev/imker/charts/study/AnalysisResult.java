package dev.imker.charts.study;

import dev.imker.charts.luck.Luck;
import dev.imker.charts.market.MarketInfo;
import dev.imker.charts.outcome.Trade;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an analysis found. Travels as JSON.
 *
 * @param complete whether it ran to its end
 * @param rules what was traded and at which costs, in words, with the chosen numbers; of a
 *     walk-forward, with those chosen last on the first market
 * @param best the chosen combination over all markets; absent for a backtest
 * @param perMarket the course on every market with the chosen parameters
 * @param bestPerMarket what would have been chosen on each market alone
 * @param surface every evaluated combination; absent unless optimised
 * @param variants of a walk-forward, best first; their figures are out of sample
 * @param luck how much of it may be owed to chance
 */
public record AnalysisResult(
    String kind,
    String name,
    boolean complete,
    String objective,
    Map<String, String> rules,
    List<MarketInfo> markets,
    @Nullable Choice best,
    List<MarketRun> perMarket,
    List<MarketChoice> bestPerMarket,
    @Nullable Surface surface,
    List<Variant> variants,
    Luck luck,
    List<String> warnings) {

  public AnalysisResult {
    rules = Collections.unmodifiableMap(new LinkedHashMap<>(rules));
    markets = List.copyOf(markets);
    perMarket = List.copyOf(perMarket);
    bestPerMarket = List.copyOf(bestPerMarket);
    variants = List.copyOf(variants);
    warnings = List.copyOf(warnings);
  }

  /** The same result, of these markets, by these rules. */
  AnalysisResult of(List<MarketInfo> traded, Map<String, String> words) {
    return new AnalysisResult(
        kind,
        name,
        complete,
        objective,
        words,
        traded,
        best,
        perMarket,
        bestPerMarket,
        surface,
        variants,
        luck,
        warnings);
  }

  /**
   * A combination and what it is worth.
   *
   * @param figures means over the markets
   */
  public record Choice(
      Map<String, Double> parameters,
      double worth,
      Map<String, Double> figures,
      @Nullable Robustness robustness) {}

  /**
   * How the neighbours of a choice do, each one step away in one parameter.
   *
   * @param neighbours how many were evaluated
   * @param share how their mean worth compares to that of the choice: 1 if it is the same (a
   *     plateau), less by the share of it that is lost
   */
  public record Robustness(int neighbours, double mean, double worst, double share) {}

  /** The best combination of one market. */
  public record MarketChoice(String market, Map<String, Double> parameters, double worth) {}

  /**
   * The course of one market.
   *
   * @param firstBar where the curve begins
   * @param curve the account at the close of every bar
   */
  public record MarketRun(
      String market,
      String fromDate,
      String toDate,
      Map<String, Double> parameters,
      Map<String, Double> figures,
      List<Trade> trades,
      int firstBar,
      double[] curve) {}

  /**
   * Every evaluated combination, best first.
   *
   * @param values of the parameters, per combination
   * @param figures means over the markets, per combination by figure
   */
  public record Surface(
      List<String> parameters, double[][] values, double[] worth, double[][] figures) {}

  /**
   * One way to walk forward.
   *
   * @param worth of the out-of-sample figures by the objective of the analysis
   * @param figures means over the markets, out of sample
   */
  public record Variant(
      String label, double worth, Map<String, Double> figures, List<WindowChoice> windows) {}

  /** What was chosen in a training window and came of it in the test window. */
  public record WindowChoice(
      String market,
      int window,
      String testFrom,
      String testTo,
      Map<String, Double> parameters,
      double trainWorth,
      Map<String, Double> figures) {}
}
