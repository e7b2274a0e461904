package dev.imker.charts.market;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.dhatim.fastexcel.Workbook;
import org.dhatim.fastexcel.Worksheet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvMarketsTest {
  @TempDir Path folder;

  private Market read(String text) throws IOException {
    return read(text, CsvDialect.DETECT);
  }

  private Market read(String text, CsvDialect dialect) throws IOException {
    return CsvMarkets.read(Files.writeString(folder.resolve("dax.csv"), text), dialect);
  }

  @Test
  void reads_the_usual_export_with_adjusted_close_and_null_rows() throws IOException {
    Market market =
        read(
            """
            Date,Open,High,Low,Close,Adj Close,Volume
            2020-01-02,10.5,11,10,10.8,5.4,1000
            2020-01-03,null,null,null,null,null,null
            2020-01-06,10.7,11.2,10.6,11,5.5,2000
            """);
    assertThat(market.name()).isEqualTo("dax");
    assertThat(market.bars()).isEqualTo(2);
    assertThat(market.date(1)).isEqualTo(LocalDate.of(2020, 1, 6));
    assertThat(market.close()).containsExactly(10.8, 11);
    assertThat(market.volume()).containsExactly(1000, 2000);
  }

  private static final String PAYING =
      """
      Date,Open,High,Low,Close,Adj Close,Div
      2020-01-08,10,10,10,10,5,0.5
      2020-01-07,10,10,10,10,5,
      2020-01-06,10,10,10,10,5,1.5
      2020-01-03,10,10,10,10,5,2
      2020-01-02,10,10,10,10,5,0
      """;

  private static CsvDialect paying(boolean adjust) {
    return new CsvDialect(null, null, null, Map.of("dividend", "Div"), adjust, null);
  }

  @Test
  void dividends_are_read_from_the_column_that_is_named() throws IOException {
    Market market = read(PAYING, paying(false));
    assertThat(market.dividends(0, 1)).isEqualTo(2);
    assertThat(market.dividends(1, 4)).isEqualTo(2);
    assertThat(market.growth(0, 4)).isEqualTo(1.2 * 1.15 * 1.05, within(1e-12));
    assertThat(market.slice(1, 4).dividends(0, 2)).isEqualTo(1.5);
    assertThat(read(PAYING).pays()).isFalse();
  }

  /** Thursday and Friday, then Monday to Wednesday: what the second week pays is in its bar. */
  @Test
  void longer_bars_pay_what_their_days_pay() throws IOException {
    Market weeks = Frame.parse("week").orElseThrow().of(read(PAYING, paying(false)));
    assertThat(weeks.bars()).isEqualTo(2);
    assertThat(weeks.dividends(0, 1)).isEqualTo(2);
    assertThat(weeks.growth(0, 1)).isEqualTo(1.15 * 1.05, within(1e-12));
  }

  @Test
  void dividends_and_volumes_that_cannot_be_are_refused() {
    assertThatThrownBy(() -> read(PAYING, paying(true)))
        .hasMessageContaining("line 2, column 'Div'")
        .hasMessageContaining("leave out csv.adjust or columns.dividend");
    assertThatThrownBy(() -> read(PAYING.replace(",2\n", ",-2\n"), paying(false)))
        .hasMessageContaining("the dividend -2 is below 0");
    assertThatThrownBy(() -> read(PAYING.replace("06,10,10,10,10,5", "06,,,,,"), paying(false)))
        .hasMessageContaining("line 4, column 'Div': a dividend without prices");
  }

  private static final String TWO_DAYS =
      "Date;Open;High;Low;Close\n2020-01-02;10,5;11;10;10,8\n2020-01-03;10,7;11,2;10,6;11\n";

  private void isTwoDays(String name, byte[] content) throws IOException {
    Path file = Files.write(folder.resolve(name), content);
    Market market = CsvMarkets.read(file, CsvDialect.DETECT);
    assertThat(market.name()).isEqualTo("dax");
    assertThat(market.date(1)).isEqualTo(LocalDate.of(2020, 1, 3));
    assertThat(market.close()).containsExactly(10.8, 11);
  }

  private static byte[] zipped(byte[] content) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      out.write(content);
    }
    return bytes.toByteArray();
  }

  @Test
  void reads_utf_16_and_compressed_files() throws IOException {
    isTwoDays("dax.csv", TWO_DAYS.getBytes(StandardCharsets.UTF_16));
    isTwoDays("dax.csv", TWO_DAYS.getBytes(StandardCharsets.UTF_16LE));
    isTwoDays("dax.csv", ("\uFEFF" + TWO_DAYS).getBytes(StandardCharsets.UTF_16LE));
    isTwoDays("dax.csv.gz", zipped(TWO_DAYS.getBytes(StandardCharsets.UTF_8)));
    isTwoDays("dax.txt.GZ", zipped(TWO_DAYS.getBytes(StandardCharsets.UTF_16BE)));
  }

  @Test
  void reads_the_first_sheet_of_a_workbook() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Workbook workbook = new Workbook(bytes, "Test", "1.0")) {
      Worksheet sheet = workbook.newWorksheet("DAX");
      List<String> header = List.of("Date", "Open", "High", "Low", "Close");
      for (int i = 0; i < header.size(); i++) {
        sheet.value(0, i, header.get(i));
      }
      double[][] prices = {{10.5, 11, 10, 10.8}, {10.7, 11.2, 10.6, 11}};
      for (int row = 0; row < 2; row++) {
        sheet.value(row + 1, 0, LocalDate.of(2020, 1, 2 + row));
        sheet.style(row + 1, 0).format("yyyy-MM-dd").set();
        for (int i = 0; i < 4; i++) {
          sheet.value(row + 1, i + 1, prices[row][i]);
        }
      }
    }
    isTwoDays("dax.xlsx", bytes.toByteArray());
  }

  @Test
  void says_what_to_do_with_files_that_are_not_tables() throws IOException {
    Map<String, byte[]> files =
        Map.of(
            "Parquet", "PAR1 and more".getBytes(StandardCharsets.UTF_8),
            "save it as .xlsx or .csv", new byte[] {(byte) 0xd0, (byte) 0xcf, 0x11, (byte) 0xe0},
            "damaged", new byte[] {0x1f, (byte) 0x8b, 8, 0, 0},
            "dax.bin, line 1", new byte[] {'P', 'K', 3, 4, 1, 2, 3});
    for (Map.Entry<String, byte[]> entry : files.entrySet()) {
      Path file = Files.write(folder.resolve("dax.bin"), entry.getValue());
      assertThatThrownBy(() -> CsvMarkets.read(file, CsvDialect.DETECT))
          .isInstanceOf(CsvFormatException.class)
          .hasMessageContaining(entry.getKey());
    }
  }

  /** A file of some hundred kilobytes must not take gigabytes of memory. */
  @Test
  void refuses_a_file_that_grows_without_end() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
      byte[] zeros = new byte[1 << 20];
      for (int i = 0; i < 257; i++) {
        out.write(zeros);
      }
    }
    Path file = Files.write(folder.resolve("dax.csv.gz"), bytes.toByteArray());
    assertThatThrownBy(() -> CsvMarkets.read(file, CsvDialect.DETECT))
        .hasMessageContaining("it unpacks to more than 256 MB.");
  }

  @Test
  void adjusts_all_prices_when_asked() throws IOException {
    Market market =
        read(
            "Date,Open,High,Low,Close,Adj Close\n2020-01-02,10,12,8,10,5\n",
            new CsvDialect(null, null, null, Map.of(), true, null));
    assertThat(market.high()).containsExactly(6);
    assertThat(market.close()).containsExactly(5);
  }

  @Test
  void reads_german_files_newest_first() throws IOException {
    Market market =
        read(
            """
            Datum;Erster;Hoch;Tief;Schlusskurs;Stücke;Volumen
            03.01.2020;1.234,50;1.240,00;1.230,00;1.239,90;12;1.000
            02.01.2020;1.200,00;1.235,00;1.199,00;1.234,00;15;2.000
            """);
    assertThat(market.date(0)).isEqualTo(LocalDate.of(2020, 1, 2));
    assertThat(market.open()).containsExactly(1200, 1234.5);
    assertThat(market.close()).containsExactly(1234, 1239.9);
  }

  @Test
  void reads_american_dates_tabs_and_angle_brackets() throws IOException {
    String text =
        """
        <TICKER>|<DATE>|<OPEN>|<HIGH>|<LOW>|<CLOSE>|<VOL>
        X|12/30/2019|1|2|1|1.5|3K
        X|01/02/2020|1|2|1|1.5|1.5M
        """;
    Market market = read(text.replace('|', '\t'));
    assertThat(market.date(0)).isEqualTo(LocalDate.of(2019, 12, 30));
    assertThat(market.volume()).containsExactly(3000, 1_500_000);
  }

  @Test
  void reads_files_without_header_and_with_plain_dates() throws IOException {
    Market market = read("20200102,1,2,1,1.5,100\n20200103,1,2,1,1.6,100\n");
    assertThat(market.bars()).isEqualTo(2);
    assertThat(market.date(1)).isEqualTo(LocalDate.of(2020, 1, 3));
  }

  @Test
  void ambiguous_dates_are_asked_for() {
    assertThatThrownBy(
            () -> read("Date,Open,High,Low,Close\n01/02/2020,1,2,1,1.5\n02/03/2020,1,2,1,1.5\n"))
        .isInstanceOf(CsvFormatException.class)
        .hasMessage(
            "dax.csv, line 2, column 'Date': '01/02/2020' may be day/month or month/day."
                + " Set csv.date, as in dd/MM/yyyy.");
  }

  @Test
  void a_said_pattern_settles_it() throws IOException {
    Market market =
        read(
            "Date,Open,High,Low,Close\n01/02/2020,1,2,1,1.5\n02/03/2020,1,2,1,1.5\n",
            new CsvDialect(null, null, "dd/MM/yyyy", Map.of(), false, null));
    assertThat(market.date(0)).isEqualTo(LocalDate.of(2020, 2, 1));
  }

  @Test
  void mistakes_are_told_with_line_and_column() {
    String head = "Date,Open,High,Low,Close\n2020-01-02,1,2,1,1.5\n";
    assertThatThrownBy(() -> read(head + "2020-01-03,1,x,1,1.5\n"))
        .hasMessageStartingWith("dax.csv, line 3, column 'High': 'x' is not a number.");
    assertThatThrownBy(() -> read(head + "2020-01-03,1,0.5,1,1.5\n"))
        .hasMessageStartingWith(
            "dax.csv, line 3, column 'High': the high 0.5 is below the low 1.0");
    assertThatThrownBy(() -> read(head + "2020-13-03,1,2,1,1.5\n"))
        .hasMessage(
            "dax.csv, line 3, column 'Date': '2020-13-03' is not a date in yyyy-MM-dd, as the rows"
                + " before are.");
    assertThatThrownBy(() -> read(head + "2020-01-02,1,2,1,1.5\n"))
        .hasMessageContaining("line 3, column 'Date': a second candle for 2020-01-02");
    assertThatThrownBy(() -> read(head + "2020-01-03,1,2\n"))
        .hasMessageContaining("line 3: 3 fields, but the header has 5");
    assertThatThrownBy(() -> read(head + "2020-01-03,1,2,-1,1.5\n"))
        .hasMessageContaining("line 3, column 'Low': the price -1 is not positive");
  }

  @Test
  void a_missing_column_is_told_with_the_header() {
    assertThatThrownBy(() -> read("Date,Open,High,Low,Settle\n2020-01-02,1,2,1,1.5\n"))
        .hasMessage(
            "dax.csv, line 1: no column for 'close'. The header has: Date, Open, High, Low, Settle."
                + " Name it under csv.columns, as in {close: NAME}.");
  }

  @Test
  void synthetic_markets_are_the_same_again_and_survive_a_file() {
    for (MarketModel model : MarketModel.values()) {
      Market one = SyntheticMarkets.generate(2, 3, 5, model).get(1);
      Market two = SyntheticMarkets.generate(2, 3, 5, model, "SYN-02"::equals).getFirst();
      Market read = CsvMarkets.read(MarketCsvWriter.write(one, folder), CsvDialect.DETECT);
      assertThat(two.close()).isEqualTo(one.close());
      assertThat(read.epochDays()).isEqualTo(one.epochDays());
      assertThat(read.open()).isEqualTo(one.open());
      assertThat(read.high()).isEqualTo(one.high());
      assertThat(read.low()).isEqualTo(one.low());
      assertThat(read.close()).isEqualTo(one.close());
      assertThat(read.volume()).isEqualTo(one.volume());
    }
  }

  @Test
  void other_seeds_give_other_markets() {
    assertThat(SyntheticMarkets.generate(1, 1, 1, MarketModel.TREND).getFirst().close())
        .isNotEqualTo(SyntheticMarkets.generate(1, 1, 2, MarketModel.TREND).getFirst().close());
  }

  @Test
  void seconds_since_1970_that_are_no_midnight_need_a_time_zone() throws IOException {
    // Midnight in Berlin of 2 and 3 January 2020, which is 23:00 UTC of the day before.
    String text = "date,open,high,low,close\n1577919600,1,1,1,1\n1578006000,2,2,2,2\n";
    Path file = folder.resolve("dax.csv");
    Files.writeString(file, text);
    assertThatThrownBy(() -> CsvMarkets.read(file, CsvDialect.DETECT))
        .hasMessageContaining("23:00")
        .hasMessageContaining("time-zone");
    Market market =
        CsvMarkets.read(
            file, new CsvDialect(null, null, null, Map.of(), false, ZoneId.of("Europe/Berlin")));
    assertThat(market.date(0)).isEqualTo(LocalDate.of(2020, 1, 2));
    assertThat(market.date(1)).isEqualTo(LocalDate.of(2020, 1, 3));
  }
}
