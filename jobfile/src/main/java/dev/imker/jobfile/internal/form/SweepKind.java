package dev.imker.jobfile.internal.form;

import dev.imker.jobfile.findings.Findings;
import dev.imker.jobfile.findings.Spot;
import dev.imker.model.InputException;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.SweepAxis;
import dev.imker.model.sweep.SweepValues;
import dev.imker.model.validation.JobLimits;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A sweep: parameters with their values, and the groups {@code zip} and {@code csv}. */
final class SweepKind implements Kind<List<SweepEntry>> {
  static final String NAME_PATTERN = "[A-Za-z_][A-Za-z0-9_]{0,99}";
  private static final String DECIMAL = "-?\\d{1,15}(?:\\.\\d{1,15})?";
  private static final Pattern DECIMAL_RANGE =
      Pattern.compile("(%s)\\.\\.(%s)(?:\\.\\.(%s))?".formatted(DECIMAL, DECIMAL, DECIMAL));

  private static final Field<List<String>> VALUES =
      new Field<>("values", Kinds.listOf(Kinds.text()), "The values.");
  private static final Field<String> FROM = new Field<>("from", number(), "The first value.");
  private static final Field<String> TO =
      new Field<>("to", number(), "The last value, if a step reaches it.");
  private static final Field<String> STEP =
      new Field<>("step", number(), "The step between values; 1 by default.");
  private static final Field<Integer> WIDTH =
      new Field<>(
          "width",
          Kinds.whole(0, JobLimits.MAX_WIDTH),
          "Number of digits; shorter numbers are padded with zeros.");
  private static final Field<List<String>> FILES =
      new Field<>(
          "files",
          Kinds.oneOrMore(Kinds.text()),
          "Names of files that match the pattern; the files become inputs.");
  private static final Field<String> FILE =
      new Field<>("file", Kinds.text(), "The table; its first line holds the column names.");
  private static final Field<List<String>> COLUMNS =
      new Field<>("columns", Kinds.listOf(Kinds.text()), "Which columns; all by default.");
  private static final Field<String> SEPARATOR =
      new Field<>(
          "separator",
          Kinds.choice(separators()),
          "Column separator; by default detected from the header.");

  private static final Form RANGE = new Form(List.of(FROM, TO, STEP, WIDTH), Set.of("from", "to"));
  private static final Kind<SweepEntry.Source> AXIS = axis();
  private static final Kind<SweepEntry.Csv> CSV = csv();

  private static Map<String, String> separators() {
    Map<String, String> separators = new LinkedHashMap<>();
    separators.put(",", ",");
    separators.put(";", ";");
    separators.put("tab", "\t");
    return separators;
  }

  private static Kind<String> number() {
    return Kinds.of(
        (tree, spot, findings) -> {
          if (tree instanceof Tree.Text text && text.plain() && text.value().matches(DECIMAL)) {
            return text.value();
          }
          findings.error(spot, "This must be a number, but is " + tree.inWords() + ".", "");
          return null;
        },
        Map.of("type", "number"));
  }

  private static Kind<SweepEntry.Source> axis() {
    Kind<SweepEntry.Source> text = Kinds.of(SweepKind::fromText, Kinds.text().schema());
    Kind<SweepEntry.Source> list =
        Kinds.of(
            (tree, spot, findings) ->
                values(VALUES.kind().read(tree, spot.field(), findings), spot, findings),
            VALUES.kind().schema());
    Map<String, Kind<? extends SweepEntry.Source>> forms = new LinkedHashMap<>();
    forms.put("from", Kinds.of(SweepKind::fromRange, RANGE.schema()));
    forms.put(
        "files",
        Kinds.<Filled, SweepEntry.Source>map(
            new Form(List.of(FILES), Set.of("files")),
            filled -> new SweepEntry.Source.Files(filled.get(FILES, List.of()))));
    Form listed = new Form(List.of(VALUES), Set.of("values"));
    forms.put(
        "values",
        Kinds.of(
            (tree, spot, findings) -> {
              Filled filled = listed.read(tree, spot.field(), findings);
              return filled == null ? null : values(filled.get(VALUES), spot, findings);
            },
            listed.schema()));
    return Kinds.textOr(text, Kinds.listOr(list, Kinds.<SweepEntry.Source>byField(forms)));
  }

