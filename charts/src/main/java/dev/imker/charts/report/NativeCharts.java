package dev.imker.charts.report;

import dev.imker.charts.report.draw.HtmlText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.archivers.zip.ZipArchiveEntry;
import org.apache.commons.compress.archivers.zip.ZipFile;

/**
 * Puts charts of a sheet's own columns beside them, which the library for workbooks cannot: parts
 * of the package are added (a drawing, a chart each), and the sheet is told of the drawing.
 */
final class NativeCharts {
  private static final int DAYS_BEFORE_1970 = 25_569;
  private static final int MAX_LINES = 20;
  private static final int ROWS_PER_CHART = 24;
  private static final int COLUMNS_PER_CHART = 14;
  private static final String GRID = "D9D9D9";
  private static final String AXIS = "7F7F7F";

  /** Of lines; told apart also by those who see few colours (Okabe and Ito). */
  private static final List<String> COLOURS =
      List.of("0072B2", "999999", "D55E00", "009E73", "CC79A7", "E69F00", "56B4E9", "000000");

  private static final String HEAD =
      "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
  private static final String RELATIONS =
      "http://schemas.openxmlformats.org/package/2006/relationships";
  private static final String OFFICE =
      "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  private static final String DRAWINGML = "http://schemas.openxmlformats.org/drawingml/2006/";
  private static final String CONTENT = "application/vnd.openxmlformats-officedocument.";

  private final int sheet;
  private final Table table;
  private final int rows;

  private NativeCharts(int sheet, Table table, int rows) {
    this.sheet = sheet;
    this.table = table;
    this.rows = rows;
  }

  /**
   * The workbook with charts of the accounts.
   *
   * @param sheet number of the sheet with {@link EquityTable}, from 1
   * @param rows how many rows of it there are
   */
  static byte[] ofAccounts(byte[] workbook, int sheet, Table table, int rows) throws IOException {
    return new NativeCharts(sheet, table, rows).added(workbook);
  }

  /** Columns of the sheet, from 0, that are drawn together. */
  private record Chart(String title, String format, List<Integer> columns) {}

  private List<Chart> charts() {
    List<Integer> accounts = new ArrayList<>();
    List<Chart> all = new ArrayList<>();
    for (int column = 1; column < table.header().size(); column++) {
      if (table.header().get(column).equals("draw-down")) {
        all.add(new Chart("Draw-down", "0%", List.of(column)));
      } else if (accounts.size() < MAX_LINES) {
        accounts.add(column);
      }
    }
    all.addFirst(new Chart("Account", "#,##0", List.copyOf(accounts)));
    return all;
  }

