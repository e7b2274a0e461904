package dev.imker.cli.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.imker.charts.market.MarketCsvWriter;
import dev.imker.charts.market.MarketModel;
import dev.imker.charts.market.SyntheticMarkets;
import dev.imker.charts.pool.ChartKind;
import dev.imker.charts.pool.PoolPlan;
import dev.imker.charts.pool.PoolTask;
import dev.imker.charts.pool.PoolTaskMain;
import dev.imker.cli.PoolFixture;
import dev.imker.jobfile.JobFileReader;
import dev.imker.jobfile.draft.JobDialect;
import dev.imker.jobfile.draft.JobDraft;
import dev.imker.jobfile.draft.LocalInput;
import dev.imker.jobfile.draft.Reading;
import dev.imker.jobfile.draft.UnfinishedJob;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.model.InputException;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.kind.TaskKind;
import dev.imker.tasks.charts.Candles;
import dev.imker.tasks.charts.Indicator;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of chart analyses are job files. */
class ChartJobsTest {
  private static final String LARGE =
      """
      kind: optimise
      name: Large search
      project: charts
      priority: 7
      data: {folder: candles}
      strategy:
        indicators: {quick: {ema: {from: 2, to: 201}}, calm: {sma: {from: 2, to: 401}}}
        enter: {crossed-up: [quick, calm]}
        exit: {crossed-down: [quick, calm]}
      tasks: 8
      """;

  @TempDir Path folder;

