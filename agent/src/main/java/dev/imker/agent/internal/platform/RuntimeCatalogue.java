package dev.imker.agent.internal.platform;

import dev.imker.model.ImkerException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Which runtimes are looked for. The usual ones are built in; a file of lines {@code name = program
 * [arguments that make it tell its version]} adds others or replaces them. Of several alternatives,
 * separated by {@code |}, the first that is there counts.
 */
public final class RuntimeCatalogue {
  /** How to find one runtime: programs in order of preference, each with its arguments. */
  record Entry(String name, List<List<String>> alternatives) {}

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9+#._-]*");

  private static final String BUILT_IN =
      """
      java = java --version
      python = python3 --version | python --version
      perl = perl --version
      r = Rscript --version
      node = node --version
      dotnet = dotnet --version
      mono = mono --version
      octave = octave-cli --version | octave --version
      julia = julia --version
      gams = gams
      ruby = ruby --version
      php = php --version
      lua = lua -v
      gcc = gcc --version
      bash = bash --version
      """;

  private final Map<String, Entry> entries = new LinkedHashMap<>();

  private RuntimeCatalogue() {}

  static RuntimeCatalogue builtIn() {
    RuntimeCatalogue catalogue = new RuntimeCatalogue();
    catalogue.read("the built-in runtimes", BUILT_IN.lines().toList());
    return catalogue;
  }

  /**
   * The built-in ones and those of a file, if there is one.
   *
   * @throws ImkerException naming the line that cannot be understood
   */
  public static RuntimeCatalogue with(Path file) {
    RuntimeCatalogue catalogue = builtIn();
    try {
      if (Files.exists(file)) {
        catalogue.read(file.toString(), Files.readAllLines(file));
      }
    } catch (IOException e) {
      throw new ImkerException("The list of runtimes " + file + " cannot be read: " + e, e);
    }
    return catalogue;
  }

  List<Entry> entries() {
    return List.copyOf(entries.values());
  }

  private void read(String source, List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i).replaceFirst("#.*", "").strip();
      if (line.isEmpty()) {
        continue;
      }
      int equals = line.indexOf('=');
      String name = equals < 0 ? line : line.substring(0, equals).strip();
      List<List<String>> programs = equals < 0 ? List.of() : programs(line.substring(equals + 1));
      if (!NAME.matcher(name).matches() || programs.isEmpty()) {
        throw new ImkerException(
            "Line %d of %s: expected 'name = program --version', found '%s'."
                .formatted(i + 1, source, line));
      }
      entries.put(name, new Entry(name, programs));
    }
  }

  private static List<List<String>> programs(String text) {
    List<List<String>> found = new ArrayList<>();
    for (String alternative : text.split("\\|", -1)) {
      if (!alternative.isBlank()) {
        found.add(Arrays.asList(alternative.strip().split("\\s+")));
      }
    }
    return found;
  }
}
