package dev.imker.cli.charts;

import dev.imker.charts.ChartException;
import dev.imker.charts.code.IndicatorScan;
import dev.imker.charts.code.JavaIndicators;
import dev.imker.charts.market.CsvMarkets;
import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketInfo;
import dev.imker.charts.market.TableText;
import dev.imker.charts.pool.PoolPlan;
import dev.imker.charts.spec.Analysis;
import dev.imker.charts.spec.AnalysisReader;
import dev.imker.charts.spec.DataSpec;
import dev.imker.charts.spec.MarketLoader;
import dev.imker.charts.spec.SpecException;
import dev.imker.jobfile.draft.JobDialect;
import dev.imker.jobfile.draft.LocalInput;
import dev.imker.jobfile.draft.UnfinishedJob;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.jobfile.findings.Finding;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.Stage;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Chart analyses as jobs: what a file with {@code kind: optimise} and the like becomes. */
public final class ChartJobs implements JobDialect {
  /** Candles of a market: where they come from, and under which name they travel. */
  private record Source(String file, byte[] content, Object origin) {}

  @Override
  public Set<String> kinds() {
    return Set.copyOf(Analysis.Kind.labels());
  }

  @Override
  public Draft read(String fileName, String text, JobFiles files) {
    String file = fileName.replaceAll(".*[/\\\\]", "");
    try {
      Analysis analysis = AnalysisReader.parse(file, text);
      List<Source> sources = sources(analysis.data(), files);
      PoolPlan plan = PoolPlan.of(file, text, names(sources), infos(analysis, sources));
      return draft(analysis, plan, sources, libraries(analysis, files));
    } catch (SpecException e) {
      return Draft.refused(
          new Finding(
              Finding.Severity.ERROR, file, e.line(), e.column(), e.field(), e.problem(), ""));
    } catch (ChartException | IOException e) {
      return Draft.refused(
          new Finding(
              Finding.Severity.ERROR, file, 1, 1, "data", String.valueOf(e.getMessage()), ""));
    }
  }

  @Override
  public boolean reportUnfinished(UnfinishedJob job, Path target) throws IOException {
    UnfinishedChart chart = new UnfinishedChart(job);
    try {
      return chart.isChart()
          && chart.write(target, new PrintStream(OutputStream.nullOutputStream()));
    } catch (ChartException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  // ---------------------------------------------------------------- candles

  private static List<Source> sources(DataSpec data, JobFiles files) throws IOException {
    List<Source> sources = new ArrayList<>();
    String set = data.set();
    if (set != null) {
      for (InputFile input : files.dataSets().files(set)) {
        if (TableText.isTable(input.path())) {
          sources.add(new Source(input.path(), files.dataSets().read(set, input), input));
        }
      }
    }
    for (String written : data.files()) {
      for (JobFiles.Found found : found(written, files)) {
        byte[] content =
            files
                .read(found.source())
                .orElseThrow(() -> new IOException(found.source() + " was not included."));
        sources.add(new Source(lastName(found.source()), content, found));
      }
    }
    return sources;
  }

  private static List<JobFiles.Found> found(String written, JobFiles files) throws IOException {
    List<JobFiles.Found> all =
        search(written, files)
            .orElseThrow(() -> new IOException("The files of the analysis must be included."));
    List<JobFiles.Found> tables =
        all.size() == 1 && all.getFirst().rest().isEmpty()
            ? all
            : all.stream()
                .filter(f -> TableText.isTable(f.rest()) && !f.rest().contains("/"))
                .toList();
    if (tables.isEmpty()) {
      throw new IOException("There is no file with candles: " + written + ".");
    }
    return tables;
  }

  /** Looked through for the indicators that the analysis wants, and not run here. */
  private static List<JobFiles.Found> libraries(Analysis analysis, JobFiles files)
      throws IOException {
    List<JobFiles.Found> libraries = new ArrayList<>();
    List<IndicatorScan.Found> indicators = new ArrayList<>();
    for (String written : analysis.libraries()) {
      List<JobFiles.Found> found = search(written, files).orElse(List.of());
      if (found.size() != 1) {
        throw new IOException(
            "libraries: '%s' is not a file, or was not included.".formatted(written));
      }
      String source = found.getFirst().source();
      byte[] jar =
          files.read(source).orElseThrow(() -> new IOException(source + " was not included."));
      indicators.addAll(IndicatorScan.of(lastName(source), jar));
      libraries.add(found.getFirst());
    }
    analysis.check(JavaIndicators.found(indicators));
    return libraries;
  }

  private static Optional<List<JobFiles.Found>> search(String written, JobFiles files)
      throws IOException {
    try {
      return files.find(written);
    } catch (IOException e) {
      throw new IOException("'%s' cannot be used: %s.".formatted(written, e.getMessage()), e);
    }
  }

  private static String lastName(String path) {
    return path.replaceAll(".*[/\\\\]", "");
  }

  private static List<String> names(List<Source> sources) {
    return sources.stream().map(Source::file).toList();
  }

  private static List<MarketInfo> infos(Analysis analysis, List<Source> sources) {
    DataSpec data = analysis.data();
    if (data.synthetic() != null) {
      return analysis.infos(MarketLoader.local(Path.of("")).load(data));
    }
    List<Market> markets = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (Source source : sources) {
      Market market = CsvMarkets.read(Path.of(source.file), source.content, data.dialect());
      if (!names.add(market.name())) {
        throw new ChartException(
            "Two files are named '%s'; markets need different names.".formatted(market.name()));
      }
      markets.add(MarketLoader.cut(market, data));
    }
    return analysis.infos(markets);
  }

  // ---------------------------------------------------------------- stages

  private static Draft draft(
      Analysis analysis, PoolPlan plan, List<Source> sources, List<JobFiles.Found> libraries) {
    List<Stage> stages = new ChartStages(plan).all();
    List<LocalInput> local = new ArrayList<>();
    List<Stage> complete = new ArrayList<>();
    for (int i = 0; i < stages.size(); i++) {
      Stage stage = stages.get(i);
      List<InputFile> stored = new ArrayList<>();
      if (!ChartStages.isWithoutData(stage)) {
        for (Source source : sources) {
          String path = ChartStages.DATA + "/" + source.file;
          switch (source.origin) {
            case InputFile kept -> stored.add(new InputFile(path, kept.blob(), kept.size(), false));
            case JobFiles.Found found ->
                local.add(new LocalInput(i, found.source(), path, found.size(), false, "", ""));
            default -> throw new IllegalStateException("candles from nowhere");
          }
        }
      }
      if (!ChartStages.isWithoutData(stage)) {
        for (JobFiles.Found library : libraries) {
          String path = ChartStages.LIBRARIES + "/" + lastName(library.source());
          local.add(new LocalInput(i, library.source(), path, library.size(), false, "", ""));
        }
      }
      complete.add(stage.withFiles(stored, stage.outputs()));
    }
    return new Draft(analysis.name(), complete, local, List.of());
  }
}
