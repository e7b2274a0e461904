package dev.imker.charts.strategy;

import dev.imker.charts.series.Argument;
import dev.imker.charts.series.Quantity;
import dev.imker.charts.series.SeriesExpr;
import dev.imker.charts.strategy.RuleExpr.Calendar;
import dev.imker.charts.strategy.RuleExpr.Stop;
import java.time.DayOfWeek;
import java.time.Month;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Rules as people say them. */
public final class RuleWords {
  private static final int MAX_DAYS = 31;

  private RuleWords() {}

  /** The name of a rule, as in files. */
  static String name(RuleExpr rule) {
    return switch (rule) {
      case RuleExpr.All(var parts) ->
          parts.isEmpty()
              ? "always"
              : parts.stream().map(RuleWords::name).distinct().collect(Collectors.joining(" and "));
      case RuleExpr.Any(var parts) ->
          parts.isEmpty()
              ? "never"
              : parts.stream().map(RuleWords::name).distinct().collect(Collectors.joining(" or "));
      case RuleExpr.Not(var part) -> "not " + name(part);
      case RuleExpr.Compare compare -> label(compare.how());
      case RuleExpr.Crossed crossed -> crossed.up() ? "crossed-up" : "crossed-down";
      case RuleExpr.Moving moving -> moving.up() ? "rising" : "falling";
      case RuleExpr.AtExtreme extreme -> extreme.highest() ? "highest" : "lowest";
      case RuleExpr.Says says -> series(says.truth());
      case RuleExpr.OnCalendar calendar -> label(calendar.calendar());
      case RuleExpr.OnClock clock -> "time";
      case RuleExpr.StopAt stop -> name(stop.stop());
      case RuleExpr.AtrStopAt stop -> "atr-" + name(stop.stop());
      case RuleExpr.After after ->
          switch (after.since()) {
            case ENTRY_IN_BARS -> "bars-held";
            case ENTRY_IN_DAYS -> "days-held";
            case EXIT_IN_BARS -> "bars-since-exit";
          };
    };
  }

  private static String name(Stop stop) {
    return switch (stop) {
      case LOSS -> "stop-loss";
      case GAIN -> "take-profit";
      case TRAILING -> "trailing-stop";
    };
  }

