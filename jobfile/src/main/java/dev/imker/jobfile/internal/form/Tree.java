package dev.imker.jobfile.internal.form;

import dev.imker.jobfile.findings.Hints;
import dev.imker.jobfile.findings.Place;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a YAML document. Scalars keep the text of the file: the field decides what {@code
 * no} or {@code 010} means, not YAML.
 */
public sealed interface Tree {
  Place place();

  /** Its name for people. */
  String inWords();

  /**
   * @param plain whether it is unquoted
   */
  record Text(String value, boolean plain, Place place) implements Tree {
    /** Whether there is no value: {@code key:} or {@code key: null}. */
    boolean isNothing() {
      return plain && (value.isEmpty() || value.equals("null"));
    }

    @Override
    public String inWords() {
      return isNothing() ? "nothing" : "'" + Hints.shorten(value) + "'";
    }
  }

  record Items(List<Tree> items, Place place) implements Tree {
    public Items {
      items = List.copyOf(items);
    }

    @Override
    public String inWords() {
      return "a list";
    }
  }

  record Entries(List<Entry> entries, Place place) implements Tree {
    public Entries {
      entries = List.copyOf(entries);
    }

    public @Nullable Tree get(String name) {
      for (Entry entry : entries) {
        if (entry.name().equals(name)) {
          return entry.value;
        }
      }
      return null;
    }

    boolean has(String name) {
      return get(name) != null;
    }

    @Override
    public String inWords() {
      return "a mapping";
    }
  }

  /** One line of a mapping. */
  record Entry(Text key, Tree value) {
    public String name() {
      return key.value;
    }
  }
}
