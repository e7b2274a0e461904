package dev.imker.charts.series;

import dev.imker.charts.series.Slot.Shape;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Every indicator a file may name: the catalogue of ta4j, our short forms, and usual nicknames. */
public final class IndicatorCatalogue {
  /** Their value at a bar depends on later bars; a trader could not have known it. */
  private static final Set<String> LOOKING_AHEAD =
      Set.of(
          "ichimoku-chikou-span",
          "periodical-growth-rate",
          "sgma",
          "trend-line-resistance",
          "trend-line-support");

  private static final Map<String, String> NICKNAMES =
      Map.ofEntries(
          Map.entry("open", "open-price"),
          Map.entry("high", "high-price"),
          Map.entry("low", "low-price"),
          Map.entry("close", "close-price"),
          Map.entry("typical", "typical-price"),
          Map.entry("median", "median-price"),
          Map.entry("highest", "highest-value"),
          Map.entry("lowest", "lowest-value"),
          Map.entry("previous", "previous-value"),
          Map.entry("stddev", "standard-deviation"),
          Map.entry("obv", "on-balance-volume"),
          Map.entry("mfi", "money-flow-index"),
          Map.entry("cmf", "chaikin-money-flow"),
          Map.entry("psar", "parabolic-sar"),
          Map.entry("dema", "double-ema"),
          Map.entry("tema", "triple-ema"),
          Map.entry("true-range", "tr"),
          Map.entry("stochastic-k", "stochastic-oscillator-k"),
          Map.entry("donchian-upper", "donchian-channel-upper"),
          Map.entry("donchian-lower", "donchian-channel-lower"),
          Map.entry("donchian-middle", "donchian-channel-middle"),
          Map.entry("keltner-middle", "keltner-channel-middle"),
          Map.entry("aroon", "aroon-oscillator"),
          Map.entry("chandelier-long", "chandelier-exit-long"),
          Map.entry("chandelier-short", "chandelier-exit-short"));

  private static final IndicatorCatalogue INSTANCE = new IndicatorCatalogue();

  private final Map<String, Entry> byName = new TreeMap<>();
  private final Map<String, Entry> bySimplifiedName = new TreeMap<>();

  /** What an indicator gives at a bar. */
  public enum Yield {
    NUMBER,
    /** Yes or no. */
    TRUTH,
    /** Something that only certain other indicators can use. */
    STRUCTURE
  }

  /**
   * An indicator and the ways to call it.
   *
   * @param yields what it gives at a bar
   */
  public record Entry(String name, Yield yields, boolean looksAhead, List<Signature> signatures) {

    /** The call that fits values written as a list. */
    public Optional<Signature.Match> positional(List<Shape> shapes) {
      return best(signatures.stream().map(s -> s.positional(shapes)));
    }

    /** The call that fits values written with names. */
    public Optional<Signature.Match> named(List<String> names, List<Shape> shapes) {
      return best(signatures.stream().map(s -> s.named(names, shapes)));
    }

    private static Optional<Signature.Match> best(
        Stream<? extends Signature.@Nullable Match> matches) {
      return matches
          .filter(Objects::nonNull)
          .map(m -> (Signature.Match) m)
          .min(
              Comparator.comparingLong(Signature.Match::fallbacks)
                  .thenComparingInt(m -> m.signature().slots().size())
                  .thenComparing(m -> m.signature().key()));
    }
  }

  private IndicatorCatalogue() {
    Ta4jSignatures.byClass()
        .forEach((type, signatures) -> add(kebab(type), Ta4jSignatures.yieldOf(type), signatures));
    Macros.all().forEach((name, signature) -> add(name, Yield.NUMBER, List.of(signature)));
    NICKNAMES.forEach(
        (nickname, name) ->
            bySimplifiedName.put(
                Slot.simplified(nickname), Objects.requireNonNull(byName.get(name), name)));
  }

  public static IndicatorCatalogue instance() {
    return INSTANCE;
  }

  private void add(String name, Yield yields, List<Signature> signatures) {
    Entry entry = new Entry(name, yields, LOOKING_AHEAD.contains(name), List.copyOf(signatures));
    byName.put(name, entry);
    bySimplifiedName.put(Slot.simplified(name), entry);
    bySimplifiedName.put(Slot.simplified(name) + "indicator", entry);
  }

  /** "ParabolicSarIndicator" is "parabolic-sar" here. */
  private static String kebab(Class<?> type) {
    return type.getSimpleName()
        .replaceAll("Indicator$", "")
        .replaceAll("([a-z0-9])([A-Z])", "$1-$2")
        .replaceAll("([A-Z]+)([A-Z][a-z])", "$1-$2")
        .toLowerCase(Locale.ROOT);
  }

  /** Finds an entry by name; case, hyphens and a trailing "Indicator" do not matter. */
  public Optional<Entry> find(String name) {
    return Optional.ofNullable(bySimplifiedName.get(Slot.simplified(name)));
  }

  public Collection<Entry> entries() {
    return byName.values();
  }

  /** All names and nicknames, for suggestions. */
  public List<String> names() {
    return Stream.concat(byName.keySet().stream(), NICKNAMES.keySet().stream()).sorted().toList();
  }
}
