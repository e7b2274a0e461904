package dev.imker.jobfile.internal.form;

import dev.imker.jobfile.findings.Findings;
import dev.imker.jobfile.findings.Place;
import dev.imker.jobfile.findings.Spot;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/** Reads YAML into trees with positions. */
public final class TreeReader {
  private static final int MAX_DEPTH = 50;
  private static final int MAX_NODES = 3_000_000;
  private static final int MAX_ALIASES = 100;
  private static final Set<String> STANDARD_TAGS =
      Set.of("str", "int", "float", "bool", "null", "seq", "map");
  private static final String TAG_PREFIX = "tag:yaml.org,2002:";

  private final Findings findings;
  private int nodes;

  private TreeReader(Findings findings) {
    this.findings = findings;
  }

  /**
   * The documents of a text; none, with findings, if it is not valid YAML. Empty documents are left
   * out.
   */
  public static List<Tree> read(String text, Findings findings) {
    return new TreeReader(findings).documents(text);
  }

  private List<Tree> documents(String text) {
    LoadSettings settings =
        LoadSettings.builder()
            .setLabel(findings.file())
            .setMaxAliasesForCollections(MAX_ALIASES)
            .setAllowNonScalarKeys(true)
            .setCodePointLimit(Integer.MAX_VALUE)
            .build();
    List<Tree> documents = new ArrayList<>();
    try {
      if (isTooDeep(text, settings)) {
        return List.of();
      }
      for (Node node : new Compose(settings).composeAllFromString(text)) {
        Tree tree = tree(node);
        if (!(tree instanceof Tree.Text given) || !given.isNothing()) {
          documents.add(tree);
        }
      }
    } catch (MarkedYamlEngineException e) {
      YamlTrouble.explain(e, text, findings);
    } catch (TooLargeException | YamlEngineException e) {
      findings.error(new Spot(Place.START, ""), YamlTrouble.plain(e), "");
    }
    return findings.hasErrors() && documents.isEmpty() ? List.of() : documents;
  }

  /** A deeply nested document must not overflow the stack. */
  private boolean isTooDeep(String text, LoadSettings settings) {
    int depth = 0;
    for (Event event : new Parse(settings).parseString(text)) {
      depth += event instanceof CollectionStartEvent ? 1 : 0;
      depth -= event instanceof CollectionEndEvent ? 1 : 0;
      if (depth > MAX_DEPTH) {
        findings.error(
            new Spot(place(event.getStartMark().orElse(null)), ""),
            "Lists and mappings are nested more than " + MAX_DEPTH + " deep.",
            "Look for a bracket that is never closed.");
        return true;
      }
    }
    return false;
  }

  private Tree tree(Node node) {
    if (++nodes > MAX_NODES) {
      throw new TooLargeException();
    }
    Place place = place(node.getStartMark().orElse(null));
    if (!STANDARD_TAGS.contains(node.getTag().getValue().replace(TAG_PREFIX, ""))) {
      findings.error(
          new Spot(place, ""),
          "The tag " + node.getTag().getValue() + " has no meaning here.",
          "Remove it, or quote the text if the ! is part of it.");
    }
    return switch (node) {
      case ScalarNode scalar -> new Tree.Text(scalar.getValue(), scalar.isPlain(), place);
      case SequenceNode list -> new Tree.Items(items(list), place);
      case MappingNode mapping -> new Tree.Entries(entries(mapping), place);
      default -> throw new YamlEngineException("an unknown kind of value");
    };
  }

  private List<Tree> items(SequenceNode list) {
    refuseRecursion(list);
    List<Tree> items = new ArrayList<>(list.getValue().size());
    list.getValue().forEach(item -> items.add(tree(item)));
    return items;
  }

  private List<Tree.Entry> entries(MappingNode mapping) {
    refuseRecursion(mapping);
    List<Tree.Entry> entries = new ArrayList<>();
    Map<String, Place> seen = new HashMap<>();
    for (NodeTuple tuple : mapping.getValue()) {
      Tree.Text key = key(tuple.getKeyNode());
      if (key == null) {
        continue;
      }
      Place before = seen.putIfAbsent(key.value(), key.place());
      if (before != null) {
        findings.error(
            new Spot(key.place(), key.value()),
            "'" + key.value() + "' appears twice, first in line " + before.line() + ".",
            "Remove one of them.");
      } else {
        entries.add(new Tree.Entry(key, tree(tuple.getValueNode())));
      }
    }
    return entries;
  }

  private Tree.@Nullable Text key(Node node) {
    Place place = place(node.getStartMark().orElse(null));
    if (!(node instanceof ScalarNode scalar)) {
      findings.error(
          new Spot(place, ""),
          "A list or mapping cannot be the name of a field.",
          "Quote the text if the braces or brackets are part of it.");
      return null;
    }
    if (scalar.isPlain() && scalar.getValue().equals("<<")) {
      findings.error(
          new Spot(place, "<<"),
          "Merge keys (<<) are not part of YAML 1.2.",
          "Fields beside 'stages' are defaults of every stage: put what they share there.");
      return null;
    }
    return new Tree.Text(scalar.getValue(), scalar.isPlain(), place);
  }

  private static void refuseRecursion(Node node) {
    if (node.isRecursive()) {
      throw new YamlEngineException("An alias refers to the value that contains it.");
    }
  }

  static Place place(@Nullable Mark mark) {
    return mark == null ? Place.START : new Place(mark.getLine() + 1, mark.getColumn() + 1);
  }

  /** Aliases can make a small file expand to billions of values. */
  static final class TooLargeException extends RuntimeException {
    private static final long serialVersionUID = 1;

    TooLargeException() {
      super("With its aliases expanded, the file has more than %,d values.".formatted(MAX_NODES));
    }
  }
}
