package dev.imker.charts.report;

import dev.imker.charts.ChartException;
import dev.imker.charts.market.CommonCalendar;
import dev.imker.charts.market.Market;
import dev.imker.charts.spec.Analysis.Output;
import dev.imker.charts.study.AnalysisResult;
import dev.imker.charts.study.ChartJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Writes all files of a result into a folder. */
public final class ReportWriter {
  private final Path folder;
  private final List<Path> written = new ArrayList<>();

  private ReportWriter(Path folder) {
    this.folder = folder;
  }

  /**
   * Writes {@code report.xlsx}, {@code report.html}, {@code result.json} with the prices it needs
   * to be drawn, one CSV file per table and the pictures, as far as wanted.
   *
   * @param markets for the prices in the pictures; a market that is missing has no pictures
   * @return the files, in the order they were written
   */
  public static List<Path> write(
      AnalysisResult result, List<Market> markets, Set<Output> outputs, Path folder) {
    return write(result, markets, Map.of(), outputs, folder);
  }

  /**
   * As above.
   *
   * @param indicators tables of values, by the name of the market's file
   */
  public static List<Path> write(
      AnalysisResult result,
      List<Market> markets,
      Map<String, String> indicators,
      Set<Output> outputs,
      Path folder) {
    ReportWriter writer = new ReportWriter(folder);
    List<Path> written = writer.write(result, withAllAsOne(result, markets), outputs);
    if (!outputs.contains(Output.CSV)) {
      return written;
    }
    indicators.forEach((name, text) -> writer.file("indicators/" + name + ".csv", text));
    return List.copyOf(writer.written);
  }

  /** The course of a portfolio goes along its markets as one. */
  private static List<Market> withAllAsOne(AnalysisResult result, List<Market> markets) {
    boolean asOne =
        result.perMarket().stream().anyMatch(run -> run.market().equals(CommonCalendar.NAME))
            && markets.stream().noneMatch(market -> market.name().equals(CommonCalendar.NAME));
    if (!asOne || markets.isEmpty()) {
      return markets;
    }
    List<Market> all = new ArrayList<>(markets);
    all.add(new CommonCalendar(markets).asMarket());
    return all;
  }

  private List<Path> write(AnalysisResult result, List<Market> markets, Set<Output> outputs) {
    Courses courses = Courses.of(result, markets);
    Gallery gallery = new Gallery(result, markets, courses);
    List<Table> tables = Tables.of(result, courses);
    if (outputs.contains(Output.XLSX)) {
      file("report.xlsx", Spreadsheet.of(tables, gallery));
    }
    if (outputs.contains(Output.HTML)) {
      file("report.html", HtmlReport.of(result, tables, courses, gallery));
    }
    if (outputs.contains(Output.JSON)) {
      file("result.json", ChartJson.write(result));
      PriceFiles.of(courses).forEach((name, text) -> file("prices/" + name + ".csv", text));
    }
    if (outputs.contains(Output.CSV)) {
      tables.forEach(t -> file(t.name().replace(' ', '-') + ".csv", CsvText.of(t)));
    }
    for (String name : gallery.names()) {
      if (outputs.contains(Output.PNG)) {
        file("pictures/" + name + ".png", gallery.png(name));
      }
      if (outputs.contains(Output.SVG)) {
        file("pictures/" + name + ".svg", gallery.svg(name));
      }
    }
    return List.copyOf(written);
  }

  private void file(String name, String text) {
    file(name, text.getBytes(StandardCharsets.UTF_8));
  }

  private void file(String name, byte[] content) {
    Path file = folder.resolve(name);
    try {
      Files.createDirectories(file.getParent());
      Files.write(file, content);
    } catch (IOException e) {
      throw new ChartException("Cannot write " + file + ": " + e.getMessage(), e);
    }
    written.add(file);
  }
}