  private static Kind<SweepEntry.Csv> csv() {
    Kind<SweepEntry.Csv> name =
        Kinds.of(
            (tree, spot, findings) -> {
              String file = Kinds.text().read(tree, spot.field(), findings);
              return file == null ? null : new SweepEntry.Csv(file, List.of(), "", spot);
            },
            Kinds.text().schema());
    Kind<SweepEntry.Csv> form =
        Kinds.map(
            new Form(List.of(FILE, COLUMNS, SEPARATOR), Set.of("file")),
            filled ->
                new SweepEntry.Csv(
                    filled.get(FILE, ""),
                    filled.get(COLUMNS, List.of()),
                    filled.get(SEPARATOR, ""),
                    filled.spot()));
    return Kinds.textOr(name, form);
  }

  // ---------------------------------------------------------------- values

  private static SweepEntry.@Nullable Source values(
      @Nullable List<String> values, Spot spot, Findings findings) {
    if (values == null) {
      return null;
    }
    if (values.isEmpty()) {
      findings.error(spot, "The parameter has no values.", "Give at least one.");
      return null;
    }
    return new SweepEntry.Source.Fixed(SweepAxis.of("", values));
  }

  private static SweepEntry.@Nullable Source fromText(Tree tree, Spot spot, Findings findings) {
    String text = Kinds.text().read(tree, spot.field(), findings);
    if (text == null) {
      return null;
    }
    Matcher decimals = DECIMAL_RANGE.matcher(text);
    if (text.indexOf('.') >= 0 && decimals.matches() && hasPoint(decimals)) {
      return decimals(decimals.group(1), decimals.group(2), decimals.group(3), spot, findings);
    }
    try {
      return new SweepEntry.Source.Fixed(SweepValues.parse("", text, text));
    } catch (InputException e) {
      findings.error(spot, String.valueOf(e.getMessage()).replace("{", "").replace("}", ""), "");
      return null;
    }
  }

  private static boolean hasPoint(Matcher range) {
    return range.group(1).contains(".")
        || range.group(2).contains(".")
        || (range.group(3) != null && range.group(3).contains("."));
  }

  private static SweepEntry.@Nullable Source fromRange(Tree tree, Spot spot, Findings findings) {
    Filled range = RANGE.read(tree, spot.field(), findings);
    if (range == null) {
      return null;
    }
    String from = range.get(FROM);
    String to = range.get(TO);
    if (from == null || to == null) {
      return null;
    }
    String step = range.get(STEP, "1");
    int width = range.get(WIDTH, 0);
    if ((from + to + step).contains(".")) {
      return decimals(from, to, step, spot, findings);
    }
    long distance = Math.abs(Long.parseLong(step));
    long size = distance == 0 ? 0 : Math.abs(Long.parseLong(to) - Long.parseLong(from)) / distance;
    return tooMany(distance == 0, size, spot, findings)
        ? null
        : new SweepEntry.Source.Fixed(
            SweepAxis.range("", Long.parseLong(from), Long.parseLong(to), distance, width));
  }

  private static boolean tooMany(boolean endless, long size, Spot spot, Findings findings) {
    if (endless) {
      findings.error(spot, "A step of 0 never ends.", "Use another step.");
    } else if (size >= JobSpec.MAX_TASKS) {
      findings.error(
          spot,
          "The range has more than %,d values, the maximum for a job.".formatted(JobSpec.MAX_TASKS),
          "Split it into several jobs.");
    }
    return endless || size >= JobSpec.MAX_TASKS;
  }

  private static SweepEntry.@Nullable Source decimals(
      String from, String to, @Nullable String step, Spot spot, Findings findings) {
    if (step == null) {
      findings.error(
          spot,
          "A range of decimal numbers needs a step.",
          "Write it as %s..%s..0.1.".formatted(from, to));
      return null;
    }
    BigDecimal first = new BigDecimal(from);
    BigDecimal last = new BigDecimal(to);
    BigDecimal distance = new BigDecimal(step).abs();
    boolean endless = distance.signum() == 0;
    BigDecimal steps =
        endless ? BigDecimal.ZERO : last.subtract(first).abs().divideToIntegralValue(distance);
    boolean tooMany = steps.compareTo(BigDecimal.valueOf(1_000_000)) > 0;
    if (tooMany(endless, tooMany ? JobSpec.MAX_TASKS : 0, spot, findings)) {
      return null;
    }
    BigDecimal signed = last.compareTo(first) < 0 ? distance.negate() : distance;
    int scale = Math.max(first.scale(), distance.scale());
    List<String> values = new ArrayList<>();
    for (int i = 0; i <= steps.intValueExact(); i++) {
      values.add(first.add(signed.multiply(BigDecimal.valueOf(i))).setScale(scale).toPlainString());
    }
    return new SweepEntry.Source.Fixed(SweepAxis.of("", values));
  }

