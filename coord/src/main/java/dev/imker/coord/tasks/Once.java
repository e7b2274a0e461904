package dev.imker.coord.tasks;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The mark of a change by which it happens once, however often it is requested. A run sends
 * requests over channels, on each of them one after the other; the answer to the last request of
 * each channel is kept.
 *
 * @param channel letters, digits, dots, dashes and _; empty if the change has no mark
 * @param serial greater than that of every earlier request on this channel
 */
public record Once(String channel, long serial) {
  /** For a change that is requested only once. */
  public static final Once NONE = new Once("", 0);

  private static final Pattern FORM = Pattern.compile("([A-Za-z0-9._-]{1,100})(?::([0-9]{1,18}))?");

  /**
   * Parses {@code CHANNEL:SERIAL}, or just {@code CHANNEL} for its only request.
   *
   * @throws IllegalArgumentException if it is malformed
   */
  public static Once parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(text);
    }
    String serial = matcher.group(2);
    return new Once(matcher.group(1), serial == null ? 0 : Long.parseLong(serial));
  }

  public boolean isNone() {
    return channel.isEmpty();
  }
}
