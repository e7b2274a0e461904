package dev.imker.charts.spec;

import dev.imker.charts.series.Quantity;
import dev.imker.charts.strategy.Terms;
import dev.imker.charts.strategy.Terms.Sizing.Kind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads how much is bought. */
record SizingReader(Quantities quantities) {
  /**
   * What a way of sizing needs besides its amount.
   *
   * @param second what it must have; empty if nothing
   * @param bars what may be given, with {@code usual} as its value; empty if nothing
   */
  private record Form(Kind kind, String second, String bars, double usual) {
    List<String> fields() {
      return Stream.of(second, bars).filter(field -> !field.isEmpty()).toList();
    }
  }

  private static final Map<String, Form> FORMS = forms();

  private static Map<String, Form> forms() {
    Map<String, Form> forms = new LinkedHashMap<>();
    forms.put("equity-percent", new Form(Kind.EQUITY_PERCENT, "", "", 0));
    forms.put("cash", new Form(Kind.CASH, "", "", 0));
    forms.put("units", new Form(Kind.UNITS, "", "", 0));
    forms.put("risk-percent", new Form(Kind.RISK_PERCENT, "stop-percent", "", 0));
    forms.put("atr-risk-percent", new Form(Kind.ATR_RISK_PERCENT, "atrs", "bars", 14));
    forms.put("volatility-percent", new Form(Kind.VOLATILITY_PERCENT, "", "bars", 20));
    forms.put("kelly", new Form(Kind.KELLY, "until-percent", "trades", 20));
    return forms;
  }

  private static List<String> fields() {
    return Stream.concat(
            FORMS.keySet().stream(),
            FORMS.values().stream().flatMap(form -> form.fields().stream()))
        .distinct()
        .toList();
  }

  Terms.Sizing read(YamlValue value) {
    Map<String, YamlValue> map = value.map(fields());
    List<String> given = FORMS.keySet().stream().filter(map::containsKey).toList();
    if (given.size() != 1) {
      throw value.error("give exactly one of " + String.join(", ", FORMS.keySet()) + ".");
    }
    String name = given.getFirst();
    Form form = FORMS.getOrDefault(name, new Form(Kind.UNITS, "", "", 0));
    for (String field : map.keySet()) {
      if (!field.equals(name) && !form.fields().contains(field)) {
        throw value.error("'%s' does not apply to '%s'.".formatted(field, name));
      }
    }
    if (!form.second().isEmpty() && !map.containsKey(form.second())) {
      throw value.error("%s needs %s.".formatted(name, form.second()));
    }
    YamlValue bars = map.get(form.bars());
    return new Terms.Sizing(
        form.kind(),
        quantity(map.get(name), "size"),
        quantity(
            map.get(form.second()),
            form.kind() == Kind.RISK_PERCENT ? "size.stop" : "size." + form.second()),
        bars == null
            ? Quantity.of(form.usual())
            : quantities.read(bars, "size." + form.bars(), 1, Double.POSITIVE_INFINITY));
  }

  private Quantity quantity(@Nullable YamlValue value, String label) {
    return value == null
        ? Quantity.of(0)
        : quantities.read(value, label, 0, Double.POSITIVE_INFINITY);
  }
}
