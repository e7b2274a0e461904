package dev.imker.charts.series;

import dev.imker.charts.series.SeriesExpr.Call;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/** Fills the slots of a signature with something that makes sense. */
public final class SampleCalls {

  private SampleCalls() {}

  public static Call of(String key) {
    Signature signature =
        Ta4jSignatures.byClass().values().stream()
            .flatMap(List::stream)
            .filter(s -> s.key().equals(key))
            .findFirst()
            .orElseThrow(() -> new IllegalArgumentException(key));
    return of(signature);
  }

  static Call of(Signature signature) {
    List<Argument> arguments = new ArrayList<>();
    int numbers = 0;
    for (Slot slot : signature.slots()) {
      Argument fallback = signature.key().startsWith("DistanceFromMA") ? null : slot.fallback();
      arguments.add(
          switch (slot.kind()) {
            case SERIES ->
                fallback != null
                    ? fallback
                    : Argument.of(slot.isParticular() ? ofType(slot.type()) : general(signature));
            case WHOLE_NUMBER ->
                Argument.of(slot.name().equals("polynomialOrder") ? 2 : 5 + 4 * numbers++);
            case NUMBER -> Argument.of(number(slot.name(), signature));
            case FLAG -> new Argument.OfChoice(true);
            case CHOICE -> new Argument.OfChoice(choice(slot, signature));
          });
    }
    return new Call(signature.key(), arguments);
  }

  private static Object choice(Slot slot, Signature signature) {
    String name =
        switch (signature.key()) {
          case "UnaryOperationIndicator(Operation,Indicator,Num,Num)" -> "substitute";
          case "UnaryOperationIndicator(Operation,Indicator,Number)" -> "pow";
          default -> slot.choices().getFirst();
        };
    return Objects.requireNonNull(slot.choice(name));
  }

  /** One indicator takes any moving average, but nothing else. */
  private static SeriesExpr general(Signature signature) {
    return signature.key().startsWith("DistanceFromMA")
        ? of("SMAIndicator(Indicator,int)")
        : Call.of("HighPriceIndicator(BarSeries)");
  }

  private static double number(String name, Signature signature) {
    if (signature.key().startsWith("ParabolicSar")) {
      return name.equals("maxA") ? 0.2 : 0.02;
    }
    return name.contains("hreshold")
            || name.contains("ercentage")
            || name.contains("ecay")
            || name.contains("Weight")
        ? 0.2
        : 2;
  }

  private static SeriesExpr ofType(Class<?> type) {
    return Ta4jSignatures.byClass().entrySet().stream()
        .filter(e -> type.isAssignableFrom(e.getKey()))
        .flatMap(e -> e.getValue().stream())
        .min(
            Comparator.comparingInt((Signature s) -> s.slots().size())
                .thenComparing(Signature::key))
        .map(SampleCalls::of)
        .orElseThrow();
  }
}
