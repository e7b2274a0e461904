package dev.imker.coord.tasks;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a change bears so that it happens once, however often it is asked for. A run asks over
 * channels, each for one thing after the other; of each channel the answer to the last question is
 * kept.
 *
 * @param channel letters, digits, dots, dashes and _; empty if the change bears nothing
 * @param serial greater than that of every question before on this channel
 */
public record Once(String channel, long serial) {
  /** For a change that is asked for once only. */
  public static final Once NONE = new Once("", 0);

  private static final Pattern FORM = Pattern.compile("([A-Za-z0-9._-]{1,100})(?::([0-9]{1,18}))?");

  /**
   * Reads {@code CHANNEL:SERIAL}, or just {@code CHANNEL} for the only question on it.
   *
   * @throws IllegalArgumentException if it is anything else
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
