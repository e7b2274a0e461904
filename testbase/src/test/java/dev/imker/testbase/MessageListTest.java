package dev.imker.testbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Keeps docs/messages.md, the table of all messages that a user can see, as the sources have it;
 * -Dimker.updateDocs=true writes it.
 */
class MessageListTest {
  private static final Path ROOT = Path.of(System.getProperty("imker.root", ".."));
  private static final List<String> MODULES =
      List.of(
          "agent", "charts", "cli", "client", "core", "jobfile", "model", "planner", "server",
          "sim", "store", "tasks");

  /** What carries a message to a user; other exceptions are mistakes of our own. */
  private static final Pattern CARRIER =
      Pattern.compile(
          "(?:new"
              + " (?:Imker|Input|StartFailed|Chart|Sim|Value|CsvFormat|Archive|PoolUnavailable|NotDelivered"
              + "|Coordination|UnusableParameters|Account|NoServer|Pddl|Strategy|Policy|Parameter|Setting"
              + "|Store|JobFailed|RemoteFailure|Api)Exception"
              + "|ApiException\\.\\w+|findings\\.(?:error|add|warning|file))\\(");

  private static final Pattern METHOD =
      Pattern.compile(
          "(?m)^ {2,4}(?!return|new|throw|else)[\\w@<>\\[\\],.?"
              + " ]*?(\\w+)\\([^;{}=]*\\)[^;{}=]*\\{$");
  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final int FEWEST_WORDS = 3;

  @Test
  void the_page_lists_every_message() throws IOException {
    String page = page();
    Path file = ROOT.resolve("docs/messages.md");
    if (Boolean.getBoolean("imker.updateDocs")) {
      Files.writeString(file, page);
    }
    assertThat(Files.exists(file) ? Files.readString(file) : "")
        .as("docs/messages.md is stale: run MessageListTest with -Dimker.updateDocs=true")
        .isEqualTo(page);
  }

  @Test
  void a_message_is_put_together_from_its_parts() {
    String source =
        """
        class Door {
          void open(String key) {
            if (key.isEmpty()) {
              throw new ImkerException("The key '" + key + "' (a \\"key\\") opens"
                  + " nothing: %s. Ask for %d.".formatted(a(1), 2));
            }
          }
        }
        """;
    Map<String, Set<String>> messages = new TreeMap<>();
    collect("Door", source, messages);
    assertThat(messages)
        .containsOnlyKeys("The key '…' (a \"key\") opens nothing: …. Ask for ….")
        .allSatisfy((_, where) -> assertThat(where).containsExactly("Door.open"));
  }

  private static String page() throws IOException {
    StringBuilder page =
        new StringBuilder(
            """
            # Messages

            Every message with which Imker refuses or fails something, and where it is triggered: class and method, named by
            what they look at. `…` stands for what differs. Made from the sources by `MessageListTest`.
            """);
    for (String module : MODULES) {
      Map<String, Set<String>> messages = new TreeMap<>();
      try (Stream<Path> files = Files.walk(ROOT.resolve(module).resolve("src/main/java"))) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
          String name = file.getFileName().toString().replace(".java", "");
          collect(name, Files.readString(file), messages);
        }
      }
      page.append("\n## Module ").append(module).append("\n\n| message | trigger |\n|---|---|\n");
      messages.forEach(
          (message, where) ->
              page.append("| %s | `%s` |\n".formatted(cell(message), String.join("`, `", where))));
    }
    return page.toString();
  }

  private static String cell(String message) {
    return message
        .replace("|", "\\|")
        .replace("<", "&lt;")
        .replace("*", "\\*")
        .replace("\n", " ")
        .strip();
  }

  private static void collect(String name, String source, Map<String, Set<String>> messages) {
    Matcher carrier = CARRIER.matcher(source);
    while (carrier.find()) {
      for (String argument : arguments(source, carrier.end())) {
        String message = message(argument);
        if (message.split(" ", -1).length >= FEWEST_WORDS) {
          messages
              .computeIfAbsent(message, _ -> new TreeSet<>())
              .add(name + method(source, carrier.start()));
        }
      }
    }
  }

  /** The literals of an expression, with … for all that stands between or is filled in. */
  private static String message(String expression) {
    StringBuilder text = new StringBuilder();
    Matcher literal = LITERAL.matcher(expression);
    int last = 0;
    boolean any = false;
    int depth = 0;
    while (literal.find()) {
      String between = expression.substring(last, literal.start());
      if (depth == 0) {
        String plain = between.replaceAll("[\\s+]", "");
        if (!plain.isEmpty() && !plain.startsWith(".formatted")) {
          text.append('…');
        }
      }
      depth += depth(between);
      if (depth == 0) {
        text.append(literal.group(1));
        any = true;
      }
      last = literal.end();
    }
    String rest = expression.substring(last).replaceAll("[\\s+]", "");
    if (any
        && depth == 0
        && !rest.isEmpty()
        && !rest.startsWith(".formatted")
        && !rest.startsWith(")")) {
      text.append('…');
    }
    return text.toString()
        .replace("\\\"", "\"")
        .replace("\\n", " ")
        .replace("\\\\", "\\")
        .replace("%%", "\0")
        .replaceAll("%[-,.0-9$]*[sdfxc]", "…")
        .replace('\0', '%')
        .replaceAll("…+", "…");
  }

  private static int depth(String code) {
    int depth = 0;
    for (int i = 0; i < code.length(); i++) {
      char c = code.charAt(i);
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    }
    return depth;
  }

  /** The arguments of a call whose opening parenthesis ends at the given place. */
  private static List<String> arguments(String source, int from) {
    List<String> arguments = new ArrayList<>();
    int depth = 1;
    int begin = from;
    for (int i = from; i < source.length() && depth > 0; i++) {
      char c = source.charAt(i);
      if (c == '"') {
        Matcher literal = LITERAL.matcher(source);
        if (!literal.find(i)) {
          break;
        }
        i = literal.end() - 1;
      } else if (c == '\'') {
        i += source.charAt(i + 1) == '\\' ? 3 : 2;
      } else if (c == '(' || c == '{' || c == '[') {
        depth++;
      } else if (c == ')' || c == '}' || c == ']') {
        depth--;
      }
      if (depth == 0 || (depth == 1 && c == ',')) {
        arguments.add(source.substring(begin, i));
        begin = i + 1;
      }
    }
    return arguments;
  }

  private static String method(String source, int before) {
    Matcher method = METHOD.matcher(source);
    String name = "";
    while (method.find() && method.start() < before) {
      name = "." + method.group(1);
    }
    return name;
  }
}
