package dev.imker.charts.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.charts.ChartException;
import dev.imker.charts.study.PartialResult;
import dev.imker.charts.study.Run;
import dev.imker.charts.study.WorkUnit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartFilesTest {
  private static final double[][] FIGURES = {
    {1.0 / 3, -0.0, Double.NaN},
    {},
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
