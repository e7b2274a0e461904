package dev.imker.charts.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.charts.search.Parameter;
import dev.imker.charts.search.Search;
import dev.imker.charts.search.Selection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnalysisReaderTest {
  private static final String OPTIMISE =
      """
      kind: optimise
      data: {synthetic: {markets: 2, years: 3}}
      parameters:
        loss: [3, 5, 8]
      strategy:
        indicators:
          fast: {sma: {bars: {from: 5, to: 15, step: 5}}}
          slow: {sma: {from: 20, to: 60, step: 20}}
        enter: {crossed-up: [fast, slow]}
        exit: [{crossed-down: [fast, slow]}, {stop-loss: $loss}]
        fees: {percent: 0.1}
      optimise:
        objective: sharpe - 2 * max_drawdown
        search: {halton: {budget: 10}}
        select: robust
        where: fast.bars * 2 < slow
      """;

  @Test
  void ranges_lists_and_declared_parameters_become_the_space() {
    Analysis analysis = AnalysisReader.parse("a.yaml", OPTIMISE);
    List<Parameter> parameters = analysis.space().parameters();
    assertThat(analysis.space().names()).containsExactly("loss", "fast.bars", "slow");
    assertThat(parameters.get(0).values()).containsExactly(3, 5, 8);
    assertThat(parameters.get(1).values()).containsExactly(5, 10, 15);
    assertThat(parameters.get(2).values()).containsExactly(20, 40, 60);
    assertThat(analysis.search()).isEqualTo(new Search(Search.Method.HALTON, 10, 3, 1));
    assertThat(analysis.selection()).isEqualTo(Selection.ROBUST);
    assertThat(analysis.space().isAllowed(analysis.space().combination(new int[] {0, 2, 0})))
        .as("15 * 2 < 20")
        .isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "kind: optimise | kind: optimize | a.yaml, line 1, column 7, kind: unknown kind 'optimize'."
            + " Did you mean 'optimise'?",
        "crossed-up | crosed-up | a.yaml, line 9, column 10, strategy.enter: unknown rule"
            + " 'crosed-up'. Did you mean 'crossed-up'?",
        "{sma: {bars | {sme: {bars | a.yaml, line 7, column 11, strategy.indicators.fast: unknown"
            + " indicator 'sme'.",
        "[fast, slow]} | [fats, slow]} | a.yaml, line 9, column 24, strategy.enter.crossed-up[0]:"
            + " unknown indicator 'fats'. Did you mean 'fast'?",
        "$loss | $lost | a.yaml, line 10, column 52, strategy.exit[1].stop-loss: unknown parameter"
            + " 'lost'. Did you mean 'loss'?",
        "fees: | fee: | a.yaml, line 11, column 3, strategy: unknown field 'fee'. Did you mean"
            + " 'fees'?",
        "{percent: 0.1} | {percent: much} | a.yaml, line 11, column 19, strategy.fees.percent:"
            + " expected a number, found 'much'.",
        "{percent: 0.1} | {percent: -1} | a.yaml, line 11, column 19, strategy.fees.percent:"
            + " expected a number of at least 0.",
        "fees: {percent: 0.1} | slippage: 100 | a.yaml, line 11, column 13, strategy.slippage:"
            + " expected a number of at least 0 and below 100.",
        "[3, 5, 8] | [3, -5, 8] | a.yaml, line 10, column 52, strategy.exit[1].stop-loss: expected"
            + " a number of at least 0 and below 100.",
        "[3, 5, 8] | [3, 150] | a.yaml, line 10, column 52, strategy.exit[1].stop-loss: expected a"
            + " number of at least 0 and below 100.",
        "crossed-up | cross-up | unknown rule 'cross-up'. Did you mean 'crossed-up'?",
        "fast: {sma | close: {sma | 'close' means the price of that name in every rule; choose"
            + " another name.",
        "stop-loss: $loss | stop-loss: tight | a.yaml, line 10, column 52,"
            + " strategy.exit[1].stop-loss: expected a number, found 'tight'.",
        "markets: 2, years: 3 | markets: 1000000, years: 1000 | a.yaml, line 2, column 19,"
            + " data.synthetic: 1,000,000 markets of 1,000 years are too many; markets times years"
            + " may be 10,000.",
        "max_drawdown | max_drawdwn | a.yaml, line 13, column 14, optimise.objective: in 'sharpe -"
            + " 2 * max_drawdwn', character 25: unknown name 'max_drawdwn'. Did you mean"
            + " 'max_drawdown'?",
        "fast.bars * 2 | fast.bar * 2 | a.yaml, line 16, column 10, optimise.where: in 'fast.bar *"
            + " 2 < slow', character 9: unknown name 'fast.bar'. Did you mean 'fast.bars'?",
        "{sma: {bars: | {sma: {length: | a.yaml, line 7, column 17, strategy.indicators.fast.sma:"
            + " 'sma' does not take these values. It takes {[of], bars}.",
        "from: 20, to: 60 | from: 60, to: 20 | a.yaml, line 8, column 17,"
            + " strategy.indicators.slow.sma: a range needs from <= to and a step above 0.",
        "{sma: {bars: {from: 5, to: 15, step: 5}}} | ichimoku-chikou-span | a.yaml, line 7, column"
            + " 11, strategy.indicators.fast: 'ichimoku-chikou-span' looks into the future",
        "data: {synthetic | data: {synthetic: {markets: 2}, folder | a.yaml, line 2, column 7,"
            + " data: give exactly one of files, folder, set, synthetic."
      })
  void mistakes_are_told_with_place_and_remedy(String right, String wrong, String message) {
    assertThat(OPTIMISE).contains(right);
    assertThatThrownBy(
            () ->
                AnalysisReader.parse(
                    "a.yaml",
                    OPTIMISE.replaceFirst(Pattern.quote(right), Matcher.quoteReplacement(wrong))))
        .isInstanceOf(SpecException.class)
        .hasMessageContaining(message);
  }

  @Test
  void broken_yaml_is_told_with_place() {
    assertThatThrownBy(() -> AnalysisReader.parse("a.yaml", "kind: backtest\ndata: [1, 2\n"))
        .isInstanceOf(SpecException.class)
        .hasMessageStartingWith("a.yaml, line 3, column 1: this is not YAML");
  }

  @Test
  void a_backtest_refuses_ranges() {
    String text =
        OPTIMISE.replace("kind: optimise", "kind: backtest").replaceAll("(?s)optimise:.*", "");
    assertThatThrownBy(() -> AnalysisReader.parse("a.yaml", text))
        .hasMessageContaining("a backtest needs one number here");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "optimise | {blocks: 7} | luck.blocks: 7 blocks cannot be halved in several ways; take 4,"
            + " 6, 8, … 16, or 0 for none.",
        "optimise | {blocks: 18} | luck.blocks: 18 is too many; the maximum is 16.",
        "optimise | {permutation: 5} | Did you mean 'permutations'?",
        "walk-forward | {permutations: 5} | luck.permutations: markets are shuffled for a backtest"
            + " or an optimisation only",
        "walk-forward | {blocks: 6} | luck.blocks: only 'kind: optimise' compares combinations;"
            + " remove this.",
      })
  void tests_for_luck_that_make_no_sense_are_refused(String kind, String luck, String message) {
    String text = OPTIMISE.replace("kind: optimise", "kind: " + kind) + "luck: " + luck + "\n";
    assertThatThrownBy(() -> AnalysisReader.parse("a.yaml", text)).hasMessageContaining(message);
  }

  @Test
  void walk_forward_varies_windows_objective_and_selection() {
    String text =
        OPTIMISE.replace("kind: optimise", "kind: walk-forward")
            + "walk-forward: {train: [300, 400], test: 100, objective: [sharpe, cagr], select:"
            + " [best, centre]}\n";
    assertThat(AnalysisReader.parse("a.yaml", text).walkForward().variants()).hasSize(8);
  }

  @Test
  void all_mistakes_of_a_file_are_told_at_once_in_the_order_of_lines() {
    String text =
        """
        kind: backtest
        data: {synthetic: {markets: 1, yeers: 3}}
        strategy:
          indicators:
            close: {sma: 20}
            dip: {previous-value: {of: nothing, n: 2}}
            ahead: {previous-value: {n: -2}}
          enter: [{cross-up: [close, dip]}, {over: [dip, lwo]}, {stop-loss: 5}]
          exit: {stop-loss: 150}
          slippage: 0,05
          fees: {percent: 0,1}
          capitol: 3
        """;
    assertThatThrownBy(() -> AnalysisReader.parse("a.yaml", text))
        .isInstanceOf(SpecException.class)
        .message()
        .isEqualTo(
            """
            a.yaml, line 2, column 32, data.synthetic: unknown field 'yeers'. Did you mean 'years'?
            a.yaml, line 5, column 12, strategy.indicators.close: 'close' means the price of that name in every rule; choose another name.
            a.yaml, line 6, column 32, strategy.indicators.dip.previous-value.of: unknown indicator 'nothing'.
            a.yaml, line 7, column 33, strategy.indicators.ahead.previous-value.n: expected a number of at least 0.
            a.yaml, line 8, column 11, strategy.enter[0]: unknown rule 'cross-up'. Did you mean 'crossed-up'?
            a.yaml, line 8, column 50, strategy.enter[1].over[1]: unknown indicator 'lwo'. Did you mean 'low'?
            a.yaml, line 8, column 69, strategy.enter[2].stop-loss: 'stop-loss' needs an open position, so it never holds in 'enter'. Put it under 'exit'.
            a.yaml, line 9, column 21, strategy.exit.stop-loss: expected a number of at least 0 and below 100.
            a.yaml, line 10, column 13, strategy.slippage: expected a number, found '0,05'. Write 0.05, with a point.
            a.yaml, line 11, column 21, strategy.fees: a comma before '1' starts another field; write numbers with a decimal point, as in 0.1.
            a.yaml, line 12, column 3, strategy: unknown field 'capitol'. Did you mean 'capital'?\
            """);
  }

  @Test
  void rules_of_a_position_are_refused_in_enter() {
    assertThatThrownBy(
            () ->
                AnalysisReader.parse(
                    "a.yaml",
                    """
                    kind: backtest
                    data: {synthetic: {markets: 1}}
                    strategy: {enter: [always, {stop-loss: 5}], exit: never}
                    """))
        .hasMessageContaining("'stop-loss' needs an open position")
        .hasMessageContaining("Put it under 'exit'");
  }

  @Test
  void a_mistake_in_one_field_hides_none_in_others() {
    String text =
        """
        kind: backtest
        tasks: 0
        data: {synthetic: {markets: 1}}
        strategy:
          enter: always
          exits: never
          side: up
          execution: tomorrow
          size: {risk-percent: 1}
        luck: {draws: -1, blocks: 5}
        """;
    assertThatThrownBy(() -> AnalysisReader.parse("a.yaml", text))
        .hasMessageContainingAll(
            "line 2", "'exit' is missing", "'exits'", "'up'", "'tomorrow'", "stop-percent")
        .hasMessageContainingAll("luck.draws", "luck.blocks");
  }
}
