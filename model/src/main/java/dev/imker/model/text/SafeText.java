package dev.imker.model.text;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;

/**
 * Makes untrusted text safe for a terminal, a log, a table, a header or a file: a single line of
 * visible characters without control sequences. All names and messages from agents, users or tasks
 * pass through here.
 */
public final class SafeText {
  private static final int MAX_FILE_NAME_CHARS = 100;

  private SafeText() {}

  /**
   * A single line that can be shown anywhere: control characters, characters that change the
   * direction of writing, invisible characters and unpaired surrogates are shown as numbers.
   */
  public static String line(String text) {
    return shown(text, false);
  }

  /** The same, truncated to a length. */
  public static String line(String text, int maxChars) {
    String head = text.length() > maxChars ? text.substring(0, maxChars) : text;
    return line(head);
  }

  /** Several lines that can be shown: as above, but line ends and tabs are kept. */
  public static String lines(String text) {
    return shown(text, true);
  }

  private static String shown(String text, boolean severalLines) {
    if (isPlain(text)) {
      return text;
    }
    StringBuilder shown = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            point -> {
              if (point == '\n' || point == '\t') {
                shown.append(severalLines ? (char) point : ' ');
              } else if (point == '\r') {
                shown.append(severalLines ? "" : " ");
              } else if (isHarmful(point)) {
                escape(point, shown);
              } else {
                shown.appendCodePoint(point);
              }
            });
    return shown.toString();
  }

  /** As in JSON, so that JSON stays valid. */
  private static void escape(int point, StringBuilder shown) {
    for (char unit : Character.toChars(point)) {
      shown.append("\\u").append(HexFormat.of().toHexDigits(unit));
    }
  }

  private static boolean isPlain(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~') {
        return false;
      }
    }
    return true;
  }

  private static boolean isHarmful(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          true;
      default -> false;
    };
  }

  /** A file name for any system: letters, digits, dots, - and _; never hidden or special. */
  public static String fileName(String text) {
    String cut =
        text.length() > MAX_FILE_NAME_CHARS ? text.substring(0, MAX_FILE_NAME_CHARS) : text;
    String plain = cut.replaceAll("[^A-Za-z0-9._-]", "_").replaceAll("^[.-]+", "_");
    String stem = plain.replaceAll("\\..*", "").toUpperCase(Locale.ROOT);
    boolean device = stem.matches("CON|PRN|AUX|NUL|COM[0-9]|LPT[0-9]");
    return plain.isEmpty() ? "_" : device ? "_" + plain : plain;
  }

  /** The value of Content-Disposition for a download of this name (RFC 6266). */
  public static String attachment(String name) {
    StringBuilder exact = new StringBuilder();
    for (byte b : line(name).getBytes(StandardCharsets.UTF_8)) {
      boolean plain = b > 0 && (Character.isLetterOrDigit(b) || "._-~".indexOf(b) >= 0);
      exact.append(plain ? String.valueOf((char) b) : "%" + hex(b));
    }
    return "attachment; filename=\"" + fileName(name) + "\"; filename*=UTF-8''" + exact;
  }

  private static String hex(byte b) {
    return HexFormat.of().withUpperCase().toHexDigits(b);
  }
}
