package dev.imker.agent.internal.platform;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CpuBenchmarkTest {
  @TempDir Path folder;

  private CpuBenchmark benchmark(String hardware) {
    return new CpuBenchmark(folder.resolve("benchmark.properties"), hardware);
  }

  @Test
  void it_is_measured_once_per_hardware() {
    CpuBenchmark first = benchmark("x");
    assertThat(first.millis()).isZero();
    first.measure();
    assertThat(first.millis()).isPositive();
    assertThat(benchmark("x").millis()).isEqualTo(first.millis());
    CpuBenchmark other = benchmark("y");
    assertThat(other.millis()).isZero();
    other.measure();
    assertThat(benchmark("x").millis()).isEqualTo(first.millis());
  }

  @Test
  void a_damaged_file_means_that_nothing_is_known() throws IOException {
    Files.writeString(folder.resolve("benchmark.properties"), "x=\\u00zz\n");
    assertThat(benchmark("x").millis()).isZero();
  }
}
