package dev.imker.cli.options;

import dev.imker.model.ImkerException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Arguments of the form NAME=VALUE. */
public final class KeyValues {
  private KeyValues() {}

  public static Map<String, String> parse(List<String> arguments) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      if (equals < 1) {
        throw new ImkerException("'" + argument + "' does not have the form NAME=VALUE.");
      }
      values.put(argument.substring(0, equals), argument.substring(equals + 1));
    }
    return values;
  }
}
