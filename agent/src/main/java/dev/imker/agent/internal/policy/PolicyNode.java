package dev.imker.agent.internal.policy;

import dev.imker.agent.Offer;
import dev.imker.model.Platform.Resource;
import dev.imker.model.job.Requirements;
import dev.imker.model.validation.Amounts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** A map of a policy file; knows where everything stands, so that errors can say it. */
final class PolicyNode {
  private static final Pattern DURATION =
      Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*(s|sec|min|m|h|d)");

  private final String file;
  private final Map<String, Node> values = new LinkedHashMap<>();

  PolicyNode(String file, Node node, List<String> known) {
    this.file = file;
    if (!(node instanceof MappingNode mapping)) {
      throw wrong(node, "expected 'key: value' lines");
    }
    for (NodeTuple tuple : mapping.getValue()) {
      String key = text(tuple.getKeyNode());
      if (!known.contains(key)) {
        throw wrong(
            tuple.getKeyNode(),
            "there is no setting '" + key + "'; known are " + String.join(", ", known));
      }
      values.put(key, tuple.getValueNode());
    }
  }

  boolean has(String key) {
    return values.containsKey(key);
  }

  PolicyNode map(String key, List<String> known) {
    return new PolicyNode(file, node(key), known);
  }

  boolean flag(String key, boolean otherwise) {
    return value(
        key,
        otherwise,
        "yes or no",
        text ->
            switch (text.toLowerCase(Locale.ROOT)) {
              case "true", "yes", "on" -> true;
              case "false", "no", "off" -> false;
              default -> throw new IllegalArgumentException(text);
            });
  }

  int count(String key, int otherwise) {
    return count(key, 1, otherwise);
  }

  int count(String key, int least, int otherwise) {
    return value(
        key,
        otherwise,
        "a whole number of at least " + least,
        text -> {
          int number = Integer.parseInt(text);
          if (number < least) {
            throw new IllegalArgumentException(text);
          }
          return number;
        });
  }

  /** A number between 0 and 1, or per cent. */
  double share(String key, double otherwise) {
    return value(
        key,
        otherwise,
        "a share such as 0.5 or 50 %",
        text -> {
          boolean percent = text.endsWith("%");
          double number = Double.parseDouble(text.replace("%", "").strip());
          double share = percent ? number / 100 : number;
          if (!(share >= 0 && share <= 1)) {
            throw new IllegalArgumentException(text);
          }
          return share;
        });
  }

  long bytes(String key, long otherwise) {
    return value(key, otherwise, Amounts.SIZES, Amounts::bytes);
  }

  long millis(String key, long otherwise) {
    return value(key, otherwise, "a time such as 90 s, 10 min, 8 h", PolicyNode::millis);
  }

  <T> T value(String key, T otherwise, String expected, Function<String, T> parser) {
    return has(key) ? parse(key, node(key), expected, parser) : otherwise;
  }

  /** One value or a list of them. */
  <T> List<T> list(String key, String expected, Function<String, T> parser) {
    List<T> all = new ArrayList<>();
    if (has(key)) {
      if (node(key) instanceof SequenceNode sequence) {
        sequence.getValue().forEach(item -> all.add(parse(key, item, expected, parser)));
      } else {
        all.add(parse(key, node(key), expected, parser));
      }
    }
    return all;
  }

  /** Things that the owner declares by names of his choice. */
  Offer declared(String key, Offer offer) {
    if (!has(key)) {
      return offer;
    }
    if (!(node(key) instanceof MappingNode mapping)) {
      throw wrong(node(key), "'" + key + "' expects lines such as 'fpga: 2'");
    }
    Offer all = offer;
    for (NodeTuple tuple : mapping.getValue()) {
      String name = text(tuple.getKeyNode());
      if (!Requirements.isResourceName(name)) {
        throw wrong(
            tuple.getKeyNode(),
            "'"
                + name
                + "' is not a valid resource name: use up to 64 letters, digits, '-', '_'"
                + " or '.', and not cores, memory, disk or gpus");
      }
      all = all.with(name, resource(name, tuple.getValueNode()));
    }
    return all;
  }

  private Resource resource(String name, Node value) {
    if (value instanceof SequenceNode sequence) {
      try {
        return Amounts.items(sequence.getValue().stream().map(this::text).toList());
      } catch (IllegalArgumentException e) {
        throw wrong(value, "'" + name + "' takes " + Amounts.RESOURCES);
      }
    }
    return parse(name, value, Amounts.RESOURCES, Amounts::resource);
  }

  PolicyException wrong(String key, String why) {
    return wrong(node(key), why);
  }

  private <T> T parse(String key, Node node, String expected, Function<String, T> parser) {
    String text = text(node);
    try {
      return parser.apply(text.strip());
    } catch (IllegalArgumentException e) {
      throw wrong(node, "'" + key + "' takes " + expected + ", not '" + text + "'");
    }
  }

  private Node node(String key) {
    Node node = values.get(key);
    if (node == null) {
      throw new IllegalArgumentException("no value for " + key);
    }
    return node;
  }

  private String text(Node node) {
    if (node instanceof ScalarNode scalar) {
      return scalar.getValue();
    }
    throw wrong(node, "expected a single value");
  }

  private PolicyException wrong(Node node, String why) {
    String line = node.getStartMark().map(mark -> ", line " + (mark.getLine() + 1)).orElse("");
    return new PolicyException(file + line + ": " + why + ".");
  }

  static long millis(String text) {
    Matcher matcher = DURATION.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(text);
    }
    double number = Double.parseDouble(matcher.group(1));
    long unit =
        switch (matcher.group(2)) {
          case "s", "sec" -> 1_000;
          case "m", "min" -> 60_000;
          case "h" -> 3_600_000;
          default -> 86_400_000;
        };
    return Math.round(number * unit);
  }
}
