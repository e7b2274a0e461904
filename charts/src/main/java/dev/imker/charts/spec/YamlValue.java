package dev.imker.charts.spec;

import dev.imker.charts.NearestName;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** A value of a YAML file that knows where it stands. */
final class YamlValue {
  private final String file;
  private final Mistakes mistakes;
  private final Node node;
  private final String field;

  private YamlValue(String file, Mistakes mistakes, Node node, String field) {
    this.file = file;
    this.mistakes = mistakes;
    this.node = node;
    this.field = field;
  }

  /** A value of the same file. */
  private YamlValue other(Node other, String path) {
    return new YamlValue(file, mistakes, other, path);
  }

  /** Those of the whole file. */
  Mistakes mistakes() {
    return mistakes;
  }

  static YamlValue parse(String file, String text) {
    try {
      LoadSettings settings = LoadSettings.builder().setLabel(file).setUseMarks(true).build();
      Optional<Node> root = new Compose(settings).composeString(text);
      if (root.isEmpty()) {
        throw new SpecException(file, 1, 1, "", "the file is empty; it needs at least 'kind:'.");
      }
      return new YamlValue(file, new Mistakes(), root.get(), "");
    } catch (MarkedYamlEngineException e) {
      Optional<Mark> mark = e.getProblemMark();
      throw new SpecException(
          file,
          mark.map(m -> m.getLine() + 1).orElse(1),
          mark.map(m -> m.getColumn() + 1).orElse(1),
          "",
          "this is not YAML: " + e.getProblem() + ". Check indentation, colons and brackets.");
    } catch (YamlEngineException e) {
      throw new SpecException(file, 1, 1, "", "this is not YAML: " + e.getMessage());
    }
  }

  SpecException error(String problem) {
    Optional<Mark> mark = node.getStartMark();
    return new SpecException(
        file,
        mark.map(m -> m.getLine() + 1).orElse(1),
        mark.map(m -> m.getColumn() + 1).orElse(1),
        field,
        problem);
  }

  /** "unknown rule 'x'. Did you mean 'y'?" */
  SpecException unknown(String what, String wrong, Collection<String> known) {
    return error("unknown %s '%s'.%s".formatted(what, wrong, NearestName.hint(wrong, known)));
  }

  boolean isMap() {
    return node instanceof MappingNode;
  }

  boolean isList() {
    return node instanceof SequenceNode;
  }

  boolean isScalar() {
    return node instanceof ScalarNode;
  }

  /** The values of a map by key, in the order written. */
  Map<String, YamlValue> map() {
    if (!(node instanceof MappingNode mapping)) {
      throw error("expected a map of names to values, found " + kind() + ".");
    }
    Map<String, YamlValue> values = new LinkedHashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      String key = other(tuple.getKeyNode(), field).text();
      String path = field.isEmpty() ? key : field + "." + key;
      YamlValue value = other(tuple.getValueNode(), path);
      if (values.put(key, value) != null) {
        mistakes.add(other(tuple.getKeyNode(), path).error("this key appears twice."));
      }
    }
    return values;
  }

  /** As {@link #map()}, of the known keys; any other is a mistake. */
  Map<String, YamlValue> map(Collection<String> known) {
    Map<String, YamlValue> values = map();
    if (node instanceof MappingNode mapping) {
      for (NodeTuple tuple : mapping.getValue()) {
        YamlValue key = other(tuple.getKeyNode(), field);
        if (!known.contains(key.text())) {
          boolean comma = key.text().matches("\\d+ ?%?") && isNothing(tuple.getValueNode());
          mistakes.add(
              comma
                  ? key.error(
                      "a comma before '%s' starts another field; write numbers with a decimal point, as in 0.%s."
                          .formatted(key.text(), key.text()))
                  : key.unknown("field", key.text(), known));
          values.remove(key.text());
        }
      }
    }
    return values;
  }

  private static boolean isNothing(Node node) {
    return node instanceof ScalarNode scalar && scalar.getValue().isEmpty();
  }

  List<YamlValue> items() {
    if (!(node instanceof SequenceNode sequence)) {
      throw error("expected a list, found " + kind() + ".");
    }
    List<YamlValue> items = new ArrayList<>();
    for (Node item : sequence.getValue()) {
      items.add(other(item, field + "[" + items.size() + "]"));
    }
    return items;
  }

  /** The items of a list, or the value itself as the only one. */
  List<YamlValue> itemsOrSelf() {
    return isList() ? items() : List.of(this);
  }

  String text() {
    if (!(node instanceof ScalarNode scalar)) {
      throw error("expected a single value, found " + kind() + ".");
    }
    return scalar.getValue();
  }

  OptionalDouble asNumber() {
    if (!(node instanceof ScalarNode scalar)) {
      return OptionalDouble.empty();
    }
    try {
      double value = Double.parseDouble(scalar.getValue().replace("_", "").replace("%", ""));
      return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
    } catch (NumberFormatException e) {
      return OptionalDouble.empty();
    }
  }

  double number() {
    return asNumber().orElseThrow(this::notANumber);
  }

  /** Tells a decimal comma from other words. */
  SpecException notANumber() {
    boolean comma = text().matches("[+-]?\\d+,\\d+ ?%?");
    return error(
        "expected a number, found '%s'.%s"
            .formatted(
                text(), comma ? " Write " + text().replace(',', '.') + ", with a point." : ""));
  }

  int whole(int least) {
    double value = number();
    if (value != Math.rint(value) || value < least || value > Integer.MAX_VALUE) {
      throw error("expected a whole number of at least %d, found '%s'.".formatted(least, text()));
    }
    return (int) value;
  }

  boolean flag() {
    return switch (text()) {
      case "true", "yes" -> true;
      case "false", "no" -> false;
      default -> throw error("expected true or false, found '" + text() + "'.");
    };
  }

  LocalDate date() {
    try {
      return LocalDate.parse(text());
    } catch (DateTimeException e) {
      throw error("expected a date like 2015-12-31, found '" + text() + "'.");
    }
  }

  /** One of the known words, hyphen or underscore. */
  String oneOf(String what, List<String> known) {
    String written = text().replace('_', '-');
    if (!known.contains(written)) {
      throw unknown(what, text(), known);
    }
    return written;
  }

  private String kind() {
    return isMap() ? "a map" : isList() ? "a list" : "'" + text() + "'";
  }
}
