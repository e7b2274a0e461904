package dev.imker.charts.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.charts.Cancellation;
import dev.imker.charts.Progress;
import dev.imker.charts.code.JavaIndicators;
import dev.imker.charts.code.Libraries;
import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketCsvWriter;
import dev.imker.charts.market.MarketModel;
import dev.imker.charts.market.SyntheticMarkets;
import dev.imker.charts.spec.Analysis;
import dev.imker.charts.spec.AnalysisReader;
import dev.imker.charts.spec.MarketLoader;
import dev.imker.charts.study.ChartJson;
import dev.imker.charts.study.LocalRun;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An analysis done by many tasks comes to the same as on one machine. */
class PoolTaskTest {
  private static final String STRATEGY =
      """
      strategy:
        indicators:
          quick: {ema: {from: 3, to: 21, step: 2}}
          calm: {sma: {from: 30, to: 60, step: 10}}
        enter: {crossed-up: [quick, calm]}
        exit: [{crossed-down: [quick, calm]}, {stop-loss: 8}]
      """;
  private static final PrintStream NOWHERE = new PrintStream(PrintStream.nullOutputStream());

  @TempDir Path folder;

  private static String text(String kind, String data, String rest) {
    return "kind: %s\ndata: %s\n%s%sreport: {formats: [json, csv]}\n"
        .formatted(kind, data, STRATEGY, rest);
  }

  private static PoolPlan plan(String text, List<Market> markets, List<String> files) {
    return PoolPlan.of("a.yaml", text, files, markets.stream().map(Market::info).toList())
        .withStepsPerUnit(5_000);
  }

  private Path workFolder(String name, Path data) throws IOException {
    Path work = Files.createDirectories(folder.resolve(name));
    if (!Files.exists(work.resolve(PoolTask.DATA)) && Files.exists(data)) {
      Files.createSymbolicLink(work.resolve(PoolTask.DATA), data);
    }
    return work;
  }

  /** Copies what tasks left into the folder of another one, as the agents do. */
  private void bring(String from, String pattern, String to, String into) throws IOException {
    Path target = Files.createDirectories(folder.resolve(to).resolve(into));
    try (Stream<Path> all = Files.list(folder)) {
      for (Path work : all.filter(f -> f.getFileName().toString().startsWith(from)).toList()) {
        try (Stream<Path> files = Files.list(work)) {
          for (Path file : files.filter(f -> f.toString().endsWith(pattern)).toList()) {
            Files.copy(file, target.resolve(file.getFileName()));
          }
        }
      }
    }
  }

  private String byManyTasks(PoolPlan sent, Path data) throws IOException {
    PoolPlan plan = PoolPlan.decode(sent.encode());
    List<List<PoolPlan.Chunk>> rounds = plan.rounds();
    for (int round = 0; round < rounds.size(); round++) {
      int chunks = rounds.get(round).size();
      if (round > 0) {
        String pick = "pick-" + round;
        Path work = workFolder(pick, data);
        bring("work-", PartFiles.ENDING, pick, PoolTask.PARTS);
        new PoolTask(plan, work, NOWHERE).pick(round);
      }
      for (int chunk = chunks; chunk >= 1; chunk--) {
        String name = "work-" + round + "-" + chunk;
        Path work = workFolder(name, data);
        if (round > 0) {
          bring("pick-" + round, PartFiles.ENDING, name, PoolTask.PICKED);
        }
        new PoolTask(plan, work, NOWHERE).work(round, chunk, chunks);
      }
    }
    Path last = workFolder("report", data);
    bring("work-", PartFiles.ENDING, "report", PoolTask.PARTS);
    new PoolTask(plan, last, NOWHERE).report();
    return Files.readString(last.resolve("result.json"));
  }

  private static String alone(PoolPlan plan, List<Market> markets) {
    return alone(plan, markets, JavaIndicators.NONE);
  }

