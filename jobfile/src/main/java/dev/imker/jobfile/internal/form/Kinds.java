package dev.imker.jobfile.internal.form;

import dev.imker.jobfile.findings.Findings;
import dev.imker.jobfile.findings.Hints;
import dev.imker.jobfile.findings.Spot;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The kinds of values of fields. */
final class Kinds {
  private static final Pattern WHOLE = Pattern.compile("-?(0|[1-9][0-9]*)");
  private static final Pattern OTHER_BASE = Pattern.compile("[-+]?0[0-9_]+|0[oOxXbB].*");
  private static final int MAX_DIGITS = 15;

  private Kinds() {}

  /** A kind defined by two functions. */
  private record Simple<T>(Reader<T> reader, Map<String, Object> schema) implements Kind<T> {
    @Override
    public @Nullable T read(Tree tree, String field, Findings findings) {
      return reader.read(tree, new Spot(tree.place(), field), findings);
    }
  }

  /** Reads a value. */
  interface Reader<T> {
    @Nullable T read(Tree tree, Spot spot, Findings findings);
  }

  static <T> Kind<T> of(Reader<T> reader, Map<String, Object> schema) {
    return new Simple<>(reader, schema);
  }

  // ---------------------------------------------------------------- scalars

  /** Any string, number or boolean, kept as written. */
  static Kind<String> text() {
    return of(Kinds::scalar, anyScalar());
  }

  /** The same, where a missing value means the empty string. */
  static Kind<String> textOrNothing() {
    return of(
        (tree, spot, findings) ->
            tree instanceof Tree.Text text && text.isNothing() ? "" : scalar(tree, spot, findings),
        Map.of("type", List.of("string", "number", "boolean", "null")));
  }

  private static Map<String, Object> anyScalar() {
    return Map.of("type", List.of("string", "number", "boolean"));
  }

  private static @Nullable String scalar(Tree tree, Spot spot, Findings findings) {
    if (tree instanceof Tree.Text text && !text.isNothing()) {
      if (text.value().indexOf('\0') >= 0) {
        findings.error(spot, "The text contains a NUL character.", "Remove it.");
        return null;
      }
      return text.value();
    }
    findings.error(
        spot,
        "This must be a string, but is " + tree.inWords() + ".",
        tree instanceof Tree.Text
            ? "Give a value, or remove the field."
            : "Quote it if it is one.");
    return null;
  }