  private static String label(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** What has to be the case, of a rule without parameters. */
  public static String of(RuleExpr rule) {
    return switch (rule) {
      case RuleExpr.All(var parts) -> parts.isEmpty() ? "always" : joined(parts, " and ");
      case RuleExpr.Any(var parts) -> parts.isEmpty() ? "never" : joined(parts, " or ");
      case RuleExpr.Not(var part) -> "not (" + of(part) + ")";
      case RuleExpr.Compare(var how, var left, var right) ->
          "%s is %s %s".formatted(series(left), label(how).replace('-', ' '), series(right));
      case RuleExpr.Crossed(var up, var left, var right) ->
          "%s crosses %s %s".formatted(series(left), up ? "above" : "below", series(right));
      case RuleExpr.Moving(var up, var of, var count, var strength) ->
          "%s %s over %s bars".formatted(series(of), up ? "rises" : "falls", number(count))
              + (at(strength) >= 1 ? "" : " in %.0f %% of them".formatted(at(strength) * 100));
      case RuleExpr.AtExtreme(var highest, var of, var count) ->
          "%s is at its %s of %s bars"
              .formatted(series(of), highest ? "highest" : "lowest", number(count));
      case RuleExpr.Says(var truth) -> series(truth);
      case RuleExpr.OnCalendar(var calendar, var mask) -> calendar(calendar, mask);
      case RuleExpr.OnClock(var hours) -> "the time is " + hours.text();
      case RuleExpr.StopAt(var stop, var percent, var price) ->
          stop(stop, series(price), number(percent) + " %");
      case RuleExpr.AtrStopAt(var stop, var count, var factor) ->
          stop(
              stop,
              "close",
              "%s times the ATR of %s bars".formatted(number(factor), number(count)));
      case RuleExpr.After(var since, var count) ->
          switch (since) {
            case ENTRY_IN_BARS -> "the position is %s bars old".formatted(number(count));
            case ENTRY_IN_DAYS -> "the position is %s days old".formatted(number(count));
            case EXIT_IN_BARS -> "the last exit was %s bars ago".formatted(number(count));
          };
    };
  }

  private static String joined(List<RuleExpr> parts, String between) {
    return parts.stream()
        .map(
            part ->
                part instanceof RuleExpr.All || part instanceof RuleExpr.Any
                    ? "(" + of(part) + ")"
                    : of(part))
        .collect(Collectors.joining(between));
  }

  private static String stop(Stop stop, String price, String distance) {
    return switch (stop) {
      case LOSS -> "%s is %s worse than the entry".formatted(price, distance);
      case GAIN -> "%s is %s better than the entry".formatted(price, distance);
      case TRAILING -> "%s is %s back from the best since the entry".formatted(price, distance);
    };
  }

  private static String calendar(Calendar calendar, long mask) {
    List<String> names = new ArrayList<>();
    for (int i = 1; i <= MAX_DAYS; i++) {
      if ((mask >>> i & 1) != 0) {
        names.add(
            switch (calendar) {
              case WEEKDAY -> label(DayOfWeek.of(i));
              case MONTH -> label(Month.of(i));
              case DAY_OF_MONTH -> Integer.toString(i);
            });
      }
    }
    return "the %s is %s".formatted(label(calendar).replace('-', ' '), String.join(" or ", names));
  }

  /** An indicator with its numbers, as in "sma(close, 20)". */
  public static String series(SeriesExpr expression) {
    return switch (expression) {
      case SeriesExpr.Constant(var value) -> number(value);
      case SeriesExpr.Arithmetic(var operator, var left, var right) ->
          switch (operator) {
            case PLUS -> "(%s + %s)".formatted(series(left), series(right));
            case MINUS -> "(%s - %s)".formatted(series(left), series(right));
            case TIMES -> "(%s * %s)".formatted(series(left), series(right));
            case DIVIDED_BY -> "(%s / %s)".formatted(series(left), series(right));
            case MIN -> "min(%s, %s)".formatted(series(left), series(right));
            case MAX -> "max(%s, %s)".formatted(series(left), series(right));
          };
      case SeriesExpr.Formula formula -> "(" + formula.text() + ")";
      case SeriesExpr.InFrame(var frame, var of) -> "%s by %s".formatted(series(of), frame.text());
      case SeriesExpr.OfMarket(var market, var of) -> "%s of %s".formatted(series(of), market);
      case SeriesExpr.Java(var name, var given) ->
          name
              + given.entrySet().stream()
                  .sorted(Map.Entry.comparingByKey())
                  .map(entry -> entry.getKey() + " " + argument(entry.getValue()))
                  .collect(Collectors.joining(", ", "(", ")"));
      case SeriesExpr.Call(var key, var arguments) -> call(key, arguments);
    };
  }

  private static String call(String key, List<Argument> arguments) {
    String name =
        key.replaceAll("\\(.*", "")
            .replaceAll("(Price)?Indicator$", "")
            .replaceAll("([a-z0-9])([A-Z])", "$1-$2")
            .replaceAll("([A-Z]+)([A-Z][a-z])", "$1-$2")
            .toLowerCase(Locale.ROOT);
    return arguments.isEmpty()
        ? name
        : name
            + arguments.stream()
                .map(RuleWords::argument)
                .collect(Collectors.joining(", ", "(", ")"));
  }

  private static String argument(Argument argument) {
    return switch (argument) {
      case Argument.OfSeries(var series) -> series(series);
      case Argument.OfNumber(var number) -> number(number);
      case Argument.OfChoice(var constant) -> constant.toString();
    };
  }

  private static double at(Quantity quantity) {
    return quantity instanceof Quantity.Fixed(double value) ? value : Double.NaN;
  }

  /** 20 instead of 20.0. */
  public static String number(Quantity quantity) {
    double value = at(quantity);
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }
}
