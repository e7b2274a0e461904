package dev.imker.agent.internal.neighbour;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Idle times in what programs of several systems answer; the longest time if there is none. */
final class IdleTimes {
  private static final Pattern IOREG = Pattern.compile("\"HIDIdleTime\" = (\\d+)");
  private static final Pattern QUSER_DAYS = Pattern.compile("(?:(\\d+)\\+)?(?:(\\d+):)?(\\d+)");

  private IdleTimes() {}

  /** macOS tells nanoseconds. */
  static long ofIoreg(String answer) {
    Matcher matcher = IOREG.matcher(answer);
    return matcher.find() ? Long.parseLong(matcher.group(1)) / 1_000_000 : Long.MAX_VALUE;
  }

  /**
   * Windows tells minutes per session, {@code none} or a dot for one in use: {@code USERNAME
   * SESSIONNAME ID STATE IDLE-TIME LOGON-TIME}, with no session name for disconnected ones.
   */
  static long ofQuser(String answer) {
    long shortest = Long.MAX_VALUE;
    for (String line : answer.lines().skip(1).toList()) {
      String[] words = line.strip().split("\\s+", -1);
      for (int i = 0; i + 1 < words.length; i++) {
        if (words[i].equals("Active") || words[i].equals("Disc")) {
          shortest = Math.min(shortest, quserMillis(words[i + 1]));
        }
      }
    }
    return shortest;
  }

  private static long quserMillis(String text) {
    if (text.equals(".") || text.equals("none")) {
      return 0;
    }
    Matcher matcher = QUSER_DAYS.matcher(text);
    if (!matcher.matches()) {
      return Long.MAX_VALUE;
    }
    long days = matcher.group(1) == null ? 0 : Long.parseLong(matcher.group(1));
    long hours = matcher.group(2) == null ? 0 : Long.parseLong(matcher.group(2));
    return ((days * 24 + hours) * 60 + Long.parseLong(matcher.group(3))) * 60_000;
  }
}