  private byte[] added(byte[] workbook) throws IOException {
    List<Chart> charts = charts();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipFile before = ZipFile.builder().setByteArray(workbook).get();
        ZipOutputStream zip = new ZipOutputStream(bytes)) {
      for (ZipArchiveEntry entry : Collections.list(before.getEntries())) {
        try (InputStream in = before.getInputStream(entry)) {
          put(zip, entry.getName(), changed(entry.getName(), in.readAllBytes(), charts.size()));
        }
      }
      put(zip, "xl/worksheets/_rels/sheet%d.xml.rels".formatted(sheet), sheetRelations());
      put(zip, "xl/drawings/%s.xml".formatted(drawing()), drawing(charts.size()));
      put(
          zip,
          "xl/drawings/_rels/%s.xml.rels".formatted(drawing()),
          drawingRelations(charts.size()));
      for (int i = 0; i < charts.size(); i++) {
        put(zip, "xl/charts/chart%d.xml".formatted(i + 1), chart(charts.get(i)));
      }
    }
    return bytes.toByteArray();
  }

  private static void put(ZipOutputStream zip, String name, byte[] content) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(content);
  }

  private static void put(ZipOutputStream zip, String name, String content) throws IOException {
    put(zip, name, content.getBytes(StandardCharsets.UTF_8));
  }

  private String drawing() {
    return "charts" + sheet;
  }

  private byte[] changed(String name, byte[] content, int charts) {
    String text = new String(content, StandardCharsets.UTF_8);
    if (name.equals("xl/worksheets/sheet%d.xml".formatted(sheet))) {
      text = text.replace("</worksheet>", "<drawing r:id=\"rId1\"/></worksheet>");
    } else if (name.equals("[Content_Types].xml")) {
      StringBuilder parts = new StringBuilder(type("/xl/drawings/" + drawing(), "drawing"));
      for (int i = 1; i <= charts; i++) {
        parts.append(type("/xl/charts/chart" + i, "drawingml.chart"));
      }
      text = text.replace("</Types>", parts + "</Types>");
    } else {
      return content;
    }
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String type(String part, String type) {
    return "<Override PartName=\"%s.xml\" ContentType=\"%s%s+xml\"/>"
        .formatted(part, CONTENT, type);
  }

  private String sheetRelations() {
    return relations(relation(1, "drawing", "../drawings/" + drawing() + ".xml"));
  }

  private static String drawingRelations(int charts) {
    StringBuilder all = new StringBuilder();
    for (int i = 1; i <= charts; i++) {
      all.append(relation(i, "chart", "../charts/chart" + i + ".xml"));
    }
    return relations(all.toString());
  }

  private static String relations(String all) {
    return HEAD + "<Relationships xmlns=\"" + RELATIONS + "\">" + all + "</Relationships>";
  }

  private static String relation(int id, String type, String target) {
    return "<Relationship Id=\"rId%d\" Type=\"%s/%s\" Target=\"%s\"/>"
        .formatted(id, OFFICE, type, target);
  }

  /** Where the charts are: at the right of the columns, one below the other. */
  private String drawing(int charts) {
    StringBuilder text =
        new StringBuilder(HEAD)
            .append(
                "<xdr:wsDr xmlns:xdr=\"%sspreadsheetDrawing\" xmlns:a=\"%smain\">"
                    .formatted(DRAWINGML, DRAWINGML));
    int left = table.header().size() + 1;
    for (int i = 0; i < charts; i++) {
      int top = 1 + i * (ROWS_PER_CHART + 1);
      text.append("<xdr:twoCellAnchor>")
          .append(corner("from", left, top))
          .append(corner("to", left + COLUMNS_PER_CHART, top + ROWS_PER_CHART))
          .append(
              "<xdr:graphicFrame macro=\"\"><xdr:nvGraphicFramePr>"
                  + "<xdr:cNvPr id=\"%d\" name=\"Chart %d\"/><xdr:cNvGraphicFramePr/>"
                      .formatted(i + 2, i + 1)
                  + "</xdr:nvGraphicFramePr><xdr:xfrm><a:off x=\"0\" y=\"0\"/>"
                  + "<a:ext cx=\"0\" cy=\"0\"/></xdr:xfrm><a:graphic>")
          .append(
              "<a:graphicData uri=\"%schart\"><c:chart xmlns:c=\"%schart\" xmlns:r=\"%s\" r:id=\"rId%d\"/>"
                  .formatted(DRAWINGML, DRAWINGML, OFFICE, i + 1))
          .append("</a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/>")
          .append("</xdr:twoCellAnchor>");
    }
    return text.append("</xdr:wsDr>").toString();
  }

  private static String corner(String name, int column, int row) {
    return ("<xdr:%1$s><xdr:col>%2$d</xdr:col><xdr:colOff>0</xdr:colOff>"
            + "<xdr:row>%3$d</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:%1$s>")
        .formatted(name, column, row);
  }

  // ---------------------------------------------------------------- a chart

  private String chart(Chart chart) {
    StringBuilder text =
        new StringBuilder(HEAD)
            .append(
                "<c:chartSpace xmlns:c=\"%schart\" xmlns:a=\"%smain\" xmlns:r=\"%s\"><c:chart>"
                    .formatted(DRAWINGML, DRAWINGML, OFFICE))
            .append(title(chart.title()))
            .append("<c:autoTitleDeleted val=\"0\"/><c:plotArea><c:layout/><c:scatterChart>")
            .append("<c:scatterStyle val=\"lineMarker\"/><c:varyColors val=\"0\"/>");
    for (int i = 0; i < chart.columns().size(); i++) {
      text.append(line(i, chart.columns().get(i)));
    }
    boolean timed = table.rows().getFirst().getFirst().toString().contains(":");
    text.append("<c:axId val=\"1\"/><c:axId val=\"2\"/></c:scatterChart>")
        .append(axis(1, 2, "b", timed ? "yyyy-mm-dd hh:mm" : "yyyy-mm-dd", dates()))
        .append(axis(2, 1, "l", chart.format(), ""))
        .append("</c:plotArea>");
    if (chart.columns().size() > 1) {
      text.append("<c:legend><c:legendPos val=\"b\"/><c:overlay val=\"0\"/></c:legend>");
    }
    return text.append("<c:plotVisOnly val=\"1\"/><c:dispBlanksAs val=\"gap\"/></c:chart>")
        .append("</c:chartSpace>")
        .toString();
  }

  private static String title(String text) {
    return "<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:r><a:t>%s</a:t></a:r></a:p></c:rich></c:tx><c:overlay val=\"0\"/></c:title>"
        .formatted(HtmlText.escape(text));
  }

  private String line(int place, int column) {
    String name = reference(column, 1, 1);
    return ("<c:ser><c:idx val=\"%d\"/><c:order val=\"%d\"/>".formatted(place, place)
            + "<c:tx><c:strRef><c:f>%s</c:f></c:strRef></c:tx>".formatted(name))
        + pen(15_875, COLOURS.get(place % COLOURS.size()))
        + "<c:marker><c:symbol val=\"none\"/></c:marker>"
        + "<c:xVal><c:numRef><c:f>%s</c:f></c:numRef></c:xVal>".formatted(reference(0, 2, rows + 1))
        + "<c:yVal><c:numRef><c:f>%s</c:f></c:numRef></c:yVal>"
            .formatted(reference(column, 2, rows + 1))
        + "<c:smooth val=\"0\"/></c:ser>";
  }

  /** With a colour, since the workbook has no theme, without which some programs draw nothing. */
  private static String pen(int width, String colour) {
    return "<c:spPr><a:ln w=\"%d\"><a:solidFill><a:srgbClr val=\"%s\"/></a:solidFill></a:ln></c:spPr>"
        .formatted(width, colour);
  }

  private String reference(int column, int first, int last) {
    String letters = letters(column);
    String cells = "'%s'!$%s$%d".formatted(table.name(), letters, first);
    return first == last ? cells : cells + ":$%s$%d".formatted(letters, last);
  }

  /** A to Z, AA, AB and so on. */
  static String letters(int column) {
    String last = String.valueOf((char) ('A' + column % 26));
    return column < 26 ? last : letters(column / 26 - 1) + last;
  }

  /** As far as they go; a scale of its own would begin in 1900 for a long history. */
  private String dates() {
    return "<c:max val=\"%d\"/><c:min val=\"%d\"/>".formatted(serial(rows - 1) + 1, serial(0));
  }

  /** The day of a row, as spreadsheets count. */
  private long serial(int row) {
    String date = table.rows().get(row).getFirst().toString().substring(0, "2000-01-01".length());
    return LocalDate.parse(date).toEpochDay() + DAYS_BEFORE_1970;
  }

  private static String axis(int id, int other, String where, String format, String range) {
    return "<c:valAx><c:axId val=\"%d\"/><c:scaling><c:orientation val=\"minMax\"/>".formatted(id)
        + range
        + "</c:scaling><c:delete val=\"0\"/><c:axPos val=\"%s\"/>".formatted(where)
        + (where.equals("l") ? "<c:majorGridlines>" + pen(6_350, GRID) + "</c:majorGridlines>" : "")
        + "<c:numFmt formatCode=\"%s\" sourceLinked=\"0\"/>".formatted(HtmlText.escape(format))
        + "<c:majorTickMark val=\"out\"/><c:minorTickMark val=\"none\"/>"
        + "<c:tickLblPos val=\"low\"/>"
        + pen(6_350, AXIS)
        + "<c:crossAx val=\"%d\"/>".formatted(other)
        + "<c:crosses val=\"min\"/><c:crossBetween val=\"midCat\"/></c:valAx>";
  }
}
