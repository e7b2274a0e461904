package dev.imker.charts.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.imker.charts.Cancellation;
import dev.imker.charts.Progress;
import dev.imker.charts.market.Market;
import dev.imker.charts.market.MarketModel;
import dev.imker.charts.market.SyntheticMarkets;
import dev.imker.charts.outcome.Trade;
import dev.imker.charts.report.DrawDowns.Fall;
import dev.imker.charts.spec.Analysis;
import dev.imker.charts.spec.Analysis.Output;
import dev.imker.charts.spec.AnalysisReader;
import dev.imker.charts.study.AnalysisResult;
import dev.imker.charts.study.AnalysisResult.MarketRun;
import dev.imker.charts.study.LocalRun;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.dhatim.fastexcel.reader.ReadableWorkbook;
import org.dhatim.fastexcel.reader.ReadingOptions;
import org.dhatim.fastexcel.reader.Row;
import org.dhatim.fastexcel.reader.Sheet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What bosses are shown. */
class ReportTest {
  @TempDir Path folder;

  private static MarketRun run(String market, double... curve) {
    return new MarketRun(market, "", "", Map.of(), Map.of(), List.of(), 0, curve);
  }

  private static Market daily(String name, LocalDate first, double... closes) {
    int[] days = new int[closes.length];
    for (int i = 0; i < days.length; i++) {
      days[i] = (int) first.toEpochDay() + i;
    }
    return new Market(name, days, closes, closes, closes, closes, new double[closes.length]);
  }

  @Test
  void falls_are_from_peak_to_lowest_to_recovery_the_deepest_first() {
    double[] curve = {100, 110, 99, 104.5, 110, 120, 60, 90, 80};
    assertThat(DrawDowns.of(curve))
        .containsExactly(new Fall(0.5, 5, 6, -1), new Fall(1 - 99 / 110.0, 1, 2, 4));
  }

  /** By hand: b begins a day later, is ruined on the next, and ends there. */
  @Test
  void the_mean_account_counts_who_has_not_begun_and_who_is_ruined() {
    LocalDate first = LocalDate.of(2020, 1, 1);
    MeanAccount mean =
        MeanAccount.of(
            List.of(run("a", 100, 110, 120, 130), run("b", 100, 0), run("none")),
            Map.of("a", daily("a", first, 1, 1, 1, 1), "b", daily("b", first.plusDays(1), 1, 1)));
    assertThat(mean.worth()).containsExactly(100, 105, 60, 65);
    assertThat(mean.epochDays()[1]).isEqualTo((int) first.toEpochDay() + 1);
  }

  @Test
  void months_and_years_are_from_their_last_day_to_their_last_day() {
    Table table = new Table("months", Months.HEADER);
    double[] curve = {100, 110, 121, 133.1, 66.55};
    Months.addTo(table, run("m", curve), daily("m", LocalDate.of(2019, 12, 30), curve));
    assertThat(table.rows()).hasSize(2);
    List<Object> first = table.rows().getFirst();
    assertThat(first.subList(0, 3)).containsExactly("m", "2019", "");
    assertThat((double) first.get(13)).isEqualTo(0.1, within(1e-12));
    assertThat((double) first.get(14)).isEqualTo(0.1, within(1e-12));
    List<Object> second = table.rows().getLast();
    assertThat((double) second.get(2)).isEqualTo(66.55 / 110 - 1, within(1e-12));
    assertThat((double) second.get(14)).isEqualTo(66.55 / 110 - 1, within(1e-12));
  }

  @Test
  void exits_are_summed_by_reason() {
    Trade won = trade("stop-loss", 10, 0.1, -0.02, 0.12);
    Trade lost = trade("stop-loss", -20, -0.2, -0.2, 0.04);
    MarketRun run =
        new MarketRun("m", "", "", Map.of(), Map.of(), List.of(won, lost), 0, new double[0]);
    List<Object> row = ExitReasons.of(List.of(run)).rows().getFirst();
    assertThat(row.subList(0, 4)).containsExactly("long", "stop-loss", 2.0, 0.5);
    assertThat((double) row.get(4)).isEqualTo(-0.05, within(1e-12));
    assertThat((double) row.get(5)).isEqualTo(-0.11, within(1e-12));
    assertThat((double) row.get(6)).isEqualTo(0.08, within(1e-12));
    assertThat((double) row.get(7)).isEqualTo(-10, within(1e-12));
  }

