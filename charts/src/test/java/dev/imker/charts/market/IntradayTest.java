package dev.imker.charts.market;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Several candles a day: how they are written, in which zone, and what longer ones they make. */
class IntradayTest {
  private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");

  @TempDir Path folder;

  private static CsvDialect dialect(
      @Nullable ZoneId market, @Nullable ZoneId written, boolean end) {
    return new CsvDialect(null, null, null, Map.of(), false, market, written, end);
  }

  /** Quarters of an hour over the Sunday on which clocks are put forward, 2024-03-10. */
  private static List<ZonedDateTime> quarters() {
    List<ZonedDateTime> all = new ArrayList<>();
    for (int day : new int[] {7, 8, 11, 12}) {
      for (int quarter = 0; quarter < 40; quarter++) {
        all.add(ZonedDateTime.of(2024, 3, day, 8, 0, 0, 0, NEW_YORK).plusMinutes(15L * quarter));
      }
    }
    return all;
  }

  private static String table(String header, Function<ZonedDateTime, String> time, char comma) {
    StringBuilder text = new StringBuilder(header.replace(',', comma));
    List<ZonedDateTime> quarters = quarters();
    for (int i = 0; i < quarters.size(); i++) {
      double open = 100 + i;
      text.append(time.apply(quarters.get(i)))
          .append(
              ",%s,%s,%s,%s,1\n".formatted(open, open + 2, open - 1, open + 1).replace(',', comma));
    }
    return text.toString();
  }

