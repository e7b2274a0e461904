package dev.imker.charts.pool;

import dev.imker.charts.Cancellation;
import dev.imker.charts.ChartException;
import dev.imker.charts.Progress;
import dev.imker.charts.code.JavaIndicators;
import dev.imker.charts.command.ChartCommands;
import dev.imker.charts.market.CommonCalendar;
import dev.imker.charts.market.CsvMarkets;
import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketInfo;
import dev.imker.charts.market.Markets;
import dev.imker.charts.market.TableText;
import dev.imker.charts.report.IndicatorFiles;
import dev.imker.charts.report.ReportWriter;
import dev.imker.charts.spec.Analysis;
import dev.imker.charts.spec.DataSpec;
import dev.imker.charts.spec.MarketLoader;
import dev.imker.charts.study.AnalysisResult;
import dev.imker.charts.study.PartialResult;
import dev.imker.charts.study.Study;
import dev.imker.charts.study.UnitRunner;
import dev.imker.charts.study.WorkUnit;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * One task of an analysis, in its work folder: candles in {@code data}, results of earlier tasks in
 * {@code parts}, the units of a later round in {@code picked}.
 */
public final class PoolTask {
  public static final String DATA = "data";
  public static final String LIBRARIES = "libraries";
  public static final String PARTS = "parts";
  public static final String PICKED = "picked";

  /** What the tasks of work leave. */
  public static final String PART_FILES = "part-*" + PartFiles.ENDING;

  public static final String PICKED_FILE = "units" + PartFiles.ENDING;
  private static final long BETWEEN_WORDS_NANOS = 2_000_000_000L;

  private final PoolPlan plan;
  private final Path folder;
  private final PrintStream out;
  private final Analysis analysis;
  private final Study study;
  private final Map<String, Market> loaded = new HashMap<>();

  public PoolTask(PoolPlan plan, Path folder, PrintStream out) {
    this.plan = plan;
    this.folder = folder;
    this.out = out;
    this.analysis = plan.analysis();
    this.study = plan.study(analysis);
  }

  // ---------------------------------------------------------------- candles

  /** Each of them is fetched once. */
  private List<Market> markets(List<String> names) {
    Set<String> missing = new LinkedHashSet<>(names);
    missing.removeAll(loaded.keySet());
    List<Market> fetched =
        analysis.data().synthetic() == null
            ? missing.stream().map(this::market).toList()
            : MarketLoader.synthetic(analysis.data(), missing);
    fetched.forEach(market -> loaded.put(market.name(), market));
    return names.stream().map(loaded::get).filter(Objects::nonNull).toList();
  }

  private Market market(String name) {
    DataSpec data = analysis.data();
    String found =
        plan.files().stream()
            .filter(file -> TableText.stem(file).equals(name))
            .findFirst()
            .orElseThrow(() -> new ChartException("The plan has no market '" + name + "'."));
    Path file = folder.resolve(DATA).resolve(found);
    return MarketLoader.cut(CsvMarkets.read(file, data.dialect()), data);
  }

  private JavaIndicators java() {
    return JavaIndicators.of(
        analysis.libraries().stream()
            .map(library -> folder.resolve(LIBRARIES).resolve(fileName(library)))
            .toList());
  }

  /** Under which name a library travels. */
  public static String fileName(String library) {
    return library.replaceAll(".*[/\\\\]", "");
  }

  // ---------------------------------------------------------------- tasks

  /** Works on a part of a round and leaves its results as a file. */
  public void work(int round, int chunk, int chunks) throws IOException {
    List<WorkUnit> units = round == 0 ? study.round(0, List.of()) : picked();
    List<PoolPlan.Chunk> all = plan.chunks(units);
    List<WorkUnit> own = new ArrayList<>();
    for (int i = chunk - 1; i < all.size(); i += chunks) {
      own.addAll(all.get(i).units());
    }
    List<PartialResult> done = run(own);
    PartFiles.write(
        folder.resolve("part-%d-%05d%s".formatted(round, chunk, PartFiles.ENDING)),
        study.joined(done));
  }

