package dev.imker.server.internal.rest.runs;

import dev.imker.model.BlobId;
import dev.imker.model.ResultFile;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.job.StageIndex;
import dev.imker.model.job.SweepAxis;
import dev.imker.server.internal.rest.nodes.NodeNames;
import dev.imker.store.AttemptRecord;
import dev.imker.store.JobRecord;
import dev.imker.store.Reads;
import dev.imker.store.TaskQuery;
import dev.imker.store.TaskRecord;
import dev.imker.store.blobs.BlobMissingException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads metrics out of what tasks printed: lines such as {@code imker:metric loss=0.3 f1=0.8}. */
final class Metrics {
  static final String DURATION = "duration";
  private static final String MARK = "imker:metric";
  private static final Pattern VALUE = Pattern.compile("([A-Za-z_][\\w.-]{0,63})=(\\S{1,40})");
  private static final Pattern PICTURE = Pattern.compile(".+\\.(png|jpe?g|gif|webp|svg)");
  private static final int MAX_TASKS = 5_000;
  private static final int PAGE = 500;
  private static final int MAX_NAMES = 50;
  private static final int MAX_PICTURES = 4;

  /** Of long output, the end is read: there the last values are. */
  private static final int TAIL_BYTES = 256 << 10;

  private static final double MILLIS_PER_SECOND = 1000.0;

  /** Opens the content of a blob from an offset on. */
  @FunctionalInterface
  interface Contents {
    InputStream open(BlobId blob, long offset);
  }

  private final StageIndex stages;
  private final Contents contents;
  private final Set<String> names = new LinkedHashSet<>(List.of(DURATION));
  private final Set<String> params = new LinkedHashSet<>();

  Metrics(StageIndex stages, Contents contents) {
    this.stages = stages;
    this.contents = contents;
  }

  MetricsView of(JobRecord job, Reads reads, NodeNames nodes) throws IOException {
    List<MetricsView.Row> rows = new ArrayList<>();
    int from = 0;
    boolean more = true;
    while (more && rows.size() < MAX_TASKS) {
      List<TaskRecord> page =
          reads.tasks(new TaskQuery(job.id(), Set.of(TaskState.DONE), from, PAGE, true));
      for (TaskRecord task : page) {
        AttemptRecord last = task.last();
        if (last != null && last.report() != null) {
          rows.add(row(task.id().index(), nodes.of(last.node()), last.report()));
        }
        from = task.id().index() + 1;
      }
      more = page.size() == PAGE;
    }
    return new MetricsView(
        List.copyOf(names), List.copyOf(params), rows, more ? (Integer) (from + 1) : null);
  }

  MetricsView.Row row(int index, String node, AttemptReport report) throws IOException {
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put(DURATION, report.runMillis() / MILLIS_PER_SECOND);
    text(report.stdout()).lines().forEach(line -> read(line, metrics));
    Map<String, String> values = new LinkedHashMap<>();
    List<SweepAxis> axes = stages.stageOf(index).sweep();
    List<String> own = stages.params(index);
    for (int i = 0; i < axes.size(); i++) {
      params.add(axes.get(i).name());
      values.put(axes.get(i).name(), own.get(i));
    }
    List<String> pictures =
        report.results().stream()
            .map(ResultFile::path)
            .filter(path -> PICTURE.matcher(path.toLowerCase(Locale.ROOT)).matches())
            .limit(MAX_PICTURES)
            .toList();
    return new MetricsView.Row(index + 1, node, values, metrics, pictures);
  }

  /** Values that are no numbers are left out. */
  private void read(String line, Map<String, Double> metrics) {
    if (!line.startsWith(MARK)) {
      return;
    }
    Matcher matcher = VALUE.matcher(line);
    while (matcher.find()) {
      Double value = number(matcher.group(2));
      String name = matcher.group(1);
      if (value != null && (names.contains(name) || names.size() < MAX_NAMES)) {
        names.add(name);
        metrics.put(name, value);
      }
    }
  }

  private static @Nullable Double number(String text) {
    try {
      double value = Double.parseDouble(text);
      return Double.isFinite(value) ? value : null;
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private String text(CapturedOutput output) throws IOException {
    BlobId blob = output.blob();
    if (blob == null) {
      return new String(output.inline(), StandardCharsets.UTF_8);
    }
    try (InputStream in = contents.open(blob, Math.max(0, output.size() - TAIL_BYTES))) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (BlobMissingException e) {
      return "";
    }
  }
}
