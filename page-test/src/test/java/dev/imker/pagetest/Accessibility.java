package dev.imker.pagetest;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.PlaywrightException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** axe, run in the page as it is. */
final class Accessibility {
  private static final int TRIES = 3;

  /** Now and then a check does not come to an end, and would keep the test waiting for ever. */
  private static final String CHECK =
      """
      rules => Promise.race([
        axe.run(document, {preload: false, resultTypes: ['violations'], ...(rules.length ? {runOnly: rules} : {})}).then(found =>
          found.violations
            .filter(rule => ['serious', 'critical'].includes(rule.impact))
            .map(rule => rule.id + ': ' + rule.help + ' '
              + rule.nodes.map(node => node.html).join(' '))),
        new Promise((_, fail) =>
          setTimeout(() => { axe.reset(); fail(new Error('axe came to no end')); }, 30000))])
      """;

  private static final class Source {
    static final String TEXT = read();
  }

  private Accessibility() {}

  /**
   * What is serious or critical.
   *
   * @param rules that are looked at; all if none is named
   */
  @SuppressWarnings("unchecked")
  static List<String> barriers(Page page, String... rules) {
    for (int left = TRIES; ; left--) {
      page.evaluate(Source.TEXT);
      try {
        return (List<String>) Objects.requireNonNull(page.evaluate(CHECK, List.of(rules)));
      } catch (PlaywrightException e) {
        if (left == 1 || !String.valueOf(e.getMessage()).contains("axe came to no end")) {
          throw e;
        }
      }
    }
  }

  private static String read() {
    try (InputStream script =
        Objects.requireNonNull(Accessibility.class.getResourceAsStream("/axe.min.js"))) {
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
