package dev.imker.server.internal.drop.mail;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a mail server found out about a mail (RFC 8601).
 *
 * <p>Much of such a header repeats what the sender of the mail chose: the address of its envelope,
 * the name of its machine. So it is taken apart as the RFC says, comments are dropped, quoted text
 * never becomes more than one value, and whatever does not fit proves nothing.
 *
 * @param server who says it
 * @param results one for each method, such as {@code dmarc=pass header.from=example.org}
 */
record AuthenticationResults(String server, List<String> results) {
  private static final Pattern DMARC =
      Pattern.compile("dmarc(?:/[0-9]+)?=([a-z]+)(?: .*)?", Pattern.CASE_INSENSITIVE);
  private static final Pattern FROM =
      Pattern.compile(" header\\.from=(\\S+)", Pattern.CASE_INSENSITIVE);
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9.@_-]+");

  /** Stands for a quoted value that holds anything but letters, digits and the like. */
  private static final String OPAQUE = "\"\"";

  /** Empty if it is not written as the RFC says. */
  static Optional<AuthenticationResults> parse(String header) {
    List<String> parts = new ArrayList<>();
    StringBuilder part = new StringBuilder();
    int i = 0;
    while (i < header.length()) {
      char c = header.charAt(i);
      if (c == '(' || c == '"') {
        int end = c == '(' ? endOfComment(header, i) : endOfQuote(header, i);
        if (end < 0) {
          return Optional.empty();
        }
        part.append(c == '(' ? " " : value(header.substring(i + 1, end - 1)));
        i = end;
      } else if (c == ';') {
        parts.add(tidy(part));
        part.setLength(0);
        i++;
      } else {
        part.append(c);
        i++;
      }
    }
    parts.add(tidy(part));
    String server = parts.removeFirst().split(" ", 2)[0]; // a version may follow
    return Optional.of(new AuthenticationResults(server, parts));
  }

  /** After the closing bracket; -1 if there is none. */
  private static int endOfComment(String text, int start) {
    int depth = 0;
    for (int i = start; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '\\' -> i++;
        case '(' -> depth++;
        case ')' -> depth--;
        default -> {}
      }
      if (depth == 0) {
        return i + 1;
      }
    }
    return -1;
  }

  /** After the closing quote; -1 if there is none. */
  private static int endOfQuote(String text, int start) {
    for (int i = start + 1; i < text.length(); i++) {
      switch (text.charAt(i)) {
        case '\\' -> i++;
        case '"' -> {
          return i + 1;
        }
        default -> {}
      }
    }
    return -1;
  }

  private static String value(String quoted) {
    return PLAIN.matcher(quoted).matches() ? quoted : OPAQUE;
  }

  private static String tidy(CharSequence part) {
    return part.toString().replaceAll("\\s+", " ").replaceAll(" ?([=/]) ?", "$1").strip();
  }

  /**
   * The domain for which this server says {@code dmarc=pass}; empty if it says nothing of the kind,
   * or different things.
   */
  Optional<String> provenDomain(String by) {
    if (!server.equalsIgnoreCase(by)) {
      return Optional.empty();
    }
    List<String> dmarc =
        results.stream()
            .filter(result -> result.toLowerCase(Locale.ROOT).startsWith("dmarc"))
            .toList();
    return dmarc.size() == 1 ? passed(dmarc.getFirst()) : Optional.empty();
  }

  private static Optional<String> passed(String result) {
    Matcher dmarc = DMARC.matcher(result);
    if (!dmarc.matches() || !dmarc.group(1).equalsIgnoreCase("pass")) {
      return Optional.empty();
    }
    List<String> from = FROM.matcher(result).results().map(found -> found.group(1)).toList();
    return from.size() == 1 ? Optional.of(domain(from.getFirst())) : Optional.empty();
  }

  private static String domain(String address) {
    return address.substring(address.lastIndexOf('@') + 1);
  }
}
