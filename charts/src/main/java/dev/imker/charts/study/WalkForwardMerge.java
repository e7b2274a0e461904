package dev.imker.charts.study;

import dev.imker.charts.market.MarketInfo;
import dev.imker.charts.search.Evaluated;
import dev.imker.charts.spec.Analysis;
import dev.imker.charts.spec.WalkForwardSpec;
import dev.imker.charts.strategy.CurveFigures;
import dev.imker.charts.strategy.Figure;
import dev.imker.charts.strategy.Trade;
import dev.imker.charts.study.AnalysisResult.Choice;
import dev.imker.charts.study.AnalysisResult.MarketRun;
import dev.imker.charts.study.AnalysisResult.Variant;
import dev.imker.charts.study.AnalysisResult.WindowChoice;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Joins the test windows of every variant into one account per market. */
final class WalkForwardMerge {
  private final Analysis analysis;
  private final List<MarketInfo> markets;
  private final List<WalkForwardSpec.Variant> specs;
  private final Trained trained;

  /** Looks up what the combinations were worth in training. */
  interface Trained {
    Evaluated of(List<PartialResult> done, String market, int variant, int window);
  }

  WalkForwardMerge(
      Analysis analysis,
      List<MarketInfo> markets,
      List<WalkForwardSpec.Variant> specs,
      Trained trained) {
    this.analysis = analysis;
    this.markets = markets;
    this.specs = specs;
    this.trained = trained;
  }

  private record Test(String market, Run run, PartialResult.Outcome outcome) {}

  private record Merged(Variant variant, List<MarketRun> courses) {}

  AnalysisResult merge(List<PartialResult> done, boolean complete) {
    List<Merged> merged = new ArrayList<>();
    for (int v = 0; v < specs.size(); v++) {
      Map<String, List<Test>> tests = tests(done, v);
      if (!tests.isEmpty()) {
        merged.add(variant(v, tests, done));
      }
    }
    merged.sort(Comparator.comparingDouble((Merged m) -> m.variant().worth()).reversed());
    List<String> warnings = new ArrayList<>();
    if (!complete) {
      warnings.add("The analysis was stopped early; this is the result of what was done by then.");
    }
    if (specs.size() > 1) {
      warnings.add(
          "Figures are out of sample; but the best of %d variants was chosen by them."
              .formatted(specs.size()));
    }
    return new AnalysisResult(
        analysis.kind().label(),
        analysis.name(),
        complete,
        analysis.objective().text(),
        markets,
        merged.isEmpty() ? null : choice(merged.getFirst().variant()),
        merged.isEmpty() ? List.of() : merged.getFirst().courses(),
        List.of(),
        null,
        merged.stream().map(Merged::variant).toList(),
        warnings);
  }

  private static Choice choice(Variant variant) {
    return new Choice(Map.of(), variant.worth(), variant.figures(), null);
  }

  /** The test windows of a variant by market, in time order. */
  private Map<String, List<Test>> tests(List<PartialResult> done, int variant) {
    Map<String, List<Test>> tests = new LinkedHashMap<>();
    for (PartialResult result : done) {
      for (int i = 0; i < result.outcomes().size(); i++) {
        Run run = result.unit().runs().get(i);
        if (run.stage() == Run.Stage.FINAL && run.variant() == variant) {
          String market = result.unit().market();
          tests
              .computeIfAbsent(market, m -> new ArrayList<>())
              .add(new Test(market, run, result.outcomes().get(i)));
        }
      }
    }
    tests.values().forEach(list -> list.sort(Comparator.comparingInt(t -> t.run().window())));
    return tests;
  }

  private Merged variant(int index, Map<String, List<Test>> tests, List<PartialResult> done) {
    List<MarketRun> courses = new ArrayList<>();
    List<double[]> figures = new ArrayList<>();
    List<WindowChoice> choices = new ArrayList<>();
    tests.forEach(
        (market, list) -> {
          double[] joined = join(market, list, courses);
          figures.add(joined);
          for (Test test : list) {
            choices.add(choice(test, trained.of(done, market, index, test.run().window())));
          }
        });
    double[] mean = Labelled.mean(figures);
    double worth =
        analysis.across().of(figures.stream().mapToDouble(analysis.objective()::value).toArray());
    Variant variant = new Variant(specs.get(index).label(), worth, Labelled.figures(mean), choices);
    return new Merged(variant, courses);
  }

  private WindowChoice choice(Test test, Evaluated training) {
    long combination = test.run().combinations()[0];
    return new WindowChoice(
        test.market(),
        test.run().window(),
        test.outcome().fromDate(),
        test.outcome().toDate(),
        Labelled.parameters(analysis.space(), combination),
        training.worth(training.place(combination)),
        Labelled.figures(test.outcome().figures()[0]));
  }

  /** Each window goes on with the money of the one before. */
  private double[] join(String market, List<Test> tests, List<MarketRun> courses) {
    double capital = analysis.strategy().terms().capital();
    double money = capital;
    double held = 0;
    double marketGrowth = 1;
    List<Trade> trades = new ArrayList<>();
    double[] curve = new double[tests.stream().mapToInt(t -> t.outcome().curve().length).sum()];
    int at = 0;
    for (Test test : tests) {
      double[] part = test.outcome().curve();
      double scale = money / capital;
      for (double value : part) {
        curve[at++] = value * scale;
      }
      for (Trade trade : test.outcome().trades()) {
        trades.add(scaled(trade, scale));
      }
      double[] figures = test.outcome().figures()[0];
      held += zeroIfMissing(figures[Figure.EXPOSURE.ordinal()]) * part.length;
      marketGrowth *= 1 + zeroIfMissing(figures[Figure.BUY_AND_HOLD.ordinal()]);
      money = at == 0 ? money : curve[at - 1];
    }
    PartialResult.Outcome first = tests.getFirst().outcome();
    PartialResult.Outcome last = tests.getLast().outcome();
    double[] figures =
        CurveFigures.of(
            capital,
            curve,
            LocalDate.parse(first.fromDate()),
            LocalDate.parse(last.toDate()),
            trades,
            held,
            marketGrowth - 1);
    courses.add(
        new MarketRun(
            market,
            first.fromDate(),
            last.toDate(),
            Map.of(),
            Labelled.figures(figures),
            trades,
            tests.getFirst().run().firstBar(),
            curve));
    return figures;
  }

  private static double zeroIfMissing(double value) {
    return Double.isNaN(value) ? 0 : value;
  }

  private static Trade scaled(Trade t, double scale) {
    return new Trade(
        t.side(),
        t.entryBar(),
        t.entryDate(),
        t.entryPrice(),
        t.exitBar(),
        t.exitDate(),
        t.exitPrice(),
        t.units() * scale,
        t.fees() * scale,
        t.profit() * scale,
        t.profitRate(),
        t.open());
  }
}
