package dev.imker.store.internal.rows;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Converts a statement with named parameters, {@code :like_this}, to the form of JDBC.
 *
 * @param sql with question marks
 * @param names the name of each of them, in order
 */
record NamedSql(String sql, List<String> names) {
  /** A name, or a literal, which contains no names. */
  private static final Pattern NAME = Pattern.compile("'[^']*'|(?<![:\\w]):([a-z]\\w*)");

  /** Statements are constants except for a few with varying conditions. */
  private static final int MAX_KNOWN = 1000;

  private static final Map<String, NamedSql> KNOWN = new ConcurrentHashMap<>();

  static NamedSql of(String text) {
    NamedSql known = KNOWN.get(text);
    if (known != null) {
      return known;
    }
    NamedSql parsed = parse(text, false);
    if (KNOWN.size() < MAX_KNOWN) {
      KNOWN.put(text, parsed);
    }
    return parsed;
  }

  /** Gives each name one parameter, however often it occurs; only SQLite supports that. */
  static NamedSql once(String text) {
    return parse(text, true);
  }

  private static NamedSql parse(String text, boolean once) {
    List<String> names = new ArrayList<>();
    String sql =
        NAME.matcher(text)
            .replaceAll(
                found -> {
                  String name = found.group(1);
                  if (name == null) {
                    return Matcher.quoteReplacement(found.group());
                  }
                  int before = once ? names.indexOf(name) : -1;
                  if (before >= 0) {
                    return "?" + (before + 1);
                  }
                  names.add(name.intern());
                  return "?";
                });
    return new NamedSql(sql, List.copyOf(names));
  }

  /**
   * The values in the order of the question marks; each name needs one, and all values must be
   * used.
   */
  @Nullable Object[] values(Bind... binds) {
    @Nullable Object[] values = new Object[names.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = bind(names.get(i), binds).value();
    }
    for (Bind bind : binds) {
      if (!names.contains(bind.name())) {
        throw new IllegalArgumentException("no :" + bind.name() + " in " + sql);
      }
    }
    return values;
  }

  private Bind bind(String name, Bind... binds) {
    for (Bind bind : binds) {
      if (bind.name().equals(name)) {
        return bind;
      }
    }
    throw new IllegalArgumentException("no value for :" + name + " in " + sql);
  }
}
