package dev.imker.charts.study;

import dev.imker.charts.market.MarketInfo;
import dev.imker.charts.search.Evaluated;
import dev.imker.charts.spec.Analysis;
import dev.imker.charts.spec.WalkForwardSpec;
import dev.imker.charts.study.AnalysisResult.Choice;
import dev.imker.charts.study.AnalysisResult.MarketRun;
import dev.imker.charts.study.AnalysisResult.Variant;
import dev.imker.charts.study.AnalysisResult.WindowChoice;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Gathers what every variant came to on each market. */
record WalkForwardMerge(
    Analysis analysis,
    List<MarketInfo> markets,
    List<WalkForwardSpec.Variant> specs,
    Trained trained) {
  /** Looks up what the combinations were worth in training. */
  interface Trained {
    Evaluated of(List<PartialResult> done, String market, int variant, int window);
  }

  private record Test(String market, Run run, PartialResult.Outcome outcome) {}

  private record Merged(Variant variant, List<MarketRun> courses) {}

  AnalysisResult merge(List<PartialResult> done, boolean complete) {
    List<Merged> merged = new ArrayList<>();
    for (int v = 0; v < specs.size(); v++) {
      Map<String, Test> tests = tests(done, v);
      if (!tests.isEmpty()) {
        merged.add(variant(v, tests, done));
      }
    }
    merged.sort(Comparator.comparingDouble((Merged m) -> m.variant().worth()).reversed());
    List<String> warnings = new ArrayList<>(PartialResult.notes(done));
    if (!complete) {
      warnings.add(
          "The analysis was stopped early; this result covers what was computed until then.");
    }
    if (specs.size() > 1) {
      warnings.add(
          "Figures are out of sample, but were used to choose the best of %d variants."
              .formatted(specs.size()));
    }
    List<MarketRun> courses = merged.isEmpty() ? List.of() : merged.getFirst().courses();
    return new AnalysisResult(
        analysis.kind().label(),
        analysis.name(),
        complete,
        analysis.objective().text(),
        Map.of(),
        markets,
        merged.isEmpty() ? null : choice(merged.getFirst().variant()),
        courses,
        List.of(),
        null,
        merged.stream().map(Merged::variant).toList(),
        new LuckTests(analysis).of(List.of(), courses, null),
        warnings);
  }

  private static Choice choice(Variant variant) {
    return new Choice(Map.of(), variant.worth(), variant.figures(), null);
  }

  /** The walk of a variant through each market. */
  private static Map<String, Test> tests(List<PartialResult> done, int variant) {
    Map<String, Test> tests = new LinkedHashMap<>();
    for (PartialResult result : done) {
      for (int i = 0; i < result.outcomes().size(); i++) {
        Run run = result.unit().runs().get(i);
        if (run.stage() == Run.Stage.FINAL && run.variant() == variant) {
          String market = result.unit().market();
          tests.put(market, new Test(market, run, result.outcomes().get(i)));
        }
      }
    }
    return tests;
  }

  private Merged variant(int index, Map<String, Test> tests, List<PartialResult> done) {
    List<MarketRun> courses = new ArrayList<>();
    List<double[]> figures = new ArrayList<>();
    List<WindowChoice> choices = new ArrayList<>();
    tests.forEach(
        (market, test) -> {
          courses.add(course(test));
          figures.add(test.outcome().figures()[0]);
          for (int w = 0; w < test.outcome().legs().size(); w++) {
            choices.add(choice(test, w, trained.of(done, market, index, w)));
          }
        });
    double[] mean = Labelled.mean(figures);
    double worth =
        analysis.across().of(figures.stream().mapToDouble(analysis.objective()::value).toArray());
    Variant variant = new Variant(specs.get(index).label(), worth, Labelled.figures(mean), choices);
    return new Merged(variant, courses);
  }

  private WindowChoice choice(Test test, int window, Evaluated training) {
    long combination = test.run().combinations()[window];
    PartialResult.LegOutcome leg = test.outcome().legs().get(window);
    return new WindowChoice(
        test.market(),
        window,
        leg.fromDate(),
        leg.toDate(),
        Labelled.parameters(analysis.space(), combination),
        training.worth(training.place(combination)),
        Labelled.figures(leg.figures()));
  }

  private static MarketRun course(Test test) {
    PartialResult.Outcome outcome = test.outcome();
    return new MarketRun(
        test.market(),
        outcome.fromDate(),
        outcome.toDate(),
        Map.of(),
        Labelled.figures(outcome.figures()[0]),
        outcome.trades(),
        test.run().firstBar(),
        outcome.curve());
  }
}