  private List<WorkUnit> picked() throws IOException {
    return List.of(PartFiles.read(folder.resolve(PICKED).resolve(PICKED_FILE), WorkUnit[].class));
  }

  /** Finds out what the units of a round are, from the results of those before. */
  public void pick(int round) throws IOException {
    PartFiles.write(folder.resolve(PICKED_FILE), study.round(round, parts()));
  }

  /** Does what is left to do, and writes the report. */
  public void report() throws IOException {
    List<PartialResult> done = new ArrayList<>(parts());
    int next = done.stream().mapToInt(part -> part.unit().round()).max().orElse(-1) + 1;
    for (int round = next; ; round++) {
      List<WorkUnit> units = study.round(round, done);
      if (units.isEmpty()) {
        break;
      }
      done.addAll(run(units));
    }
    write(study.merge(done, true), true, folder);
  }

  /**
   * Writes the report of what there is, after an analysis was ended before its time. Runs nothing
   * of the user, so that a server may do it.
   */
  public void reportUnfinished(Path target) throws IOException {
    write(study.merge(parts(), false), false, target);
  }

  private void write(AnalysisResult result, boolean withIndicators, Path target) {
    List<String> wanted =
        analysis.isPortfolio()
            ? allNames()
            : result.perMarket().stream().map(run -> run.market()).distinct().toList();
    List<Market> traded = markets(wanted);
    Set<String> needed = new LinkedHashSet<>(wanted);
    needed.addAll(analysis.strategy().sources().markets());
    Map<String, String> indicators =
        withIndicators
            ? IndicatorFiles.of(analysis, result, markets(List.copyOf(needed)), java())
            : Map.of();
    ReportWriter.write(result, traded, indicators, analysis.outputs(), target);
    ChartCommands.summary(result, out);
  }

  private List<PartialResult> parts() throws IOException {
    List<PartialResult> all = new ArrayList<>();
    for (Path file : PartFiles.in(folder.resolve(PARTS))) {
      all.addAll(List.of(PartFiles.read(file, PartialResult[].class)));
    }
    return all;
  }

  // ---------------------------------------------------------------- work

  private List<String> traded(List<WorkUnit> units) {
    return analysis.isPortfolio()
        ? allNames()
        : units.stream().map(WorkUnit::market).distinct().toList();
  }

  private List<String> allNames() {
    return plan.markets().stream()
        .map(MarketInfo::name)
        .filter(name -> !analysis.isPortfolio() || !name.equals(CommonCalendar.NAME))
        .toList();
  }

  private List<PartialResult> run(List<WorkUnit> units) {
    Set<String> seen = new LinkedHashSet<>(analysis.strategy().sources().markets());
    List<String> traded = traded(units);
    traded.forEach(seen::remove);
    Markets markets = new Markets(markets(traded), markets(List.copyOf(seen)));
    JavaIndicators java = java();
    long total = units.stream().mapToLong(WorkUnit::steps).sum();
    Words words = new Words(total);
    List<PartialResult> done = new ArrayList<>();
    for (WorkUnit unit : units) {
      done.add(UnitRunner.run(analysis, markets, java, unit, words, Cancellation.NEVER));
      words.unitDone(unit);
    }
    return done;
  }

  /** Tells now and then how far it is. */
  private final class Words implements Progress {
    private final long total;
    private long before;
    private long saidNanos = System.nanoTime();

    Words(long total) {
      this.total = total;
    }

    void unitDone(WorkUnit unit) {
      before += unit.steps();
    }

    @Override
    public void advanced(long stepsDone, long stepsTotal) {
      long now = System.nanoTime();
      if (now - saidNanos > BETWEEN_WORDS_NANOS) {
        saidNanos = now;
        out.printf("%,d of %,d steps%n", before + stepsDone, total);
        out.flush();
      }
    }
  }
}
