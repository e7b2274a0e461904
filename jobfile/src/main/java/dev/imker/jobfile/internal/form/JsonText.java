package dev.imker.jobfile.internal.form;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** Writes nested maps, lists, strings, numbers and booleans as JSON. */
public final class JsonText {
  private static final String INDENT = "  ";

  private final StringBuilder out = new StringBuilder();

  private JsonText() {}

  public static String of(Object value) {
    JsonText text = new JsonText();
    text.write(value, "");
    return text.out.append('\n').toString();
  }

  private void write(Object value, String indent) {
    switch (value) {
      case Map<?, ?> map -> writeMap(map, indent);
      case Iterable<?> list -> writeList(list, indent);
      case Number number -> out.append(number);
      case Boolean flag -> out.append(flag);
      default -> writeText(value.toString());
    }
  }

  /** Unordered maps are sorted, so the output is deterministic. */
  private void writeMap(Map<?, ?> map, String indent) {
    Map<?, ?> ordered = map instanceof LinkedHashMap ? map : new TreeMap<>(map);
    String separator = "{\n";
    for (Map.Entry<?, ?> entry : ordered.entrySet()) {
      out.append(separator).append(indent).append(INDENT);
      writeText(String.valueOf(entry.getKey()));
      out.append(": ");
      write(entry.getValue(), indent + INDENT);
      separator = ",\n";
    }
    out.append(ordered.isEmpty() ? "{}" : "\n" + indent + "}");
  }

  private void writeList(Iterable<?> list, String indent) {
    String separator = "";
    out.append('[');
    for (Object item : list) {
      out.append(separator);
      write(item, indent + INDENT);
      separator = ", ";
    }
    out.append(']');
  }

  private void writeText(String text) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append("\\u%04x".formatted((int) c));
      } else {
        out.append(c);
      }
    }
    out.append('"');
  }
}