  private static Trade trade(String reason, double profit, double rate, double worst, double best) {
    return new Trade(
        "m",
        "long",
        0,
        "2020-01-01",
        100,
        1,
        "2020-01-02",
        110,
        1,
        0,
        0,
        profit,
        rate,
        false,
        reason,
        worst,
        best);
  }

  private static final String OPTIMISE =
      """
      kind: optimise
      name: Fast & <slow>
      data: {synthetic: {markets: 1}}
      strategy:
        indicators: {fast: {sma: {from: 5, to: 20, step: 5}}, slow: {sma: {from: 30, to: 60, step: 10}}}
        enter: {crossed-up: [fast, slow]}
        exit: [{crossed-down: [fast, slow]}, {stop-loss: 7}]
        fees: {percent: 0.1}
      """;

  private Path report(String text, List<Market> markets) {
    Analysis analysis = AnalysisReader.parse("r.yaml", text);
    AnalysisResult result =
        new LocalRun(analysis, markets, 1, Progress.SILENT, Cancellation.NEVER).run();
    ReportWriter.write(result, markets, EnumSet.allOf(Output.class), folder);
    return folder;
  }

  @Test
  void the_page_says_rules_in_words_and_needs_no_net() throws IOException {
    List<Market> markets = SyntheticMarkets.generate(1, 6, 3, MarketModel.MIXED);
    Path page = report(OPTIMISE, markets).resolve("report.html");
    assertThat(page)
        .content()
        .contains("<h1>Fast &amp; &lt;slow&gt;</h1>")
        .containsPattern("sma\\(close, \\d+\\) crosses above sma\\(close, \\d+\\)")
        .contains("close is 7 % worse than the entry", "0.1 % and 0, at least 0")
        .contains("framed: chosen", "↑ slow", "fast →")
        .contains("\"held\":[")
        .doesNotContain("src=\"", "href=\"", "@import", "fetch(");
    assertThat(folder.resolve("rules.csv")).content().startsWith("what,how\nenter long,");
  }

  @Test
  void the_workbook_has_dates_formats_filters_and_the_account() throws IOException {
    List<Market> markets = SyntheticMarkets.generate(1, 6, 3, MarketModel.MIXED);
    Path file = report(OPTIMISE, markets).resolve("report.xlsx");
    try (InputStream in = Files.newInputStream(file);
        ReadableWorkbook workbook = new ReadableWorkbook(in, new ReadingOptions(true, false))) {
      List<Row> equity = rows(workbook, "equity");
      assertThat(equity).hasSize(markets.getFirst().bars() + 1);
      assertThat(equity.get(1).getCellAsDate(0).orElseThrow().toLocalDate())
          .isEqualTo(markets.getFirst().date(0));
      List<Row> trades = rows(workbook, "trades");
      int rate =
          trades.getFirst().stream().map(cell -> cell.getText()).toList().indexOf("profit rate");
      assertThat(trades.get(1).getCell(rate).getDataFormatString()).isEqualTo("0.00%");
      assertThat(rows(workbook, "months").getFirst().getCellText(2)).isEqualTo("Jan");
    }
    try (ZipFile zip = new ZipFile(file.toFile())) {
      assertThat(zip.stream().filter(e -> text(zip, e).contains("<autoFilter ")).count())
          .isGreaterThan(3);
    }
  }

  @Test
  void prices_of_fractions_of_a_cent_are_seen_in_the_workbook() {
    assertThat(ValueKind.of("entry price").format(1.29967e-6)).isEqualTo("0.0000E+00");
    assertThat(ValueKind.of("entry price").format(93.9687)).isEqualTo("0.0000");
    assertThat(ValueKind.of("units").format(0)).isEqualTo("0");
  }

  @Test
  void a_market_named_like_a_day_that_there_is_not_has_a_workbook() throws IOException {
    Market market = daily("2020-13-45", LocalDate.of(2020, 1, 1), 1, 2, 3, 4, 5, 6, 7, 8);
    String text =
        "kind: backtest\ndata: {files: [x]}\nstrategy: {enter: always, exit: {bars-held: 2}}\n";
    Path file = report(text, List.of(market)).resolve("report.xlsx");
    try (InputStream in = Files.newInputStream(file);
        ReadableWorkbook workbook = new ReadableWorkbook(in)) {
      assertThat(rows(workbook, "trades").get(1).stream().map(cell -> cell.getText()))
          .contains("2020-13-45");
    }
  }

