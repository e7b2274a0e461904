package dev.imker.cli.charts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.cli.terminal.TerminalLine;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ChartProgressTest {
  private final ByteArrayOutputStream shown = new ByteArrayOutputStream();

  private ChartProgress progress(boolean live) {
    return new ChartProgress(new PrintStream(shown, true, StandardCharsets.UTF_8), live);
  }

  private String shown() {
    return shown.toString(StandardCharsets.UTF_8);
  }

  @Test
  void nothing_is_written_to_a_file() {
    ChartProgress progress = progress(false);
    progress.advanced(1, 2);
    progress.finished();
    assertThat(shown()).isEmpty();
  }

  @Test
  void a_terminal_gets_one_line_that_does_not_wrap_and_is_gone_in_the_end() {
    ChartProgress progress = progress(true);
    progress.advanced(1, 2);
    progress.finished();
    assertThat(shown())
        .startsWith("\r\u001b[?7l[##########..........]  50 %")
        .contains("1 of 2 steps\u001b[K\u001b[?7h\r")
        .endsWith("\r\u001b[K")
        .doesNotContain("\n");
  }

  @Test
  void what_matters_most_fits_into_40_columns() {
    String line = ChartProgress.line(900, 2_000_000_000_000L, TimeUnit.HOURS.toNanos(1));
    assertThat(line).startsWith("[....................]   0 %").endsWith("2,000,000,000,000 steps");
    String later = ChartProgress.line(750, 1000, TimeUnit.SECONDS.toNanos(180));
    assertThat(later.substring(0, 40)).contains("75 %", "60s left");
  }

  @Test
  void only_devices_of_terminals_count_as_such() {
    assertThat(TerminalLine.isTerminal("/dev/pts/3")).isTrue();
    assertThat(TerminalLine.isTerminal("/dev/tty1")).isTrue();
    assertThat(TerminalLine.isTerminal("/dev/null")).isFalse();
    assertThat(TerminalLine.isTerminal("pipe:[4711]")).isFalse();
    assertThat(TerminalLine.isTerminal("/home/me/dev/pts/3")).isFalse();
  }
}
