package dev.imker.planner;

import java.util.Collection;
import java.util.List;

/** Writes the few shapes of JSON this module needs. */
final class JsonWriter {
  private final StringBuilder out = new StringBuilder();
  private boolean needsComma;

  JsonWriter open(char bracket) {
    separate();
    out.append(bracket);
    needsComma = false;
    return this;
  }

  JsonWriter close(char bracket) {
    out.append(bracket);
    needsComma = true;
    return this;
  }

  JsonWriter name(String name) {
    string(name);
    out.append(':');
    needsComma = false;
    return this;
  }

  JsonWriter field(String name, String value) {
    return name(name).string(value);
  }

  JsonWriter field(String name, long value) {
    return name(name).number(value);
  }

  JsonWriter field(String name, boolean value) {
    name(name);
    out.append(value);
    needsComma = true;
    return this;
  }

  JsonWriter number(long value) {
    return plain(Long.toString(value));
  }

  /** Something that is JSON already. */
  JsonWriter plain(String value) {
    separate();
    out.append(value);
    return this;
  }

  JsonWriter lists(List<? extends Collection<?>> lists) {
    open('[');
    lists.forEach(this::list);
    return close(']');
  }

  JsonWriter list(Collection<?> items) {
    open('[');
    items.forEach(item -> string(item.toString()));
    return close(']');
  }

  JsonWriter string(String text) {
    separate();
    out.append('"');
    text.chars().forEach(this::escaped);
    out.append('"');
    return this;
  }

  private void escaped(int c) {
    if (c == '"' || c == '\\') {
      out.append('\\').append((char) c);
    } else if (c < ' ' || Character.isSurrogate((char) c) || c == 0x2028 || c == 0x2029) {
      out.append("\\u%04x".formatted(c));
    } else {
      out.append((char) c);
    }
  }

  private void separate() {
    if (needsComma) {
      out.append(',');
    }
    needsComma = true;
  }

  @Override
  public String toString() {
    return out.toString();
  }
}