  private Reading read(String text, Map<String, String> settings) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return JobFileReader.read("large.yaml", bytes, JobFiles.in(folder), settings);
  }

  @Test
  void a_large_analysis_becomes_many_tasks_and_one_that_reports() {
    SyntheticMarkets.generate(2, 5, 1, MarketModel.MIXED)
        .forEach(market -> MarketCsvWriter.write(market, folder.resolve("candles")));
    Reading reading = read(LARGE, Map.of("priority", "2"));
    assertThat(reading.findings()).isEmpty();
    JobDraft job = reading.jobs().getFirst();
    assertThat(job.spec().name()).isEqualTo("Large-search");
    assertThat(job.spec().project()).isEqualTo("charts");
    assertThat(job.spec().priority()).isEqualTo(2);
    assertThat(job.spec().stages()).extracting(Stage::name).containsExactly("work-0", "report");
    assertThat(job.spec().stages().getFirst().taskCount()).isBetween(8L, 10L);
    assertThat(job.files()).hasSize(4).extracting(LocalInput::path).contains("data/SYN-01.csv");
  }

  @Test
  void an_analysis_is_a_kind_of_jobs_that_takes_other_candles() throws IOException {
    SyntheticMarkets.generate(2, 5, 1, MarketModel.MIXED)
        .forEach(market -> MarketCsvWriter.write(market, folder.resolve("mine")));
    TaskKind chart = new ChartKind();
    Map<String, Object> job =
        new LinkedHashMap<>(chart.job(Map.of("analysis", LARGE, "candles", "mine")));
    job.put("imker", 1);
    job.put("env", Map.of("IMKER_KIND", "chart"));
    Reading reading = read(new ObjectMapper().writeValueAsString(job), Map.of());
    assertThat(reading.findings()).isEmpty();
    JobDraft draft = reading.jobs().getFirst();
    assertThat(draft.files())
        .extracting(LocalInput::source)
        .anyMatch(source -> source.endsWith("mine/SYN-01.csv"));
    assertThat(draft.spec().stages())
        .allSatisfy(
            stage ->
                assertThat(stage.env())
                    .containsEntry("IMKER_KIND", "chart")
                    .containsKey(PoolTaskMain.PLAN));
    assertThat(chart.job(Map.of("analysis", LARGE)).get("data"))
        .isEqualTo(Map.of("folder", "candles"));
    assertThatThrownBy(() -> chart.job(Map.of("analysis", LARGE.replace("enter", "entre"))))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("analysis, line 8");
    assertThat(chart.problems(Map.of("candles", "a", "set", "b"))).hasSize(1);
    assertThat(ServiceLoader.load(TaskKind.class)).hasAtLeastOneElementOfType(ChartKind.class);
  }

  /** What a user would write. */
  public static final class Mine {
    private Mine() {}

    @Indicator(name = "mine", parameters = "bars")
    public static double[] values(Candles candles, int bars) {
      return bars > 1 ? candles.open() : candles.close();
    }
  }

  private void library() throws IOException {
    String name = Mine.class.getName().replace('.', '/') + ".class";
    try (OutputStream out = Files.newOutputStream(folder.resolve("mine.jar"));
        JarOutputStream jar = new JarOutputStream(out);
        InputStream in =
            Objects.requireNonNull(Mine.class.getClassLoader().getResourceAsStream(name))) {
      jar.putNextEntry(new ZipEntry(name));
      in.transferTo(jar);
    }
  }

  @Test
  void libraries_go_along_with_the_tasks_and_are_looked_through_before() throws IOException {
    String text =
        """
        kind: backtest
        data: {synthetic: {markets: 1, years: 2}}
        libraries: [mine.jar]
        strategy:
          enter: {over: [{java: {name: mine, bars: 3}}, 0]}
          exit: {bars-held: 3}
        """;
    assertThat(read(text, Map.of()).findings().getFirst().message()).contains("mine.jar");
    library();
    Reading reading = read(text, Map.of());
    assertThat(reading.findings()).isEmpty();
    assertThat(reading.jobs().getFirst().files())
        .extracting(LocalInput::path)
        .containsExactly("libraries/mine.jar");
    assertThat(read(text.replace("bars: 3", "bras: 3"), Map.of()).findings().getFirst().message())
        .contains("no parameter 'bras'. Did you mean 'bars'?");
  }

  @Test
  void what_is_done_of_an_unfinished_analysis_becomes_a_report() throws IOException {
    String text =
        LARGE
            .replace("folder: candles", "synthetic: {markets: 2, years: 3, seed: 1, model: mixed}")
            .replace("to: 201", "to: 31");
    JobSpec spec = read(text, Map.of()).jobs().getFirst().spec();
    Stage work = spec.stages().getFirst();
    PoolPlan plan = PoolPlan.decode(work.env().getOrDefault(PoolTaskMain.PLAN, ""));
    Path task = Files.createDirectories(folder.resolve("task"));
    int chunks = Math.toIntExact(work.taskCount());
    new PoolTask(plan, task, new PrintStream(OutputStream.nullOutputStream())).work(0, 1, chunks);
    Path report = folder.resolve("report");
    assertThat(JobDialect.reportUnfinishedByAny(new Left(spec, task), report)).isTrue();
    assertThat(PoolFixture.json(Files.readString(report.resolve("result.json"))).path("complete"))
        .as("complete")
        .isEqualTo(BooleanNode.FALSE);
    assertThat(JobDialect.reportUnfinishedByAny(new Left(spec, folder.resolve("none")), report))
        .isFalse();
  }

  /** A job whose only finished task left its results in a folder. */
  private record Left(JobSpec spec, Path task) implements UnfinishedJob {
    @Override
    public void fetchInput(InputFile input, Path target) {
      throw new AssertionError("synthetic markets have no files");
    }

    @Override
    public int fetchResults(String namePrefix, Path target) throws IOException {
      if (!Files.exists(task)) {
        return 0;
      }
      try (Stream<Path> files = Files.list(task)) {
        List<Path> parts =
            files.filter(f -> f.getFileName().toString().startsWith(namePrefix)).toList();
        for (Path part : parts) {
          Files.copy(part, target.resolve(part.getFileName()));
        }
        return parts.size();
      }
    }
  }

  @Test
  void mistakes_are_told_with_their_place_and_the_nearest_name() {
    Reading reading = read(LARGE.replace("crossed-up", "crosed-up"), Map.of());
    assertThat(reading.isValid()).isFalse();
    assertThat(reading.findings().getFirst().toString())
        .startsWith("large.yaml:8:")
        .contains("Did you mean 'crossed-up'?");
  }

  @Test
  void a_misspelt_kind_is_the_only_mistake() {
    Reading reading = read(LARGE.replace("kind: optimise", "kind: optimize"), Map.of());
    assertThat(reading.findings()).hasSize(1);
    assertThat(reading.findings().getFirst().toString())
        .startsWith("large.yaml:1:7: kind:")
        .contains("Did you mean 'optimise'?");
  }

  @Test
  void candles_that_are_not_there_are_a_mistake() {
    Reading reading = read(LARGE, Map.of());
    assertThat(reading.findings().getFirst().toString()).contains("no file with candles");
    assertThat(read(LARGE.replace("folder: candles", "set: daily"), Map.of()).findings())
        .hasSize(1);
  }
}
