package dev.imker.testbase;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps docs/attacks.md as the tests have it; -Dimker.updateDocs=true writes it. */
class AttackListTest {
  private static final Path ROOT = Path.of(System.getProperty("imker.root", ".."));

  /** The annotation, further ones after it, and the name of the method. */
  private static final Pattern ATTACK =
      Pattern.compile(
          "@Attack\\((?<values>(?:[^\")]|\"(?:[^\"\\\\]|\\\\.)*\")*)\\)"
              + "(?:[^{};]*?)\\b(?<method>\\w+)\\(\\s*(?:[^(){};]|\\([^)]*\\))*\\)\\s*(?:throws[^{]*)?\\{");

  private static final Pattern TEXT = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern CASES = Pattern.compile("cases\\s*=\\s*(\\d+)");

  private record Entry(String module, String test, String what, int cases) {}

  @Test
  void the_page_lists_every_attack() throws IOException {
    List<Entry> attacks = attacks();
    String page = page(attacks);
    Path file = ROOT.resolve("docs/attacks.md");
    if (Boolean.getBoolean("imker.updateDocs")) {
      Files.writeString(file, page);
    }
    assertThat(Files.exists(file) ? Files.readString(file) : "")
        .as("docs/attacks.md is stale: run AttackListTest with -Dimker.updateDocs=true")
        .isEqualTo(page);
  }

  @Test
  void there_are_two_hundred_attacks() throws IOException {
    assertThat(attacks().stream().mapToInt(Entry::cases).sum()).isGreaterThanOrEqualTo(200);
  }

  @Test
  void no_attack_is_overlooked_by_the_pattern() throws IOException {
    int written = 0;
    for (Path file : sources()) {
      Matcher matcher = Pattern.compile("(?m)^ *@Attack\\(").matcher(Files.readString(file));
      while (matcher.find()) {
        written++;
      }
    }
    assertThat(attacks()).hasSize(written);
  }

  private static List<Entry> attacks() throws IOException {
    List<Entry> all = new ArrayList<>();
    for (Path file : sources()) {
      String source = Files.readString(file);
      String name = file.getFileName().toString().replace(".java", "");
      String module = ROOT.relativize(file).getName(0).toString();
      Matcher matcher = ATTACK.matcher(source);
      while (matcher.find()) {
        String values = matcher.group("values");
        Matcher cases = CASES.matcher(values.replaceAll(TEXT.pattern(), ""));
        all.add(
            new Entry(
                module,
                name + "." + matcher.group("method"),
                text(values),
                cases.find() ? Integer.parseInt(cases.group(1)) : 1));
      }
    }
    all.sort(Comparator.comparing(Entry::module).thenComparing(Entry::test));
    return all;
  }

  /** Literals that are joined by {@code +} are one text. */
  private static String text(String values) {
    StringBuilder text = new StringBuilder();
    Matcher matcher = TEXT.matcher(values);
    while (matcher.find()) {
      text.append(matcher.group(1));
    }
    return text.toString().replace("\\\"", "\"").replace("\\\\", "\\").replace("|", "\\|");
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path tests : modules.map(m -> m.resolve("src/test/java")).toList()) {
        if (Files.isDirectory(tests) && !tests.startsWith(ROOT.resolve("testbase"))) {
          try (Stream<Path> files = Files.walk(tests)) {
            files.filter(f -> f.toString().endsWith(".java")).forEach(sources::add);
          } catch (UncheckedIOException e) {
            throw e.getCause();
          }
        }
      }
    }
    return sources;
  }

  private static String page(List<Entry> attacks) {
    Map<String, StringBuilder> tables = new TreeMap<>();
    for (Entry entry : attacks) {
      tables
          .computeIfAbsent(
              entry.module(),
              module ->
                  new StringBuilder(
                      "\n## Module " + module + "\n\n| attack | cases | test |\n|---|--:|---|\n"))
          .append("| %s | %d | `%s` |\n".formatted(entry.what(), entry.cases(), entry.test()));
    }
    return """
    # Attacks tried in every build

    Each test asserts that the attack is rejected and that nothing else changed. `AttackListTest` creates this page from the
    `@Attack` annotations of the tests. For what is promised, and what is not, see
    [security.md](security.md). `./imker test --attacks` runs only these tests; it takes less than two minutes of processor time.
    """
        + String.join("", tables.values());
  }
}