  // ---------------------------------------------------------------- the whole

  @Override
  public @Nullable List<SweepEntry> read(Tree tree, String field, Findings findings) {
    if (!(tree instanceof Tree.Entries entries)) {
      findings.error(
          new Spot(tree.place(), field),
          "A sweep must be a mapping, but is " + tree.inWords() + ".",
          "Write one 'NAME: VALUES' per line, as in 'seed: 1..100'.");
      return null;
    }
    List<SweepEntry> sweep = new ArrayList<>();
    for (Tree.Entry entry : entries.entries()) {
      String at = field + "." + entry.name();
      switch (entry.name().replaceFirst("^zip[0-9]*$", "zip")) {
        case "zip" -> zip(entry.value(), at, sweep, findings);
        case "csv" -> {
          List<SweepEntry.Csv> tables = Kinds.oneOrMore(CSV).read(entry.value(), at, findings);
          sweep.addAll(tables == null ? List.of() : tables);
        }
        default -> {
          SweepEntry.Axis axis = axis(entry, at, findings);
          if (axis != null) {
            sweep.add(axis);
          }
        }
      }
    }
    return sweep;
  }

  private static SweepEntry.@Nullable Axis axis(Tree.Entry entry, String at, Findings findings) {
    Spot spot = new Spot(entry.key().place(), at);
    SweepEntry.Source source = AXIS.read(entry.value(), at, findings);
    return source == null ? null : new SweepEntry.Axis(entry.name(), source, spot);
  }

  private static void zip(Tree tree, String at, List<SweepEntry> sweep, Findings findings) {
    List<Tree> groups = tree instanceof Tree.Items list ? list.items() : List.of(tree);
    for (int i = 0; i < groups.size(); i++) {
      String where = tree instanceof Tree.Items ? at + "[" + i + "]" : at;
      if (!(groups.get(i) instanceof Tree.Entries group)) {
        findings.error(
            new Spot(groups.get(i).place(), where),
            "zip needs a mapping of parameters, but this is " + groups.get(i).inWords() + ".",
            "Write zip: {x: [1, 2], y: [a, b]}.");
        continue;
      }
      List<SweepEntry.Axis> axes = new ArrayList<>();
      for (Tree.Entry entry : group.entries()) {
        SweepEntry.Axis axis = axis(entry, where + "." + entry.name(), findings);
        if (axis != null) {
          axes.add(axis);
        }
      }
      sweep.add(new SweepEntry.Zip(axes, new Spot(group.place(), where)));
    }
  }

  @Override
  public Map<String, Object> schema() {
    Map<String, Object> names =
        Map.of("pattern", "^" + NAME_PATTERN + "$", "not", Map.of("enum", List.of("task", "job")));
    Map<String, Object> group = new LinkedHashMap<>();
    group.put("type", "object");
    group.put("propertyNames", names);
    group.put("additionalProperties", AXIS.schema());
    Map<String, Object> zip =
        described(
            "Parameters that vary together.",
            Map.of("anyOf", List.of(group, Map.of("type", "array", "items", group))));
    Map<String, Object> csv =
        described(
            "Rows of a table; its columns are parameters that vary together.",
            Kinds.oneOrMore(CSV).schema());
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("type", "object");
    schema.put("propertyNames", names);
    schema.put("properties", Map.of("csv", csv));
    schema.put("patternProperties", Map.of("^zip[0-9]*$", zip));
    schema.put("additionalProperties", AXIS.schema());
    return schema;
  }

  private static Map<String, Object> described(String text, Map<String, Object> schema) {
    Map<String, Object> result = new LinkedHashMap<>();
    result.put("description", text);
    result.putAll(schema);
    return result;
  }
}
