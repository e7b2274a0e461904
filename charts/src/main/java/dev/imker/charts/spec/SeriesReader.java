package dev.imker.charts.spec;

import dev.imker.charts.ChartException;
import dev.imker.charts.market.Frame;
import dev.imker.charts.search.Expression;
import dev.imker.charts.series.Argument;
import dev.imker.charts.series.IndicatorCatalogue;
import dev.imker.charts.series.IndicatorCatalogue.Entry;
import dev.imker.charts.series.IndicatorCatalogue.Yield;
import dev.imker.charts.series.SeriesExpr;
import dev.imker.charts.series.Signature;
import dev.imker.charts.series.Signature.Match;
import dev.imker.charts.series.Slot;
import dev.imker.charts.series.Slot.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Reads indicators: names, numbers, and calls such as {sma: {of: close, bars: 20}}. */
final class SeriesReader {
  private static final String FORMULA = "formula";
  private static final String TIMEFRAME = "timeframe";
  private static final String MARKET = "market";
  private static final String JAVA = "java";
  private static final Set<String> SPECIAL = Set.of(FORMULA, TIMEFRAME, MARKET, JAVA);
  private static final Set<String> PRICES = Set.of("open", "high", "low", "close", "volume");

  private final IndicatorCatalogue catalogue = IndicatorCatalogue.instance();
  private final Quantities quantities;
  private final Map<String, Defined> defined = new LinkedHashMap<>();
  private final Set<String> otherMarkets = new LinkedHashSet<>();
  private final Map<String, Set<String>> javaIndicators = new LinkedHashMap<>();

  /** An indicator the user gave a name. */
  record Defined(SeriesExpr expression, Yield yields, boolean broken) {
    /** Stands for an indicator that could not be read, so that its users are not blamed as well. */
    static final Defined BROKEN = new Defined(SeriesExpr.CLOSE, Yield.NUMBER, true);

    Defined(SeriesExpr expression, Yield yields) {
      this(expression, yields, false);
    }
  }

  SeriesReader(Quantities quantities) {
    this.quantities = quantities;
  }

  /** Adds the named indicators of a section; each may use those above it. */
  void define(YamlValue section) {
    section
        .map()
        .forEach(
            (name, value) ->
                defined.put(
                    name, value.mistakes().reading(() -> read(name, value), Defined.BROKEN)));
  }

  private Defined read(String name, YamlValue value) {
    if (PRICES.contains(name)) {
      throw value.error(
          "'%s' means the price of that name in every rule; choose another name.".formatted(name));
    }
    return readAny(value, name);
  }

  SeriesExpr number(YamlValue value, String label) {
    Defined result = readAny(value, label);
    if (result.yields() != Yield.NUMBER) {
      throw value.error("this indicator does not return a number, which is needed here.");
    }
    return result.expression();
  }

  /** A series of yes and no, if the value names one. */
  Optional<SeriesExpr> truth(YamlValue value, String label) {
    String name = value.isScalar() ? value.text() : String.join("", value.map().keySet());
    boolean known =
        (value.isScalar() && defined.containsKey(name))
            || SPECIAL.contains(name)
            || catalogue.find(name).isPresent();
    if (!known) {
      return Optional.empty();
    }
    Defined result = readAny(value, label);
    boolean mayBe = result.expression() instanceof SeriesExpr.Java; // what it gives is seen later
    if (result.yields() != Yield.TRUTH && !result.broken() && !mayBe) {
      throw value.error(
          "'%s' is not true or false; compare it, as in {over: [%s, 0]}.".formatted(name, name));
    }
    return Optional.of(result.expression());
  }

  List<String> truthNames() {
    return catalogue.entries().stream()
        .filter(e -> e.yields() == Yield.TRUTH)
        .map(Entry::name)
        .toList();
  }

  private Defined readAny(YamlValue value, String label) {
    if (Quantities.looksLikeNumber(value)) {
      return new Defined(new SeriesExpr.Constant(quantities.read(value, label)), Yield.NUMBER);
    }
    if (value.isScalar()) {
      Defined known = defined.get(value.text());
      return known != null ? known : call(entry(value, value.text()), value, List.of(), label);
    }
    if (!value.isMap() || value.map().size() != 1) {
      throw value.error("expected one indicator, as in {sma: {of: close, bars: 20}}.");
    }
    var only = value.map().entrySet().iterator().next();
    if (SPECIAL.contains(only.getKey())) {
      return special(only.getKey(), only.getValue(), label);
    }
    Entry entry = entry(value, only.getKey());
    YamlValue given = only.getValue();
    boolean named = given.isMap() && !Quantities.looksLikeNumber(given) && !isCall(given);
    return named
        ? callNamed(entry, given, label)
        : call(entry, given, isArguments(given) ? given.items() : List.of(given), label);
  }

