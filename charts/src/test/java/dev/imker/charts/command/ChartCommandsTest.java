package dev.imker.charts.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.charts.Cancellation;
import dev.imker.charts.ChartException;
import dev.imker.charts.Progress;
import dev.imker.charts.study.AnalysisResult;
import dev.imker.charts.study.ChartJson;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.zip.ZipFile;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import org.dhatim.fastexcel.reader.ReadableWorkbook;
import org.dhatim.fastexcel.reader.Row;
import org.dhatim.fastexcel.reader.Sheet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChartCommandsTest {
  @TempDir Path folder;
  private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);

  private AnalysisResult run(Path yaml) {
    return ChartCommands.run(
        yaml, folder.resolve("out"), 2, false, out, Progress.SILENT, Cancellation.NEVER);
  }

  private Path optimisation() throws IOException {
    ChartCommands.generateData(folder.resolve("data"), 2, 3, 9, "mean-reversion", out);
    return Files.writeString(
        folder.resolve("dip.yaml"),
        """
        kind: optimise
        name: Buy the <dip>
        data: {folder: data, from: 2010-06-01}
        strategy:
          indicators: {r: {rsi: {from: 2, to: 6, step: 1}}}
          enter: {under: [r, {from: 10, to: 30, step: 10}]}
          exit: [{over: [r, 60]}, {days-held: 21}]
        """);
  }

  @Test
  void an_optimisation_leaves_a_complete_report() throws Exception {
    AnalysisResult result = run(optimisation());
    Path report = folder.resolve("out");
    assertThat(result.complete()).isTrue();
    assertThat(printed.toString(StandardCharsets.UTF_8)).contains("best by sharpe", "SYN-02");
    for (String name : List.of("heat-map", "equity", "equity-SYN-01", "price-SYN-02")) {
      BufferedImage png = ImageIO.read(report.resolve("pictures/" + name + ".png").toFile());
      assertThat(png.getWidth()).isEqualTo(1000);
      checkXml(report.resolve("pictures/" + name + ".svg"));
    }
    assertThat(Files.readAllLines(report.resolve("surface.csv"))).hasSize(1 + 15);
    assertThat(Files.readString(report.resolve("trades.csv"))).contains("SYN-01,long,2010-");
    AnalysisResult read =
        ChartJson.read(Files.readString(report.resolve("result.json")), AnalysisResult.class);
    assertThat(read.best()).isEqualTo(result.best());
  }

  private static void checkXml(Path file) throws Exception {
    try (InputStream in = Files.newInputStream(file)) {
      var document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(in);
      assertThat(document.getDocumentElement().getTagName()).isEqualTo("svg");
    }
  }

  @Test
  void the_spreadsheet_has_all_sheets_and_pictures() throws IOException {
    AnalysisResult result = run(optimisation());
    Path file = folder.resolve("out/report.xlsx");
    try (ReadableWorkbook workbook = new ReadableWorkbook(Files.newInputStream(file))) {
      assertThat(workbook.getSheets().map(Sheet::getName))
          .containsExactly(
              "summary",
              "rules",
              "months",
              "draw-downs",
              "exits",
              "luck",
              "markets",
              "surface",
              "best per market",
              "trades",
              "equity",
              "pictures");
      Sheet surface = workbook.findSheet("surface").orElseThrow();
      List<Row> rows = surface.read();
      assertThat(rows).hasSize(16);
      assertThat(rows.get(1).getCellAsNumber(2).orElseThrow().doubleValue())
          .isEqualTo(Objects.requireNonNull(result.best()).worth());
    }
    try (var zip = new ZipFile(file.toFile())) {
      assertThat(zip.stream().filter(e -> e.getName().startsWith("xl/media/")).count())
          .isEqualTo(6);
    }
  }

  @Test
  void the_page_needs_nothing_from_outside_and_escapes_names() throws IOException {
    run(optimisation());
    String html = Files.readString(folder.resolve("out/report.html"));
    assertThat(html).contains("<h1>Buy the &lt;dip&gt;</h1>", "<svg", "</html>");
    assertThat(html.replace("http://www.w3.org/2000/svg", ""))
        .doesNotContain("http:", "https:", "src=", "<link", "<script src", "import ", "<dip>");
  }

  @Test
  void only_the_wanted_formats_are_written() throws IOException {
    Path yaml = optimisation();
    Files.writeString(yaml, Files.readString(yaml) + "report: {formats: [json]}\n");
    run(yaml);
    try (var files = Files.list(folder.resolve("out"))) {
      assertThat(files.map(f -> String.valueOf(f.getFileName())))
          .containsExactlyInAnyOrder("result.json", "prices");
    }
  }

  @Test
  void the_candles_of_every_course_lie_beside_the_result() throws IOException {
    run(optimisation());
    AnalysisResult result =
        ChartJson.read(Files.readString(folder.resolve("out/result.json")), AnalysisResult.class);
    AnalysisResult.MarketRun course = result.perMarket().getFirst();
    List<String> lines =
        Files.readAllLines(folder.resolve("out/prices/" + course.market() + ".csv"));
    assertThat(lines).hasSize(course.curve().length + 1);
    assertThat(lines.getFirst()).isEqualTo("date,open,high,low,close");
    assertThat(lines.get(1))
        .startsWith(course.fromDate() + ",")
        .matches("[^,]+(,\\d+(\\.\\d+)?){4}");
    assertThat(lines.getLast()).startsWith(course.toDate() + ",");
  }

  @ParameterizedTest
  @ValueSource(strings = {"golden-cross", "rsi-optimise", "walk-forward"})
  void the_examples_run(String name) {
    Path examples = Path.of(System.getProperty("imker.root", "..")).resolve("examples/charts");
    AnalysisResult result = run(examples.resolve(name + ".yaml"));
    assertThat(result.complete()).isTrue();
    assertThat(result.perMarket()).isNotEmpty();
    assertThat(folder.resolve("out/report.html")).isNotEmptyFile();
  }

  @Test
  void a_check_tells_what_would_be_done() throws IOException {
    ChartCommands.check(optimisation(), out);
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .contains("SYN-01:", "r: 5 values", "15 combinations");
  }

  @Test
  void indicators_are_listed_with_what_they_take() {
    ChartCommands.indicators(out);
    assertThat(printed.toString(StandardCharsets.UTF_8))
        .contains("sma: {[of], bars}", "bollinger-upper: {[of], [bars], [k]}");
  }

  @Test
  void an_unknown_model_gets_a_suggestion() {
    assertThatThrownBy(() -> ChartCommands.generateData(folder, 1, 1, 1, "trends", out))
        .hasMessage("Unknown model 'trends'. Did you mean 'trend'?");
  }

  @Test
  void missing_data_are_told() throws IOException {
    Path yaml = optimisation();
    Files.writeString(yaml, Files.readString(yaml).replace("folder: data", "files: nothing.csv"));
    assertThatThrownBy(() -> run(yaml))
        .isInstanceOf(ChartException.class)
        .hasMessageContaining("There is no file");
  }
}