  /** A string of a certain format, read by a function that returns null for all others. */
  static <T> Kind<T> written(
      String what, String example, String pattern, Function<String, @Nullable T> parser) {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "string");
    schema.put("pattern", pattern);
    schema.put("examples", List.of(example));
    return of(
        (tree, spot, findings) -> {
          String text = scalar(tree, spot, findings);
          if (text == null) {
            return null;
          }
          T value = parser.apply(text);
          if (value == null) {
            findings.error(
                spot,
                "'%s' is not a %s.".formatted(Hints.shorten(text), what),
                "Write it as " + example + ".");
          }
          return value;
        },
        schema);
  }

  static Kind<Long> duration() {
    return written(
        "length of time with a unit", "90s, 30m, 2h or 1d", Units.DURATION_PATTERN, Units::millis);
  }

  static Kind<Long> size() {
    return written("size with a unit", "512 MB or 2 GB", Units.SIZE_PATTERN, Units::bytes);
  }

  static Kind<Integer> whole(int least, int most) {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "integer");
    schema.put("minimum", least);
    schema.put("maximum", most);
    return of(
        (tree, spot, findings) -> {
          Long value = number(tree, spot, findings);
          if (value != null && (value < least || value > most)) {
            findings.error(
                spot,
                value + " is out of bounds.",
                "Give a number from %d to %d.".formatted(least, most));
            return null;
          }
          return value == null ? null : (Integer) value.intValue();
        },
        schema);
  }

  static Kind<Long> wholeLong() {
    return of(Kinds::number, Map.of("type", "integer"));
  }

  private static @Nullable Long number(Tree tree, Spot spot, Findings findings) {
    if (tree instanceof Tree.Text text && text.plain()) {
      if (WHOLE.matcher(text.value()).matches() && text.value().length() <= MAX_DIGITS) {
        return Long.valueOf(text.value());
      }
      if (OTHER_BASE.matcher(text.value()).matches()) {
        findings.error(
            spot,
            "'" + text.value() + "' may be read as octal, hexadecimal or binary.",
            "Write a plain decimal number without leading zeros.");
        return null;
      }
    }
    boolean quoted = tree instanceof Tree.Text text && !text.plain();
    findings.error(
        spot,
        "This must be a whole number, but is " + tree.inWords() + ".",
        quoted ? "Remove the quotes." : "");
    return null;
  }

  static Kind<Boolean> flag() {
    return of(
        (tree, spot, findings) -> {
          if (tree instanceof Tree.Text text
              && text.plain()
              && (text.value().equals("true") || text.value().equals("false"))) {
            return text.value().equals("true");
          }
          findings.error(
              spot,
              "This must be true or false, but is " + tree.inWords() + ".",
              "Write true or false.");
          return null;
        },
        Map.of("type", "boolean"));
  }

  static <E> Kind<E> choice(Map<String, E> choices) {
    return of(
        (tree, spot, findings) -> {
          String text = scalar(tree, spot, findings);
          E chosen = text == null ? null : choices.get(text);
          if (text != null && chosen == null) {
            findings.error(
                spot,
                "'" + Hints.shorten(text) + "' is not a valid value.",
                Hints.suggest(text, choices.keySet()));
          }
          return chosen;
        },
        Map.of("enum", List.copyOf(choices.keySet())));
  }

  // ---------------------------------------------------------------- lists and mappings

  static <T> Kind<List<T>> listOf(Kind<T> element) {
    return of(
        (tree, spot, findings) -> {
          if (tree instanceof Tree.Items list) {
            return items(list, element, spot.field(), findings);
          }
          findings.error(
              spot,
              "This must be a list, but is " + tree.inWords() + ".",
              "Write [a, b] or one '- a' per line.");
          return null;
        },
        Map.of("type", "array", "items", element.schema()));
  }

  private static <T> List<T> items(
      Tree.Items list, Kind<T> element, String field, Findings findings) {
    List<T> values = new ArrayList<>(list.items().size());
    for (int i = 0; i < list.items().size(); i++) {
      T value = element.read(list.items().get(i), field + "[" + i + "]", findings);
      if (value != null) {
        values.add(value);
      }
    }
    return values;
  }

  /** A list, or one element without the brackets. */
  static <T> Kind<List<T>> oneOrMore(Kind<T> element) {
    return of(
        (tree, spot, findings) -> {
          if (tree instanceof Tree.Items list) {
            return items(list, element, spot.field(), findings);
          }
          T value = element.read(tree, spot.field(), findings);
          return value == null ? null : List.of(value);
        },
        Map.of(
            "anyOf",
            List.of(element.schema(), Map.of("type", "array", "items", element.schema()))));
  }

  /** A mapping with arbitrary names. */
  static <T> Kind<Map<String, T>> mapOf(Kind<T> value, String keyPattern, String keyRule) {
    Pattern keys = Pattern.compile(keyPattern);
    return of(
        (tree, spot, findings) -> {
          if (!(tree instanceof Tree.Entries entries)) {
            findings.error(
                spot,
                "This must be a mapping, but is " + tree.inWords() + ".",
                "Write one 'NAME: value' per line.");
            return null;
          }
          Map<String, T> values = new LinkedHashMap<>();
          for (Tree.Entry entry : entries.entries()) {
            String at = spot.field() + "." + entry.name();
            if (!keys.matcher(entry.name()).matches()) {
              findings.error(
                  new Spot(entry.key().place(), at),
                  "'" + Hints.shorten(entry.name()) + "' is not a valid name.",
                  keyRule);
              continue;
            }
            T one = value.read(entry.value(), at, findings);
            if (one != null) {
              values.put(entry.name(), one);
            }
          }
          return values;
        },
        Map.of(
            "type",
            "object",
            "propertyNames",
            Map.of("pattern", "^(" + keyPattern + ")$"),
            "additionalProperties",
            value.schema()));
  }

  // ---------------------------------------------------------------- combinations

  static <S, T> Kind<T> map(Kind<S> kind, Function<S, @Nullable T> function) {
    return of(
        (tree, spot, findings) -> {
          S value = kind.read(tree, spot.field(), findings);
          return value == null ? null : function.apply(value);
        },
        kind.schema());
  }

  /** One kind for scalars, another for everything else. */
  static <T> Kind<T> textOr(Kind<? extends T> text, Kind<? extends T> other) {
    return of(
        (tree, spot, findings) ->
            (tree instanceof Tree.Text ? text : other).read(tree, spot.field(), findings),
        Map.of("anyOf", List.of(text.schema(), other.schema())));
  }

  /** One kind for lists, another for everything else. */
  static <T> Kind<T> listOr(Kind<? extends T> list, Kind<? extends T> other) {
    return of(
        (tree, spot, findings) ->
            (tree instanceof Tree.Items ? list : other).read(tree, spot.field(), findings),
        Map.of("anyOf", List.of(list.schema(), other.schema())));
  }

  /** Mappings of several forms; the first form whose field is present applies. */
  static <T> Kind<T> byField(Map<String, Kind<? extends T>> forms) {
    return of(
        (tree, spot, findings) -> {
          if (tree instanceof Tree.Entries entries) {
            for (Map.Entry<String, Kind<? extends T>> form : forms.entrySet()) {
              if (entries.has(form.getKey())) {
                return form.getValue().read(tree, spot.field(), findings);
              }
            }
          }
          findings.error(
              spot,
              "All required fields are missing.",
              "Add one of these: " + String.join(", ", forms.keySet()) + ".");
          return null;
        },
        Map.of(
            "anyOf",
            forms.entrySet().stream()
                .map(f -> requiring(f.getKey(), f.getValue().schema()))
                .toList()));
  }

  private static Map<String, Object> requiring(String field, Map<String, Object> schema) {
    Map<String, Object> result = new LinkedHashMap<>(schema);
    List<Object> required = new ArrayList<>(List.of(field));
    if (schema.get("required") instanceof List<?> more) {
      more.stream().filter(name -> !name.equals(field)).forEach(required::add);
    }
    result.put("required", required);
    return result;
  }
}
