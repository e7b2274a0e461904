package dev.imker.jobfile.internal.form;

import dev.imker.jobfile.findings.Hints;
import dev.imker.jobfile.findings.Place;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a YAML document consists of. Scalars stay the text they are in the file: what {@code no} or
 * {@code 010} means is decided by the field they are given to, and not by YAML.
 */
public sealed interface Tree {
  Place place();

  /** What a person calls it. */
  String inWords();

  /**
   * @param plain whether it stands there without quotes
   */
  record Text(String value, boolean plain, Place place) implements Tree {
    /** Whether nothing was given: {@code key:} or {@code key: null}. */
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
