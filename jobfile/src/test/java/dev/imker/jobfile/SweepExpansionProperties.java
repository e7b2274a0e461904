package dev.imker.jobfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.jobfile.draft.JobDraft;
import dev.imker.jobfile.draft.LocalInput;
import dev.imker.jobfile.files.JobFiles;
import dev.imker.model.JobId;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.job.TaskTemplate;
import dev.imker.testbase.Generator;
import dev.imker.testbase.Trials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Which tasks a sweep makes, in which order, with which values. */
class SweepExpansionProperties {
  private static final String NAMES = "abcdefgh";

  private static JobSpec job(String yaml, JobFiles files) {
    return JobFileReader.read("job.yaml", yaml, files).orThrow().getFirst().spec();
  }

  private static List<List<String>> tasks(JobSpec job) {
    List<List<String>> all = new ArrayList<>();
    for (int i = 0; i < job.taskCount(); i++) {
      all.add(job.params(i));
    }
    return all;
  }

  private static String flow(List<String> values) {
    return values.stream()
        .map(value -> "'" + value.replace("'", "''") + "'")
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static List<List<String>> axes(Generator random) {
    return random.listOf(1, 4, g -> g.listOf(1, 4, h -> h.text(' ', '~', 6)));
  }

  @Trials(200)
  void a_product_has_every_combination_once_and_the_first_varies_slowest(Generator random) {
    List<List<String>> axes = axes(random);
    StringBuilder yaml = new StringBuilder("command: x\nsweep:\n");
    for (int i = 0; i < axes.size(); i++) {
      yaml.append("  ").append(NAMES.charAt(i)).append(": ").append(flow(axes.get(i))).append('\n');
    }
    List<List<String>> expected = new ArrayList<>(List.of(List.of()));
    for (List<String> axis : axes) {
      List<List<String>> longer = new ArrayList<>();
      for (List<String> start : expected) {
        for (String value : axis) {
          List<String> next = new ArrayList<>(start);
          next.add(value);
          longer.add(next);
        }
      }
      expected = longer;
    }
    assertThat(tasks(job(yaml.toString(), JobFiles.unknown()))).isEqualTo(expected);
  }

  @Trials(100)
  void what_is_zipped_varies_together(Generator random) {
    List<Integer> left = random.listOf(1, 20, g -> g.between(0, 999));
    int outer = random.between(1, 3);
    List<String> x = left.stream().map(String::valueOf).toList();
    List<String> y = left.stream().map(n -> "v" + n).toList();
    JobSpec job =
        job(
            "command: x\nsweep: {o: 1..%d, zip: {x: %s, y: %s}}".formatted(outer, flow(x), flow(y)),
            JobFiles.unknown());
    List<List<String>> expected = new ArrayList<>();
    for (int o = 1; o <= outer; o++) {
      for (int i = 0; i < x.size(); i++) {
        expected.add(List.of(String.valueOf(o), x.get(i), y.get(i)));
      }
    }
    assertThat(tasks(job)).isEqualTo(expected);
  }

  @Trials(100)
  void a_range_has_all_numbers_from_its_first_to_its_last(Generator random) {
    int from = random.between(-50, 50);
    int to = random.between(-50, 50);
    int step = random.between(1, 9);
    List<String> expected = new ArrayList<>();
    for (int n = from; from <= to ? n <= to : n >= to; n += from <= to ? step : -step) {
      expected.add(Integer.toString(n));
    }
    String text = "command: x\nsweep: {n: %d..%d..%d}".formatted(from, to, step);
    String form = "command: x\nsweep: {n: {from: %d, to: %d, step: %d}}".formatted(from, to, step);
    for (String yaml : List.of(text, form)) {
      assertThat(tasks(job(yaml, JobFiles.unknown())))
          .extracting(List::getFirst)
          .isEqualTo(expected);
    }
  }

  @Trials(50)
  void a_range_of_decimals_is_exact(Generator random) {
    int steps = random.between(1, 200);
    String last = String.format(Locale.ROOT, "%.2f", steps * 0.05);
    JobSpec job = job("command: x\nsweep: {r: 0.00.." + last + "..0.05}", JobFiles.unknown());
    assertThat(job.taskCount()).isEqualTo(steps + 1);
    assertThat(job.params(steps)).containsExactly(last);
    assertThat(job.params(1)).containsExactly("0.05");
  }

  @Trials(30)
  void rows_of_a_table_become_tasks(Generator random) throws IOException {
    List<String> cells = random.listOf(1, 20, g -> g.anyText(8));
    Path folder = Files.createTempDirectory("sweep");
    List<String> clean =
        cells.stream().map(c -> c.replaceAll("[\\p{C}\\p{Zl}\\p{Zp}\\ud800-\\udfff]", "")).toList();
    StringBuilder csv = new StringBuilder("n,text,unused\n");
    for (int i = 0; i < clean.size(); i++) {
      csv.append(i).append(",\"").append(clean.get(i).replace("\"", "\"\"")).append("\",z\n");
    }
    Files.writeString(folder.resolve("t.csv"), csv);
    JobSpec job =
        job("command: x\nsweep: {csv: {file: t.csv, columns: [text, n]}}", JobFiles.in(folder));
    assertThat(job.taskCount()).isEqualTo(clean.size());
    for (int i = 0; i < clean.size(); i++) {
      assertThat(job.params(i)).containsExactly(clean.get(i), Integer.toString(i));
    }
  }

  @Trials(20)
  void files_become_values_and_inputs(Generator random) throws IOException {
    int count = random.between(1, 12);
    Path folder = Files.createTempDirectory("sweep");
    Files.createDirectories(folder.resolve("data"));
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add("data/f%02d.csv".formatted(i));
      Files.writeString(folder.resolve(names.get(i)), "x");
    }
    Files.writeString(folder.resolve("data/other.txt"), "x");
    JobDraft draft =
        JobFileReader.read(
                "j.yaml", "command: c ${f}\nsweep: {f: {files: 'data/*.csv'}}", JobFiles.in(folder))
            .orThrow()
            .getFirst();
    assertThat(tasks(draft.spec())).extracting(List::getFirst).isEqualTo(names);
    assertThat(draft.files()).extracting(LocalInput::path).isEqualTo(names);
  }