  /** Every part is named by the one before, and the lines are the columns of the sheet. */
  @Test
  void the_account_is_drawn_in_the_workbook_itself() throws IOException {
    Market first = SyntheticMarkets.generate(1, 6, 3, MarketModel.MIXED).getFirst();
    Market later =
        new Market(
            "later",
            Arrays.copyOfRange(first.epochDays(), 100, first.bars()),
            Arrays.copyOfRange(first.open(), 100, first.bars()),
            Arrays.copyOfRange(first.high(), 100, first.bars()),
            Arrays.copyOfRange(first.low(), 100, first.bars()),
            Arrays.copyOfRange(first.close(), 100, first.bars()),
            Arrays.copyOfRange(first.volume(), 100, first.bars()));
    String text =
        "kind: backtest\ndata: {files: [x]}\nstrategy: {enter: always, exit: {bars-held: 9}}\n";
    Path file = report(text, List.of(first, later)).resolve("report.xlsx");
    try (InputStream in = Files.newInputStream(file);
        ReadableWorkbook workbook = new ReadableWorkbook(in, new ReadingOptions(true, false));
        ZipFile zip = new ZipFile(file.toFile())) {
      int number = workbook.findSheet("equity").orElseThrow().getIndex() + 1;
      String sheet = part(zip, "xl/worksheets/sheet" + number + ".xml");
      assertThat(sheet).endsWith("<drawing r:id=\"rId1\"/></worksheet>");
      assertThat(part(zip, "xl/worksheets/_rels/sheet" + number + ".xml.rels"))
          .contains("Id=\"rId1\"", "../drawings/charts" + number + ".xml");
      assertThat(part(zip, "xl/drawings/_rels/charts" + number + ".xml.rels"))
          .contains("../charts/chart1.xml");
      assertThat(part(zip, "[Content_Types].xml"))
          .contains("/xl/charts/chart1.xml", "/xl/drawings/charts" + number + ".xml");
      String last = Integer.toString(first.bars() + 1);
      assertThat(part(zip, "xl/charts/chart1.xml"))
          .contains("'equity'!$A$2:$A$" + last, "'equity'!$B$2:$B$" + last)
          .contains("'equity'!$C$1", "'equity'!$C$2:$C$" + last)
          .containsPattern("<c:ser>.*srgbClr val=\"0072B2\".*<c:ser>.*srgbClr val=\"999999\"")
          .contains("<c:min val=\"%d\"/>".formatted(first.epochDays()[0] + 25_569));
      Row early = rows(workbook, "equity").get(1);
      assertThat(early.getCell(1).getDataFormatString()).isEqualTo("#,##0.00");
      assertThat(early.getOptionalCell(2)).as("a market that has not begun").isEmpty();
    }
  }

  private static String part(ZipFile zip, String name) {
    return text(zip, Objects.requireNonNull(zip.getEntry(name), name));
  }

  private static List<Row> rows(ReadableWorkbook workbook, String sheet) throws IOException {
    Sheet found = workbook.findSheet(sheet).orElseThrow();
    return found.read();
  }

  private static String text(ZipFile zip, ZipEntry entry) {
    try (InputStream in = zip.getInputStream(entry)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void no_two_markets_share_a_file() throws IOException {
    List<Market> one = SyntheticMarkets.generate(1, 2, 3, MarketModel.MIXED);
    Map<String, Market> named = new HashMap<>();
    for (String name : List.of("A B", "A_B", "a_b")) {
      Market m = one.getFirst();
      named.put(
          name,
          new Market(name, m.epochDays(), m.open(), m.high(), m.low(), m.close(), m.volume()));
    }
    String text =
        "kind: backtest\ndata: {files: [x]}\nstrategy: {enter: always, exit: {bars-held: 9}}\n";
    report(text, List.copyOf(named.values()));
    try (var files = Files.list(folder.resolve("prices"))) {
      assertThat(files.map(f -> f.getFileName().toString().toLowerCase(Locale.ROOT)))
          .hasSize(3)
          .doesNotHaveDuplicates();
    }
    assertThat(folder.resolve("equity.csv")).content().startsWith("date,");
  }
}
