package dev.imker.charts;

import dev.imker.model.text.NearNames;
import java.util.Collection;

/** Says which known name a misspelt one most likely meant. */
public final class NearestName {
  private static final int MAX_LISTED = 30;

  private NearestName() {}

  /** " Did you mean 'x'?" or, without a near name and few known ones, the list of them. */
  public static String hint(String wrong, Collection<String> known) {
    return NearNames.nearest(wrong, known)
        .map(near -> " Did you mean '" + near + "'?")
        .orElse(known.size() <= MAX_LISTED ? " Known: " + String.join(", ", known) + "." : "");
  }
}
