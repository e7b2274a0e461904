package dev.imker.server.internal.rest.request;

import dev.imker.server.http.ApiException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A part of a file that was asked for; both ends included. */
record ByteRange(long first, long last) {
  private static final Pattern SINGLE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

  long length() {
    return last - first + 1;
  }

  /** Several ranges at once, and other units, are answered with the whole file. */
  static Optional<ByteRange> parse(String header, long size) {
    Matcher matcher = SINGLE.matcher(header.strip());
    if (!matcher.matches() || (matcher.group(1).isEmpty() && matcher.group(2).isEmpty())) {
      return Optional.empty();
    }
    ByteRange range = of(matcher.group(1), matcher.group(2), size);
    if (range.first > range.last || range.first >= size) {
      throw ApiException.of(
          416, "range", "The file has " + size + " bytes; request a range within that.", "Range");
    }
    return Optional.of(range);
  }

  private static ByteRange of(String first, String last, long size) {
    if (first.isEmpty()) {
      return new ByteRange(Math.max(0, size - Long.parseLong(last)), size - 1);
    }
    long end = last.isEmpty() ? size - 1 : Math.min(size - 1, Long.parseLong(last));
    return new ByteRange(Long.parseLong(first), end);
  }
}