  private static String alone(PoolPlan plan, List<Market> markets, JavaIndicators java) {
    Analysis analysis = plan.analysis();
    return ChartJson.write(
        new LocalRun(analysis, markets, java, 2, Progress.SILENT, Cancellation.NEVER).run());
  }

  /** With another market to look at, longer bars, and an indicator in Java. */
  @Test
  void tasks_bring_along_what_rules_look_at() throws IOException {
    List<Market> markets = SyntheticMarkets.generate(3, 6, 4, MarketModel.MIXED);
    Path data = folder.resolve("candles");
    List<String> files =
        markets.stream()
            .map(market -> MarketCsvWriter.write(market, data).getFileName().toString())
            .toList();
    Path jar =
        Libraries.of(
            folder,
            """
            @Indicator(name = "gain", parameters = "bars")
            public static double[] gain(Candles c, int bars) {
              double[] r = new double[c.bars()];
              for (int i = 0; i < r.length; i++) {
                r[i] = i < bars ? Double.NaN : c.close()[i] / c.close()[i - bars] - 1;
              }
              return r;
            }
            """);
    String text =
        """
        kind: optimise
        data: {files: ["*.csv"], watch: SYN-02}
        libraries: [some/mine.jar]
        strategy:
          indicators:
            gain: {java: {name: gain, bars: {from: 2, to: 60}}}
            week: {timeframe: {bars: week, of: {sma: {from: 2, to: 10}}}}
            index: {market: {name: SYN-02, of: {sma: 30}}}
          enter: [{over: [gain, 0]}, {over: [close, week]}, {over: [{market: {name: SYN-02}}, index]}]
          exit: {under: [gain, 0]}
        report: {formats: [json, csv]}
        """;
    Analysis analysis = AnalysisReader.parse("a.yaml", text);
    PoolPlan plan =
        PoolPlan.of("a.yaml", text, files, analysis.infos(markets)).withStepsPerUnit(100_000);
    assertThat(plan.rounds().getFirst()).hasSizeGreaterThan(2);
    List<String> tasks = new ArrayList<>(List.of("report"));
    for (int chunk = 1; chunk <= plan.rounds().getFirst().size(); chunk++) {
      tasks.add("work-0-" + chunk);
    }
    for (String task : tasks) {
      Path libraries = Files.createDirectories(folder.resolve(task).resolve(PoolTask.LIBRARIES));
      Files.copy(jar, libraries.resolve("mine.jar"));
    }
    String result = byManyTasks(plan, data);
    assertThat(result).isEqualTo(alone(plan, markets, JavaIndicators.of(List.of(jar))));
    assertThat(result).contains("SYN-01").doesNotContain("\"market\":\"SYN-02\"");
    assertThat(folder.resolve("report/indicators/SYN-01.csv"))
        .content()
        .startsWith("date,close,gain,week,index\n");
    assertThat(folder.resolve("report/indicators/SYN-02.csv")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "optimise|",
        "optimise|optimise: {search: {halton: {budget: 25}}, select: robust}\n",
        "optimise|optimise: {search: {halving: {budget: 40, factor: 2}}}\n",
        "optimise|optimise: {search: {evolution: {budget: 30, generation: 10}}}\n",
        "walk-forward|walk-forward: {train: [200, 300], test: 100, select: [best, robust]}\n",
      })
  void many_tasks_and_one_machine_come_to_the_same(String analysis) throws IOException {
    String[] parts = analysis.split("\\|", 2);
    String data = "{synthetic: {markets: 3, years: 3, seed: 9, model: mixed}}";
    String text = text(parts[0], data, parts[1]);
    PoolPlan first = PoolPlan.of("a.yaml", text, List.of(), List.of());
    List<Market> markets = MarketLoader.local(folder).load(first.analysis().data());
    PoolPlan plan = plan(text, markets, List.of());
    assertThat(plan.rounds().getFirst().size()).isGreaterThan(2);
    assertThat(byManyTasks(plan, folder.resolve("none"))).isEqualTo(alone(plan, markets));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "optimise|",
        "walk-forward|walk-forward: {train: [200, 300], test: 100}\n",
      })
  void tasks_of_a_portfolio_have_all_its_markets(String analysis) throws IOException {
    String[] parts = analysis.split("\\|", 2);
    Path data = Files.createDirectories(folder.resolve("candles"));
    List<String> files =
        SyntheticMarkets.generate(3, 3, 5, MarketModel.MIXED).stream()
            .map(market -> MarketCsvWriter.write(market, data).getFileName().toString())
            .toList();
    String text =
        text(parts[0], "{folder: candles}", parts[1])
            .replace(
                "  indicators:",
                "  portfolio: {positions: [1, 2], rank: {roc: 20}, rebalance: weekly}\n"
                    + "  indicators:");
    Analysis read = AnalysisReader.parse("a.yaml", text);
    List<Market> markets = MarketLoader.local(folder).load(read.data());
    PoolPlan plan = PoolPlan.of("a.yaml", text, files, read.infos(markets)).withStepsPerUnit(5_000);
    assertThat(plan.rounds().getFirst().size()).isGreaterThan(2);
    assertThat(byManyTasks(plan, data)).isEqualTo(alone(plan, markets)).contains("\"portfolio\"");
    assertThat(folder.resolve("report/contributions.csv"))
        .content()
        .contains("market,closed trades");
  }

  @Test
  void candles_travel_as_files_and_are_cut_as_the_analysis_says() throws IOException {
    Path data = Files.createDirectories(folder.resolve("candles"));
    List<Market> whole = SyntheticMarkets.generate(4, 3, 5, MarketModel.TREND);
    List<String> files =
        whole.stream()
            .map(market -> MarketCsvWriter.write(market, data).getFileName().toString())
            .toList();
    String from = whole.getFirst().date(200).toString();
    String text = text("optimise", "{folder: candles, from: " + from + "}", "");
    PoolPlan empty = PoolPlan.of("a.yaml", text, List.of(), List.of());
    List<Market> markets = MarketLoader.local(folder).load(empty.analysis().data());
    PoolPlan plan = plan(text, markets, files);
    assertThat(byManyTasks(plan, data)).isEqualTo(alone(plan, markets));
  }

  @Test
  void what_is_small_is_one_task() {
    String text =
        """
        kind: backtest
        data: {synthetic: {markets: 20, years: 15, seed: 1, model: mixed}}
        strategy: {enter: {over: [close, {sma: 20}]}, exit: {under: [close, {sma: 20}]}}
        """;
    PoolPlan empty = PoolPlan.of("a.yaml", text, List.of(), List.of());
    List<Market> markets = MarketLoader.local(folder).load(empty.analysis().data());
    PoolPlan plan =
        PoolPlan.of("a.yaml", text, List.of(), markets.stream().map(Market::info).toList());
    assertThat(plan.rounds()).isEmpty();
  }

  @Test
  void a_report_of_some_parts_says_that_it_is_not_complete() throws IOException {
    String data = "{synthetic: {markets: 3, years: 3, seed: 9, model: mixed}}";
    String text = text("optimise", data, "");
    PoolPlan empty = PoolPlan.of("a.yaml", text, List.of(), List.of());
    List<Market> markets = MarketLoader.local(folder).load(empty.analysis().data());
    PoolPlan plan = plan(text, markets, List.of());
    int chunks = plan.rounds().getFirst().size();
    Path work = workFolder("work-0-1", folder.resolve("none"));
    new PoolTask(plan, work, NOWHERE).work(0, 1, chunks);
    Path last = workFolder("report", folder.resolve("none"));
    bring("work-", PartFiles.ENDING, "report", PoolTask.PARTS);
    new PoolTask(plan, last, NOWHERE).reportUnfinished(folder.resolve("partial"));
    assertThat(folder.resolve("partial/result.json"))
        .content()
        .contains("\"complete\":false", "stopped early");
  }
}
