package dev.imker.sim.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.core.strategy.StrategyException;
import dev.imker.sim.SimRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimCommandLineTest {
  @TempDir Path folder;

  @Test
  void json_has_an_object_per_file_and_strategy() throws IOException {
    String json = run(request(List.of("balanced", "random"), 20_000, null), true);
    assertThat(json)
        .startsWith("[")
        .doesNotContain("resources", "waited")
        .contains(
            "{\"config\":\"tiny\",\"strategy\":\"balanced\",\"seeds\":2,\"avEff\":{\"mean\":100.000,\"sd\":0.000}")
        .contains("\"strategy\":\"random\"")
        .contains("\"makespan\":{\"mean\":12.000,\"sd\":0.000}")
        .contains("\"perProject\":{\"p\":{\"finished\":{\"mean\":12.000,\"sd\":0.000}}}");
  }

  @Test
  void use_of_amounts_is_told_in_table_json_and_plot() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("sized.yaml"),
            """
            minutes: 20
            seeds: 2
            machines: {cores: 4, memory: 8 GB}
            work: {project: p, tasks: 8, minutes: 5, needs: {memory: 2 GB, cores: 0.5}}
            """);
    Path plots = folder.resolve("plots");
    SimRequest request = new SimRequest(List.of(file), List.of("balanced"), 0, 60, false, plots);
    assertThat(print(request, true))
        .contains(
            "\"perProject\":{\"p\":{\"finished\":{\"mean\":11.000,\"sd\":0.000},\"waited\":{\"mean\":2.500,")
        .contains(
            "\"resources\":{\"cores\":{\"used\":{\"mean\":25.000,\"sd\":0.000},\"usedWhileWaiting\":{\"mean\":50.000,")
        .contains(
            "\"memory\":{\"used\":{\"mean\":50.000,\"sd\":0.000},\"usedWhileWaiting\":{\"mean\":100.000,");
    assertThat(print(request, false))
        .containsPattern("memory +100.0 \\(50.0\\)")
        .containsPattern("minutes until tasks start +balanced\\Rp +2.5");
    assertThat(Files.readString(plots.resolve("sized-balanced.svg"))).contains("in use %");
  }

  @Test
  void makespan_is_null_where_not_all_is_done() throws IOException {
    Files.writeString(
        folder.resolve("tiny.yaml"),
        """
        minutes: 5
        seeds: 1
        machines: {count: 1}
        work: {project: p, tasks: 2, minutes: 50}
        """);
    SimRequest request =
        new SimRequest(
            List.of(folder.resolve("tiny.yaml")), List.of("balanced"), 0, 60, false, null);
    assertThat(print(request, true)).contains("\"makespan\":null").contains("\"seeds\":1");
    assertThat(print(request, false)).contains("not done");
  }

  @Test
  void table_marks_the_best() throws IOException {
    String table = run(request(List.of("balanced", "random"), 20_000, null), false);
    assertThat(table).contains("tiny: 1 nodes, 2 tasks").contains("balanced").contains("*");
  }

  @Test
  void plots_are_written() throws IOException {
    Path plots = folder.resolve("plots");
    String text = run(request(List.of("balanced", "runtime:s=2"), 20_000, plots), false);
    try (Stream<Path> files = Files.list(plots)) {
      assertThat(files.map(p -> p.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "tiny-balanced.svg", "tiny-runtime_s_2.svg", "tiny-compare.svg");
    }
    assertThat(Files.readString(plots.resolve("tiny-balanced.svg")))
        .startsWith("<svg")
        .contains("efficiency %")
        .endsWith("</svg>\n");
    assertThat(text).contains("wrote");
  }

  @Test
  void unknown_strategy_is_told_before_anything_runs() {
    assertThatThrownBy(() -> run(request(List.of("survivl"), 10, null), true))
        .isInstanceOf(StrategyException.class);
  }

  private SimRequest request(List<String> strategies, int until, @Nullable Path plots)
      throws IOException {
    Path file = folder.resolve("tiny.yaml");
    Files.writeString(
        file, "minutes: 20\nmachines: {count: 1}\nwork: {project: p, tasks: 2, minutes: 5}\n");
    return new SimRequest(List.of(file), strategies, 2, until, false, plots);
  }

  private static String run(SimRequest request, boolean json) {
    return print(request, json);
  }

  private static String print(SimRequest request, boolean json) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    SimCommandLine.run(request, json, new PrintStream(bytes, true, StandardCharsets.UTF_8));
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
