package dev.imker.cli.agent;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What an agent says of itself at the terminal. While its server is away it tries again and again:
 * the same line comes again only when it was withheld twice as often as the last time.
 */
final class SaidBefore {
  private final Map<String, Integer> times = new HashMap<>();

  /**
   * The line to print, if this one is to be.
   *
   * @param well whether all is well from now on, so that everything is news again
   */
  synchronized Optional<String> next(String line, boolean well) {
    if (well) {
      times.clear();
    }
    int count = times.merge(line, 1, Integer::sum);
    if (Integer.bitCount(count) > 1) {
      return Optional.empty();
    }
    return Optional.of(count == 1 ? line : line + " (" + count + " times by now)");
  }
}
