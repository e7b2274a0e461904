package dev.imker.sim.config;

import java.time.DayOfWeek;
import java.util.Set;

/**
 * The same hours on some days of the week. Minute 0 of a simulation is Monday, midnight, plus
 * {@code offset}. Hours may span midnight: they belong to the day on which they begin.
 */
public record WeekHours(Set<DayOfWeek> days, int fromMinute, int toMinute, int offset)
    implements Absence {
  static final int DAY = 24 * 60;

  public WeekHours {
    days = Set.copyOf(days);
  }

  @Override
  public boolean contains(int minute) {
    int ofWeek = minute + offset;
    int ofDay = Math.floorMod(ofWeek, DAY);
    if (fromMinute <= toMinute) {
      return ofDay >= fromMinute && ofDay < toMinute && isOn(ofWeek);
    }
    return (ofDay >= fromMinute && isOn(ofWeek)) || (ofDay < toMinute && isOn(ofWeek - DAY));
  }

  private boolean isOn(int minuteOfWeeks) {
    int day = Math.floorMod(Math.floorDiv(minuteOfWeeks, DAY), 7);
    return days.contains(DayOfWeek.of(day + 1));
  }
}
