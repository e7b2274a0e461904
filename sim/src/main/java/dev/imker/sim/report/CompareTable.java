package dev.imker.sim.report;

import dev.imker.sim.SimResult;
import dev.imker.sim.Spread;
import dev.imker.sim.config.SimConfig;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Strategies side by side, one table per configuration; the best of each column has a star. */
final class CompareTable {
  private interface Measure {
    @Nullable Spread of(SimResult result);
  }

  private static final List<Column> COLUMNS =
      List.of(
          new Column("avEff %", SimResult::avEff, true),
          new Column("effWindow %", SimResult::effWindow, true),
          new Column("avDone %", SimResult::avDone, true),
          new Column("makespan min", SimResult::makespan, false));

  private record Column(String title, Measure value, boolean moreIsBetter) {
    double best(List<SimResult> rows) {
      double best = Double.NaN;
      for (SimResult row : rows) {
        Spread spread = value.of(row);
        if (spread != null && (Double.isNaN(best) || isBetter(spread.mean(), best))) {
          best = spread.mean();
        }
      }
      return best;
    }

    private boolean isBetter(double value, double than) {
      return moreIsBetter ? value > than : value < than;
    }

    String cell(SimResult row, double best) {
      Spread spread = value.of(row);
      if (spread == null) {
        return "not done ";
      }
      boolean isLong = !moreIsBetter && spread.mean() >= WHOLE_MINUTES;
      String pattern = isLong ? "%.0f ±%.0f" : "%.1f ±%.1f";
      String text = String.format(Locale.ROOT, pattern, spread.mean(), spread.sd());
      return text + (spread.mean() == best ? "*" : " ");
    }
  }

  private static final double WHOLE_MINUTES = 100;
  private static final String ROW_END = System.lineSeparator();

  private CompareTable() {}

  public static String write(List<SimResult> results) {
    StringBuilder text = new StringBuilder();
    List<String> names = results.stream().map(r -> r.config().name()).distinct().toList();
    for (String name : names) {
      append(text, results.stream().filter(r -> r.config().name().equals(name)).toList());
    }
    return text.toString();
  }

  private static void append(StringBuilder text, List<SimResult> rows) {
    SimConfig config = rows.getFirst().config();
    text.append(
        String.format(
            Locale.ROOT,
            "%s: %d nodes, %d tasks, averages over %.0f minutes, %d seeds",
            config.name(),
            config.nodes(),
            config.tasks(),
            Math.ceil(config.minutes() * config.minutesPerStep()),
            rows.getFirst().runs().size()));
    text.append(ROW_END);
    int width = rows.stream().mapToInt(r -> r.strategy().length()).max().orElse(0) + 1;
    text.append(padRight("strategy", width));
    for (Column column : COLUMNS) {
      text.append(padLeft(column.title() + " ", 15));
    }
    text.append(ROW_END);
    for (SimResult row : rows) {
      text.append(padRight(row.strategy(), width));
      for (Column column : COLUMNS) {
        text.append(padLeft(column.cell(row, column.best(rows)), 15));
      }
      text.append(ROW_END);
    }
    appendUsed(text, rows);
    text.append(ROW_END);
  }

  /** Of machines with amounts: how well they are packed, and which tasks had to wait. */
  private static void appendUsed(StringBuilder text, List<SimResult> rows) {
    SimResult first = rows.getFirst();
    if (first.resources().isEmpty()) {
      return;
    }
    appendLine(text, "in use while tasks wait (any time) %", rows, SimResult::strategy);
    for (String name : first.resources()) {
      appendLine(
          text,
          name,
          rows,
          row -> number(row.usedWhileWaiting(name)) + " (" + number(row.used(name)) + ")");
    }
    appendLine(text, "minutes until tasks start", rows, SimResult::strategy);
    for (int k = 0; k < first.config().projects().size(); k++) {
      int project = k;
      appendLine(text, first.projectName(k), rows, row -> number(row.waited(project)));
    }
  }

  private static String number(Spread spread) {
    return String.format(Locale.ROOT, "%.1f", spread.mean());
  }

  private static void appendLine(
      StringBuilder text, String title, List<SimResult> rows, Function<SimResult, String> cell) {
    text.append(padRight(title, 33));
    rows.forEach(row -> text.append(padLeft(cell.apply(row), 18)));
    text.append(ROW_END);
  }

  private static String padRight(String text, int width) {
    return text + " ".repeat(Math.max(1, width - text.length()));
  }

  private static String padLeft(String text, int width) {
    return " ".repeat(Math.max(0, width - text.length())) + text;
  }
}
