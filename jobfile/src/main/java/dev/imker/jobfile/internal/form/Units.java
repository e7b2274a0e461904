package dev.imker.jobfile.internal.form;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Sizes and lengths of time as people write them. */
public final class Units {
  static final String DURATION_PATTERN =
      "^\\d+(\\.\\d+)? ?(ms|s|m|min|h|d)( ?\\d+(\\.\\d+)? ?(ms|s|m|min|h|d))*$";
  static final String SIZE_PATTERN = "^\\d+(\\.\\d+)? ?([kKMGTP]i?)?B$";

  private static final Pattern DURATION = Pattern.compile(DURATION_PATTERN);
  private static final Pattern DURATION_PART =
      Pattern.compile("(\\d+(?:\\.\\d+)?) ?(ms|min|s|m|h|d)");
  private static final Pattern SIZE = Pattern.compile("^(\\d+(?:\\.\\d+)?) ?([kKMGTP]?)i?B$");
  private static final Map<String, Long> MILLIS = new LinkedHashMap<>();
  private static final String PREFIXES = "KMGTP";
  private static final int MAX_DIGITS = 18;

  static {
    MILLIS.put("d", 24L * 60 * 60 * 1000);
    MILLIS.put("h", 60L * 60 * 1000);
    MILLIS.put("m", 60_000L);
    MILLIS.put("min", 60_000L);
    MILLIS.put("s", 1000L);
    MILLIS.put("ms", 1L);
  }

  private Units() {}

  /** Milliseconds of {@code 90s}, {@code 1h30m}, {@code 2 h}; null if it is not a duration. */
  static @Nullable Long millis(String text) {
    if (!DURATION.matcher(text).matches()) {
      return null;
    }
    BigDecimal sum = BigDecimal.ZERO;
    Matcher part = DURATION_PART.matcher(text);
    while (part.find()) {
      long unit = MILLIS.getOrDefault(part.group(2), 0L);
      sum = sum.add(new BigDecimal(part.group(1)).multiply(BigDecimal.valueOf(unit)));
    }
    return whole(sum);
  }

  /** Bytes of {@code 2 GB}, {@code 512 MiB}; a KB is 1024 bytes. Null if it is not a size. */
  static @Nullable Long bytes(String text) {
    Matcher size = SIZE.matcher(text);
    if (!size.matches()) {
      return null;
    }
    int power = PREFIXES.indexOf(size.group(2).toUpperCase(Locale.ROOT)) + 1;
    long unit = size.group(2).isEmpty() ? 1 : 1L << (10 * power);
    return whole(new BigDecimal(size.group(1)).multiply(BigDecimal.valueOf(unit)));
  }

  private static @Nullable Long whole(BigDecimal value) {
    BigDecimal rounded = value.setScale(0, RoundingMode.HALF_UP);
    return rounded.precision() > MAX_DIGITS ? null : (Long) rounded.longValueExact();
  }

  /** Like {@link #duration}; 0 means none. */
  static String durationOrNone(long millis) {
    return millis == 0 ? "none" : duration(millis);
  }

  /** The shortest exact notation of a duration. */
  static String duration(long millis) {
    for (Map.Entry<String, Long> unit : MILLIS.entrySet()) {
      if (millis % unit.getValue() == 0 && !unit.getKey().equals("min")) {
        return millis / unit.getValue() + unit.getKey();
      }
    }
    return millis + "ms";
  }

  /** The shortest exact notation of a size. */
  public static String size(long bytes) {
    for (int power = PREFIXES.length(); power > 0; power--) {
      long unit = 1L << (10 * power);
      if (bytes % unit == 0) {
        return bytes / unit + " " + PREFIXES.charAt(power - 1) + "B";
      }
    }
    return bytes + " B";
  }
}
