package dev.imker.cli.submit;

import dev.imker.model.ImkerException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;

/** A moment in the future as people write it. */
final class StartTime {
  private StartTime() {}

  /**
   * @param now with the zone of times that have none of their own
   */
  static Instant parse(String text, ZonedDateTime now) {
    String moment = text.strip().replace(' ', 'T');
    try {
      if (!moment.contains("T")) {
        ZonedDateTime today = now.with(LocalTime.parse(moment));
        return (today.isAfter(now) ? today : today.plusDays(1)).toInstant();
      }
      return moment.matches(".*(Z|[+-]\\d\\d:\\d\\d)")
          ? OffsetDateTime.parse(moment).toInstant()
          : LocalDateTime.parse(moment).atZone(now.getZone()).toInstant();
    } catch (DateTimeException e) {
      throw new ImkerException(
          "--at %s: write a time as 22:00, 2026-11-16T22:00 or 2026-11-16T22:00:00Z."
              .formatted(text),
          e);
    }
  }
}