  private static String as(String pattern, ZonedDateTime time) {
    return DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH).format(time);
  }

  private Market read(String text, CsvDialect dialect) throws IOException {
    return CsvMarkets.read(Files.writeString(folder.resolve("spy.csv"), text), dialect);
  }

  @Test
  void times_are_read_however_they_are_written() throws IOException {
    String head = "Date,Open,High,Low,Close,Volume\n";
    Market plain = read(table(head, t -> as("yyyy-MM-dd HH:mm", t), ','), CsvDialect.DETECT);
    assertThat(plain.when(0)).isEqualTo("2024-03-07 08:00");
    assertThat(plain.times().length()).isEqualTo(900);
    for (Market same :
        List.of(
            read(table(head, t -> as("dd.MM.yyyy HH:mm:ss", t), ';'), CsvDialect.DETECT),
            read(
                table(head, t -> as("MM/dd/yyyy hh:mm a", t), ','),
                new CsvDialect(null, null, "MM/dd/yyyy hh:mm a", Map.of(), false, null)),
            read(table("", t -> as("yyyyMMdd HHmmss", t), ';'), CsvDialect.DETECT),
            read(table("", t -> as("yyyy.MM.dd,HH:mm", t), ','), CsvDialect.DETECT),
            read(
                table("<DATE>,<TIME>,O,H,L,C,V\n", t -> as("yyyyMMdd,HHmmss", t), ','),
                CsvDialect.DETECT),
            read(table(head, t -> t.toEpochSecond() + "", ','), dialect(NEW_YORK, null, false)),
            read(
                table(head, t -> as("yyyy-MM-dd'T'HH:mm:ssXXX", t), ','),
                dialect(NEW_YORK, null, false)),
            read(
                table(
                    head, t -> as("yyyy-MM-dd HH:mm", t.withZoneSameInstant(ZoneOffset.UTC)), ','),
                dialect(NEW_YORK, ZoneOffset.UTC, false)),
            read(
                table(head, t -> as("yyyy-MM-dd HH:mm", t.plusMinutes(15)), ','),
                dialect(null, null, true)))) {
      for (int bar = 0; bar < plain.bars(); bar++) {
        assertThat(same.when(bar)).isEqualTo(plain.when(bar));
        assertThat(same.close()[bar]).isEqualTo(plain.close()[bar]);
      }
    }
  }

  @Test
  void moments_are_kept_when_clocks_change() throws IOException {
    String head = "time,open,high,low,close\n";
    long from = Instant.parse("2024-10-27T00:00:00Z").getEpochSecond();
    StringBuilder text = new StringBuilder(head);
    for (int i = 0; i < 5; i++) {
      text.append(from + i * 1800L).append(",1,1,1,1\n");
    }
    Market market = read(text.toString(), dialect(ZoneId.of("Europe/Berlin"), null, false));
    assertThat(market.when(0)).isEqualTo("2024-10-27 02:00");
    assertThat(market.when(2)).isEqualTo("2024-10-27 02:00");
    assertThat(market.times().begin(2) - market.times().begin(0)).isEqualTo(3600);

    String written = head + "2024-10-27 02:00,1,1,1,1\n2024-10-27 02:00,1,1,1,1\n";
    assertThatThrownBy(() -> read(written + "2024-10-27 02:30,1,1,1,1\n", CsvDialect.DETECT))
        .hasMessageContaining("line 3")
        .hasMessageContaining("second candle");
  }

  @Test
  void one_candle_a_day_with_a_time_stays_a_day() throws IOException {
    Market market =
        read(
            """
            time,open,high,low,close
            2024-01-02T17:30:00Z,1,1,1,1
            2024-01-03T17:30:00Z,1,1,1,1
            """,
            CsvDialect.DETECT);
    assertThat(market.times().isIntraday()).isFalse();
    assertThat(market.when(1)).isEqualTo("2024-01-03");
  }

  @ParameterizedTest
  @CsvSource({
    "9, 2024-01-02 09:00",
    "930, 2024-01-02 09:30",
    "093015, 2024-01-02 09:30:15",
    "09:30, 2024-01-02 09:30"
  })
  void a_column_of_times_may_do_without_colons(String time, String when) throws IOException {
    String row = "2024-01-02,%s,1,1,1,1\n";
    String text = "date,time,open,high,low,close\n" + row.formatted(time) + row.formatted("16:00");
    assertThat(read(text, CsvDialect.DETECT).when(0)).isEqualTo(when);
  }

  @Test
  void a_column_that_is_only_called_time_does_not_count() throws IOException {
    String text =
        "date,time,open,high,low,close\n2024-01-02,after close,1,1,1,1\n2024-01-03,,1,1,1,1\n";
    assertThat(read(text, CsvDialect.DETECT).when(1)).isEqualTo("2024-01-03");
  }

  @Test
  void sessions_are_cut_out_and_bars_put_together() throws IOException {
    Market quarters =
        read(
            table("Date,Open,High,Low,Close,Volume\n", t -> as("yyyy-MM-dd HH:mm", t), ','),
            CsvDialect.DETECT);
    Market session = quarters.within(Session.parse("09:30-16:00"));
    assertThat(session.bars()).isEqualTo(4 * 26);
    assertThat(session.when(0)).isEqualTo("2024-03-07 09:30");

    Market hours = Frame.parse("1h").orElseThrow().of(session);
    assertThat(hours.bars()).isEqualTo(4 * 7);
    assertThat(hours.when(1)).isEqualTo("2024-03-07 10:30");
    assertThat(hours.when(6)).isEqualTo("2024-03-07 15:30");
    // quarters 6 to 9 of the first day: opens 106 to 109
    assertThat(hours.open()[0]).isEqualTo(106);
    assertThat(hours.high()[0]).isEqualTo(111);
    assertThat(hours.low()[0]).isEqualTo(105);
    assertThat(hours.close()[0]).isEqualTo(110);
    assertThat(hours.volume()[0]).isEqualTo(4);
    assertThat(hours.volume()[6]).isEqualTo(2);

    Market days = Frame.parse("day").orElseThrow().of(session);
    assertThat(days.bars()).isEqualTo(4);
    assertThat(days.times().isIntraday()).isFalse();
    assertThat(days.close()[0]).isEqualTo(100 + 31 + 1);
    Market weeks = Frame.parse("week").orElseThrow().of(days);
    assertThat(weeks.bars()).isEqualTo(2);
    assertThat(weeks.when(0)).isEqualTo("2024-03-08");
    assertThat(weeks.open()[1]).isEqualTo(days.open()[2]);
  }

  @Test
  void a_session_over_midnight_counts_for_the_day_on_which_it_ends() throws IOException {
    StringBuilder text = new StringBuilder("date,open,high,low,close\n");
    LocalDateTime from = LocalDateTime.of(2024, 3, 3, 18, 0); // a Sunday
    for (int hour = 0; hour < 48; hour++) {
      text.append(from.plusHours(hour).toString().replace('T', ' '))
          .append(",%1$d,%1$d,%1$d,%1$d\n".formatted(hour + 1));
    }
    Market hours = read(text.toString(), CsvDialect.DETECT);
    Market days = Frame.parse("day").orElseThrow().of(hours.within(Session.parse("18:00-17:00")));
    assertThat(days.bars()).isEqualTo(2);
    assertThat(days.when(0)).isEqualTo("2024-03-04");
    assertThat(days.open()[0]).isEqualTo(1);
    assertThat(days.close()[0]).isEqualTo(23);
    assertThat(days.open()[1]).isEqualTo(25);
  }

  @ParameterizedTest
  @CsvSource({"5m,300", "90 min,5400", "4h,14400"})
  void lengths_of_bars_are_read(String text, int seconds) {
    assertThat(Frame.parse(text).orElseThrow().seconds()).isEqualTo(seconds);
  }

  @Test
  void bars_are_not_cut_into_shorter_ones() {
    Market daily = SyntheticMarkets.generate(1, 1, 1, MarketModel.MIXED).getFirst();
    Frame hour = Frame.parse("1h").orElseThrow();
    assertThatThrownBy(() -> hour.of(daily)).hasMessageContaining("one bar per day");
    assertThatThrownBy(() -> daily.within(Session.parse("09:30-16:00")))
        .hasMessageContaining("one candle per day");
    assertThat(Frame.parse("30h")).isEmpty();
    assertThat(Frame.parse("fortnight")).isEmpty();
  }
}
