package dev.imker.charts.pool;

import dev.imker.charts.spec.AnalysisReader;
import dev.imker.charts.spec.SpecException;
import dev.imker.model.InputException;
import dev.imker.model.kind.TaskKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Analyses of charts as a kind of jobs: any analysis, with other candles if they are given. */
public final class ChartKind implements TaskKind {
  private static final String ANALYSIS = "analysis";
  private static final String CANDLES = "candles";
  private static final String SET = "set";
  private static final String DATA = "data";

  @Override
  public String name() {
    return "chart";
  }

  @Override
  public String description() {
    return "Backtests or optimises a trading strategy, or runs a walk-forward analysis, and"
        + " writes a report.";
  }

  @Override
  public List<Field> fields() {
    return List.of(
        Field.required(ANALYSIS, Type.TEXT, "The analysis, in YAML (docs/charts.md)."),
        Field.optional(
            CANDLES,
            Type.FILE,
            "",
            "Files or folder with candles, instead of those named in the analysis."),
        Field.optional(
            SET,
            Type.TEXT,
            "",
            "Data set of the server, instead of the data named in the analysis."));
  }

  @Override
  public List<String> problems(Map<String, String> values) {
    return value(values, CANDLES).isEmpty() || value(values, SET).isEmpty()
        ? List.of()
        : List.of("Give candles or a set, not both.");
  }

  @Override
  public Map<String, Object> job(Map<String, String> values) {
    String text = value(values, ANALYSIS);
    Map<String, Object> job = read(text);
    if (!value(values, CANDLES).isEmpty()) {
      replaceData(job, "files", value(values, CANDLES));
    } else if (!value(values, SET).isEmpty()) {
      replaceData(job, "set", value(values, SET));
    } else {
      check(text);
    }
    return job;
  }

  private static String value(Map<String, String> values, String name) {
    return values.getOrDefault(name, "");
  }

  private static Map<String, Object> read(String text) {
    Map<String, Object> fields = new LinkedHashMap<>();
    try {
      Object all = new Load(LoadSettings.builder().build()).loadFromString(text);
      if (!(all instanceof Map<?, ?> map)) {
        throw new InputException("The analysis needs fields such as 'kind: backtest'.");
      }
      map.forEach((name, value) -> fields.put(String.valueOf(name), value));
    } catch (YamlEngineException e) {
      check(text); // which tells the line
      throw new InputException("The analysis is not YAML: " + e.getMessage());
    }
    return fields;
  }

  /** What a file with candles looks like, and from when to when, stays as it was. */
  private static void replaceData(Map<String, Object> job, String source, String value) {
    Map<String, Object> data = new LinkedHashMap<>();
    if (job.get(DATA) instanceof Map<?, ?> before) {
      for (String kept : List.of("csv", "from", "to", "bars", "session", "watch")) {
        if (before.get(kept) != null) {
          data.put(kept, before.get(kept));
        }
      }
    }
    data.put(source, value);
    job.put(DATA, data);
  }

  private static void check(String text) {
    try {
      AnalysisReader.parse(ANALYSIS, text);
    } catch (SpecException e) {
      throw new InputException(String.valueOf(e.getMessage()));
    }
  }

  @Override
  public List<View> views() {
    return List.of(
        new View("Report", Form.PAGE, "report", "report.html"),
        new View("Tables", Form.TABLE, "report", "*.csv"));
  }
}
