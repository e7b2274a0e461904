package dev.imker.charts.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.charts.ChartException;
import dev.imker.charts.market.MarketInfo;
import dev.imker.charts.spec.Analysis;
import dev.imker.charts.spec.AnalysisReader;
import dev.imker.charts.spec.MarketLoader;
import dev.imker.charts.study.PartialResult;
import dev.imker.charts.study.Run;
import dev.imker.charts.study.WorkUnit;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartFilesTest {
  private static final double[][] FIGURES = {
    {1.0 / 3, -0.0, Double.NaN},
    {1, 2, 3},
    {Double.NEGATIVE_INFINITY, Double.MIN_VALUE, Double.MAX_VALUE}
  };

  @TempDir Path folder;

  private Path written() throws IOException {
    long[] combinations = {0, 7, Long.MAX_VALUE};
    Run run = new Run(Run.Stage.SWEEP, 1, 2, 3, 4, true, false, combinations);
    PartialResult part =
        new PartialResult(
            new WorkUnit("u", 0, "DAX", List.of(run)),
            List.of(
                new PartialResult.Outcome(
                    "2020-01-01",
                    "2020-02-01",
                    FIGURES,
                    new double[0],
                    List.of(),
                    new double[] {1e300, 2},
                    List.of())),
            null,
            List.of());
    Path file = folder.resolve("part" + PartFiles.ENDING);
    PartFiles.write(file, List.of(part));
    return file;
  }

  @Test
  void numbers_come_back_to_the_last_bit() throws IOException {
    PartialResult back = PartFiles.read(written(), PartialResult[].class)[0];
    assertThat(back.unit().runs().getFirst().combinations()).containsExactly(0, 7, Long.MAX_VALUE);
    PartialResult.Outcome outcome = back.outcomes().getFirst();
    assertThat(outcome.curve()).containsExactly(1e300, 2);
    assertThat(Arrays.deepEquals(outcome.figures(), FIGURES)).isTrue();
  }

  @Test
  void a_file_of_another_version_is_refused() throws IOException {
    Path file = written();
    byte[] bytes = Files.readAllBytes(file);
    bytes[3]++;
    Files.write(file, bytes);
    assertThatThrownBy(() -> PartFiles.read(file, PartialResult[].class))
        .isInstanceOf(ChartException.class)
        .hasMessageContaining("another version");
  }

  /** A row of figures has {@code 8 * 18} bytes in memory, and its combination 8. */
  @Test
  void a_large_search_takes_few_bytes() throws IOException {
    String text =
        """
        kind: optimise
        data: {synthetic: {markets: 8, years: 5, seed: 3, model: mixed}}
        strategy:
          indicators: {quick: {ema: {from: 5, to: 24}}, calm: {sma: {from: 60, to: 155, step: 5}}}
          enter: {crossed-up: [quick, calm]}
          exit: [{crossed-down: [quick, calm]}, {stop-loss: {from: 2, to: 3}}]
        """;
    Analysis analysis = AnalysisReader.parse("a.yaml", text);
    List<MarketInfo> infos = analysis.infos(MarketLoader.local(folder).load(analysis.data()));
    PoolPlan plan = PoolPlan.of("a.yaml", text, List.of(), infos);
    new PoolTask(plan, folder, new PrintStream(PrintStream.nullOutputStream())).work(0, 1, 1);
    Path part = PartFiles.in(folder).getFirst();
    assertThat(Files.size(part)).isLessThan(25 * analysis.space().size() * infos.size());
  }

  @Test
  void a_file_that_was_cut_off_is_refused_by_its_name() throws IOException {
    Path file = written();
    byte[] bytes = Files.readAllBytes(file);
    for (int length = 0; length < bytes.length; length++) {
      Files.write(file, Arrays.copyOf(bytes, length));
      assertThatThrownBy(() -> PartFiles.read(file, PartialResult[].class))
          .isInstanceOf(ChartException.class)
          .hasMessageContaining(file.getFileName().toString());
    }
  }
}
