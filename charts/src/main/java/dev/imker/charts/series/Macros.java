package dev.imker.charts.series;

import dev.imker.charts.series.SeriesExpr.Arithmetic;
import dev.imker.charts.series.SeriesExpr.Call;
import dev.imker.charts.series.SeriesExpr.Operator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.ta4j.core.Indicator;

/** Short forms for what takes several indicators of ta4j, and arithmetic on series. */
final class Macros {
  private final Map<String, Signature> byName = new LinkedHashMap<>();

  private Macros() {
    bands();
    oscillators();
    for (Operator operator : Operator.values()) {
      String name =
          operator == Operator.DIVIDED_BY ? "divided-by" : operator.name().toLowerCase(Locale.ROOT);
      define(
          name,
          arguments -> new Arithmetic(operator, series(arguments, 0), series(arguments, 1)),
          required("left"),
          required("right"));
    }
  }

  static Map<String, Signature> all() {
    return new Macros().byName;
  }

  private void bands() {
    define("bollinger-middle", a -> sma(a), of(), bars("bars", 20));
    define("bollinger-upper", a -> band("Upper", a), of(), bars("bars", 20), number("k", 2));
    define("bollinger-lower", a -> band("Lower", a), of(), bars("bars", 20), number("k", 2));
    define(
        "bollinger-width",
        a ->
            Call.of(
                "BollingerBandWidthIndicator(BollingerBandsUpperIndicator,"
                    + "BollingerBandsMiddleIndicator,BollingerBandsLowerIndicator)",
                Argument.of(band("Upper", a)),
                Argument.of(middle(a)),
                Argument.of(band("Lower", a))),
        of(),
        bars("bars", 20),
        number("k", 2));
    for (String side : List.of("Upper", "Lower")) {
      define(
          "keltner-" + side.toLowerCase(Locale.ROOT),
          a ->
              Call.of(
                  "KeltnerChannel%sIndicator(KeltnerChannelMiddleIndicator,double,int)"
                      .formatted(side),
                  Argument.of(Call.of("KeltnerChannelMiddleIndicator(BarSeries,int)", a.get(0))),
                  a.get(1),
                  a.get(2)),
          bars("bars", 20),
          number("ratio", 2),
          bars("atrBars", 10));
    }
  }

  private void oscillators() {
    define(
        "macd-signal",
        a -> Call.of("EMAIndicator(Indicator,int)", Argument.of(macd(a)), a.get(3)),
        of(),
        bars("shortBars", 12),
        bars("longBars", 26),
        bars("signalBars", 9));
    define(
        "macd-histogram",
        a ->
            new Arithmetic(
                Operator.MINUS,
                macd(a),
                Call.of("EMAIndicator(Indicator,int)", Argument.of(macd(a)), a.get(3))),
        of(),
        bars("shortBars", 12),
        bars("longBars", 26),
        bars("signalBars", 9));
    define(
        "stochastic-d",
        a ->
            Call.of(
                "SMAIndicator(Indicator,int)",
                Argument.of(Call.of("StochasticOscillatorKIndicator(BarSeries,int)", a.get(0))),
                a.get(1)),
        bars("bars", 14),
        bars("smoothBars", 3));
  }

  private static SeriesExpr macd(List<Argument> a) {
    return Call.of("MACDIndicator(Indicator,int,int)", a.get(0), a.get(1), a.get(2));
  }

  private static SeriesExpr sma(List<Argument> a) {
    return Call.of("SMAIndicator(Indicator,int)", a.get(0), a.get(1));
  }

  private static SeriesExpr middle(List<Argument> a) {
    return Call.of("BollingerBandsMiddleIndicator(Indicator)", Argument.of(sma(a)));
  }

  private static SeriesExpr band(String side, List<Argument> a) {
    return Call.of(
        "BollingerBands%sIndicator(BollingerBandsMiddleIndicator,Indicator,Num)".formatted(side),
        Argument.of(middle(a)),
        Argument.of(Call.of("StandardDeviationIndicator(Indicator,int)", a.get(0), a.get(1))),
        a.get(2));
  }

  private static SeriesExpr series(List<Argument> arguments, int index) {
    return switch (arguments.get(index)) {
      case Argument.OfSeries(SeriesExpr series) -> series;
      case Argument.OfNumber(Quantity number) -> new SeriesExpr.Constant(number);
      case Argument.OfChoice choice -> throw new IllegalArgumentException(choice.toString());
    };
  }

  private void define(String name, Function<List<Argument>, SeriesExpr> expression, Slot... slots) {
    byName.put(name, new Signature(name, new ArrayList<>(List.of(slots)), expression));
  }

  private static Slot of() {
    return slot("indicator", Slot.Kind.SERIES, Argument.of(SeriesExpr.CLOSE));
  }

  private static Slot required(String name) {
    return slot(name, Slot.Kind.SERIES, null);
  }

  private static Slot bars(String name, int usual) {
    return slot(name, Slot.Kind.WHOLE_NUMBER, Argument.of(usual));
  }

  private static Slot number(String name, double usual) {
    return slot(name, Slot.Kind.NUMBER, Argument.of(usual));
  }

  private static Slot slot(String name, Slot.Kind kind, @Nullable Argument fallback) {
    return new Slot(name, kind, Indicator.class, fallback);
  }
}
