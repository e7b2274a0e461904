package dev.imker.sim.config;

import java.time.DayOfWeek;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads hours and days such as {@code 08:30-17:00} and {@code mon-fri}. */
record WeekTimes(YamlMap map) {
  private static final Pattern CLOCK = Pattern.compile("(\\d{1,2}):(\\d{2})");
  private static final List<String> DAYS = List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");

  /** Keys {@code hours} and {@code days} (default: every day). */
  WeekHours hours(int offset) {
    String hours = map.text("hours", "");
    String[] ends = hours.split("-", -1);
    if (ends.length != 2) {
      throw map.wrong("hours", "expected hours such as 08:30-17:00, got '" + hours + "'");
    }
    return new WeekHours(days(), clock("hours", ends[0]), clock("hours", ends[1]), offset);
  }

  /** A time such as {@code tue 14:00} as minutes since Monday, midnight. */
  int minuteOfWeek(String key, String missing) {
    String text = map.text(key, missing);
    String[] parts = text.strip().split("\\s+", -1);
    if (parts.length != 2) {
      throw map.wrong(key, "expected a day and a time such as mon 08:00, got '" + text + "'");
    }
    return day(key, parts[0]) * WeekHours.DAY + clock(key, parts[1]);
  }

  private Set<DayOfWeek> days() {
    Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
    for (String part : map.text("days", "mon-sun").split(",", -1)) {
      String[] ends = part.strip().split("-", -1);
      int from = day("days", ends[0]);
      int to = day("days", ends[ends.length - 1]);
      for (int day = from; ; day = (day + 1) % 7) {
        days.add(DayOfWeek.of(day + 1));
        if (day == to) {
          break;
        }
      }
    }
    return days;
  }

  private int day(String key, String text) {
    int day = DAYS.indexOf(text.strip().toLowerCase(Locale.ROOT));
    if (day < 0) {
      throw map.wrong(key, "'" + text + "' is not a day; use " + String.join(" ", DAYS));
    }
    return day;
  }

  private int clock(String key, String text) {
    Matcher matcher = CLOCK.matcher(text.strip());
    if (matcher.matches()) {
      int minute = Integer.parseInt(matcher.group(1)) * 60 + Integer.parseInt(matcher.group(2));
      if (minute <= WeekHours.DAY && Integer.parseInt(matcher.group(2)) < 60) {
        return minute;
      }
    }
    throw map.wrong(key, "'" + text + "' is not a time of day such as 08:30");
  }
}
