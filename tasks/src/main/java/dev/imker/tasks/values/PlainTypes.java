package dev.imker.tasks.values;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Types of the JDK that travel as a text. */
final class PlainTypes {
  private static final Map<Class<?>, Function<String, Object>> PARSERS =
      Map.ofEntries(
          Map.entry(BigInteger.class, BigInteger::new),
          Map.entry(BigDecimal.class, BigDecimal::new),
          Map.entry(Instant.class, Instant::parse),
          Map.entry(Duration.class, Duration::parse),
          Map.entry(Period.class, Period::parse),
          Map.entry(LocalDate.class, LocalDate::parse),
          Map.entry(LocalTime.class, LocalTime::parse),
          Map.entry(LocalDateTime.class, LocalDateTime::parse),
          Map.entry(OffsetDateTime.class, OffsetDateTime::parse),
          Map.entry(ZonedDateTime.class, ZonedDateTime::parse),
          Map.entry(Year.class, Year::parse),
          Map.entry(YearMonth.class, YearMonth::parse),
          Map.entry(ZoneId.class, ZoneId::of),
          Map.entry(UUID.class, UUID::fromString),
          Map.entry(URI.class, URI::create),
          Map.entry(Locale.class, Locale::forLanguageTag),
          Map.entry(Path.class, Path::of));

  private PlainTypes() {}

  /** The type a value travels as, or null if it does not travel as a text. */
  static @Nullable Class<?> of(Object value) {
    return switch (value) {
      case Path _ -> Path.class;
      case ZoneId _ -> ZoneId.class;
      default -> PARSERS.containsKey(value.getClass()) ? value.getClass() : null;
    };
  }

  static String text(Object value) {
    return value instanceof Locale locale ? locale.toLanguageTag() : value.toString();
  }

  /** The value, or null if the name is that of another type. */
  static @Nullable Object parse(String typeName, String text) {
    for (Map.Entry<Class<?>, Function<String, Object>> entry : PARSERS.entrySet()) {
      if (entry.getKey().getName().equals(typeName)) {
        try {
          return entry.getValue().apply(text);
        } catch (RuntimeException e) {
          throw new ValueException("'" + text + "' is not a " + typeName, e);
        }
      }
    }
    return null;
  }
}