  private Defined special(String key, YamlValue value, String label) {
    return switch (key) {
      case FORMULA -> formula(value);
      case TIMEFRAME -> timeframe(value, label);
      case MARKET -> ofMarket(value, label);
      default -> java(value, label);
    };
  }

  private Defined timeframe(YamlValue value, String label) {
    Map<String, YamlValue> map = value.map(List.of("bars", "of"));
    Frame frame = DataReader.frame(Quantities.require(map, "bars", value));
    Defined of = readAny(Quantities.require(map, "of", value), label);
    return new Defined(
        new SeriesExpr.InFrame(Objects.requireNonNull(frame), of.expression()), of.yields());
  }

  private Defined ofMarket(YamlValue value, String label) {
    Map<String, YamlValue> map = value.map(List.of("name", "of"));
    String name = Quantities.require(map, "name", value).text();
    YamlValue of = map.get("of");
    Defined read = of == null ? new Defined(SeriesExpr.CLOSE, Yield.NUMBER) : readAny(of, label);
    otherMarkets.add(name);
    return new Defined(new SeriesExpr.OfMarket(name, read.expression()), read.yields());
  }

  /** Which parameters there are is known with the libraries only. */
  private Defined java(YamlValue value, String label) {
    Map<String, YamlValue> map =
        value.isScalar() ? Map.of("name", value) : new LinkedHashMap<>(value.map());
    YamlValue name = Quantities.require(map, "name", value);
    Map<String, Argument> arguments = new LinkedHashMap<>();
    map.forEach(
        (key, given) -> {
          if (!key.equals("name")) {
            arguments.put(
                key,
                Quantities.looksLikeNumber(given)
                    ? Argument.of(quantities.read(given, label + "." + key))
                    : Argument.of(number(given, label + "." + key)));
          }
        });
    javaIndicators.put(name.text(), Set.copyOf(arguments.keySet()));
    return new Defined(new SeriesExpr.Java(name.text(), arguments), Yield.NUMBER);
  }

  /** The indicators with names that can be computed. */
  Map<String, SeriesExpr> indicators() {
    Map<String, SeriesExpr> named = new LinkedHashMap<>();
    defined.forEach(
        (name, one) -> {
          if (one.yields() != Yield.STRUCTURE) {
            named.put(name, one.expression());
          }
        });
    return named;
  }

  /** Other markets that were looked at. */
  Set<String> otherMarkets() {
    return otherMarkets;
  }

  /** Indicators of libraries, with the names of what they were given. */
  Map<String, Set<String>> javaIndicators() {
    return javaIndicators;
  }

  /** Of the names that occur in it only, so that no other indicator delays the first signal. */
  private Defined formula(YamlValue value) {
    String text = value.text();
    List<String> known = new ArrayList<>(PRICES);
    defined.forEach(
        (name, series) -> {
          if (series.yields() == Yield.NUMBER) {
            known.add(name);
          }
        });
    Set<String> words = Set.copyOf(List.of(text.split("[^A-Za-z0-9_.]+", -1)));
    List<String> used = known.stream().filter(words::contains).sorted().toList();
    try {
      var _ = Expression.parse(text, known); // whose mistakes are told with all names in mind
      Expression expression = Expression.parse(text, used);
      return new Defined(
          new SeriesExpr.Formula(text, expression, used.stream().map(this::named).toList()),
          Yield.NUMBER);
    } catch (SpecException e) {
      throw e;
    } catch (ChartException e) {
      throw value.error(String.valueOf(e.getMessage()));
    }
  }

  private SeriesExpr named(String name) {
    Defined own = defined.get(name);
    return own != null
        ? own.expression()
        : catalogue
            .find(name)
            .orElseThrow()
            .positional(List.of())
            .orElseThrow()
            .signature()
            .build(List.of());
  }

  /** {sma: [5, 10]} varies the bars; {sma: [close, 5]} and {macd: [12, 26]} are arguments. */
  private static boolean isArguments(YamlValue given) {
    return given.isList();
  }

