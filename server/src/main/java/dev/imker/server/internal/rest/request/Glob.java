package dev.imker.server.internal.rest.request;

import java.util.function.Predicate;

/**
 * A pattern in which {@code *} stands for anything and {@code ?} for one character. Whatever the
 * pattern is, a match takes no more steps than the pattern and the text have characters,
 * multiplied.
 */
public record Glob(String pattern) implements Predicate<String> {
  @Override
  public boolean test(String text) {
    int at = 0;
    int in = 0;
    int star = -1;
    int from = 0;
    while (in < text.length()) {
      char wanted = at < pattern.length() ? pattern.charAt(at) : 0;
      if (wanted == '*' && at < pattern.length()) {
        star = at++;
        from = in;
      } else if (at < pattern.length() && (wanted == '?' || wanted == text.charAt(in))) {
        at++;
        in++;
      } else if (star >= 0) {
        // What the last star stands for is one character longer; earlier stars need not change.
        at = star + 1;
        in = ++from;
      } else {
        return false;
      }
    }
    while (at < pattern.length() && pattern.charAt(at) == '*') {
      at++;
    }
    return at == pattern.length();
  }
}