  @Trials(100)
  void placeholders_get_the_values_of_their_task(Generator random) {
    List<List<String>> axes = axes(random);
    StringBuilder yaml = new StringBuilder("command: [c, '${job}-${task}'");
    for (int i = 0; i < axes.size(); i++) {
      yaml.append(", '<${").append(NAMES.charAt(i)).append("}>'");
    }
    yaml.append("]\nsweep:\n");
    for (int i = 0; i < axes.size(); i++) {
      yaml.append("  ").append(NAMES.charAt(i)).append(": ").append(flow(axes.get(i))).append('\n');
    }
    JobSpec job = job(yaml.toString(), JobFiles.unknown());
    TaskTemplate template = TaskTemplate.of(new JobId(9), "ann", job, 0);
    for (int i = 0; i < job.taskCount(); i++) {
      List<String> words = template.expand(job.params(i), i + 1, Map.of()).command();
      assertThat(words.get(1)).isEqualTo("9-" + (i + 1));
      for (int p = 0; p < axes.size(); p++) {
        assertThat(words.get(p + 2)).isEqualTo("<" + job.params(i).get(p) + ">");
      }
    }
  }

  @Test
  void a_large_sweep_costs_nothing() {
    Stage stage =
        job("command: x ${n}\nsweep: {n: 1..10000000}", JobFiles.unknown()).stages().getFirst();
    assertThat(stage.taskCount()).isEqualTo(10_000_000);
    assertThat(new HashSet<>(stage.params(9_999_999))).containsExactly("10000000");
  }
}