  /** Whether a map is itself an indicator, as the argument in {sma: {rsi: 14}}. */
  private boolean isCall(YamlValue value) {
    if (value.map().size() != 1) {
      return false;
    }
    var only = value.map().entrySet().iterator().next();
    boolean isSlot = List.of("of", "bars", "k", "n").contains(only.getKey());
    boolean isIndicator =
        SPECIAL.contains(only.getKey()) || catalogue.find(only.getKey()).isPresent();
    return !isSlot && isIndicator;
  }

  private Entry entry(YamlValue value, String name) {
    Entry entry =
        catalogue
            .find(name)
            .orElseThrow(
                () -> {
                  List<String> known = new ArrayList<>(defined.keySet());
                  known.addAll(catalogue.names());
                  return value.unknown("indicator", name, known);
                });
    if (entry.looksAhead()) {
      throw value.error(
          "'%s' looks into the future; no trader could have used it. Use another indicator."
              .formatted(entry.name()));
    }
    return entry;
  }

  private Defined call(Entry entry, YamlValue where, List<YamlValue> given, String label) {
    List<Shape> shapes = given.stream().map(this::shape).toList();
    Optional<Match> match = entry.positional(shapes);
    boolean oneList = match.isEmpty() && where.isList() && Quantities.looksLikeNumber(where);
    if (oneList) {
      match = entry.positional(List.of(Shape.NUMBER));
    }
    return build(entry, where, match, oneList ? List.of(where) : given, label, false);
  }

  private Defined callNamed(Entry entry, YamlValue given, String label) {
    Map<String, YamlValue> map = given.map();
    List<YamlValue> values = List.copyOf(map.values());
    List<Shape> shapes = values.stream().map(this::shape).toList();
    Optional<Match> match = entry.named(List.copyOf(map.keySet()), shapes);
    return build(entry, given, match, values, label, true);
  }

  private Shape shape(YamlValue value) {
    if (Quantities.looksLikeNumber(value)) {
      return Shape.NUMBER;
    }
    return value.isScalar() ? Shape.NAME : Shape.SERIES;
  }

  private Defined build(
      Entry entry,
      YamlValue where,
      Optional<Match> match,
      List<YamlValue> values,
      String label,
      boolean named) {
    if (match.isEmpty()) {
      throw where.error(
          "'%s' does not take these values. It takes %s.".formatted(entry.name(), usage(entry)));
    }
    Signature signature = match.get().signature();
    List<Argument> arguments = new ArrayList<>();
    for (int i = 0; i < signature.slots().size(); i++) {
      Slot slot = signature.slots().get(i);
      int value = match.get().valueOfSlot()[i];
      String name = named || values.size() > 1 ? label + "." + slot.label() : label;
      arguments.add(
          value < 0
              ? Objects.requireNonNull(slot.fallback())
              : argument(values.get(value), slot, name));
    }
    return new Defined(signature.build(arguments), entry.yields());
  }

  private static String usage(Entry entry) {
    return entry.signatures().stream()
        .map(Signature::usage)
        .distinct()
        .sorted()
        .collect(Collectors.joining(" or "));
  }

  private Argument argument(YamlValue value, Slot slot, String label) {
    return switch (slot.kind()) {
      case SERIES ->
          Argument.of(slot.isParticular() ? particular(value, slot, label) : number(value, label));
      // fewer than no bars would look into the future
      case WHOLE_NUMBER -> Argument.of(quantities.read(value, label, 0, Double.POSITIVE_INFINITY));
      case NUMBER -> Argument.of(quantities.read(value, label));
      case CHOICE, FLAG -> {
        Object constant = slot.choice(value.text());
        if (constant == null) {
          throw value.unknown(slot.label(), value.text(), slot.choices());
        }
        yield new Argument.OfChoice(constant);
      }
    };
  }

  /** Some indicators take only a certain other one, such as an ATR. */
  private SeriesExpr particular(YamlValue value, Slot slot, String label) {
    Defined given = readAny(value, label);
    SeriesExpr expression = given.expression();
    if (!slot.fits(expression) && !given.broken()) {
      throw value.error(
          "a '%s' is needed here."
              .formatted(slot.type().getSimpleName().replaceAll("Indicator$", "")));
    }
    return expression;
  }
}
