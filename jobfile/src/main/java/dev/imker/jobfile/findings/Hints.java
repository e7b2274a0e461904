package dev.imker.jobfile.findings;

import dev.imker.model.text.NearNames;
import java.util.Collection;

/** Texts for findings: what was given, and what may have been meant. */
public final class Hints {
  private static final int SHOWN = 60;

  private Hints() {}

  /** "Did you mean x?" or a list of known names. */
  public static String suggest(String name, Collection<String> known) {
    return NearNames.nearest(name, known)
        .map(near -> "Did you mean " + near + "?")
        .orElse(known.isEmpty() ? "" : "Known: " + String.join(", ", known) + ".");
  }

  public static String shorten(String text) {
    String line = text.replace('\n', ' ');
    return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "…";
  }
}
