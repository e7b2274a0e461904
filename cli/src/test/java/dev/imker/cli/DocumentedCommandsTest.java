package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.testkit.TestPool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Commands in the documentation: every one that stands in a block is understood by the command line
 * of this build, and those in blocks marked {@code sh run} are run on a pool, in their order.
 */
class DocumentedCommandsTest {
  private static final Path ROOT = Path.of(System.getProperty("imker.root"));
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```([a-z ]*)\\n(.*?)^```");
  private static final Pattern WORD =
      Pattern.compile("((?:[^\\s'\"|;&<>#]|'[^']*'|\"[^\"]*\"|\\\\.)+)|([|;&<>]+|#.*)");

  /** What the script in the root of a checkout does itself. */
  private static final Set<String> OF_THE_CHECKOUT =
      Set.of("test", "bench", "chaos", "release", "install-client", "fuzz", "mutate");

  private record Command(String place, List<String> words) {}

  private static List<Command> commands(String kind) throws IOException {
    List<Path> files = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      docs.filter(file -> file.toString().endsWith(".md")).sorted().forEach(files::add);
    }
    List<Command> commands = new ArrayList<>();
    for (Path file : files) {
      String text = Files.readString(file);
      Matcher block = BLOCK.matcher(text);
      while (block.find()) {
        String language = block.group(1).strip();
        if (language.equals(kind)
            || (kind.isEmpty() && Set.of("", "sh", "sh run").contains(language))) {
          int line = (int) text.substring(0, block.start(2)).lines().count();
          for (String one : block.group(2).split("\n", -1)) {
            line++;
            for (String part : one.split(" {3,}", -1)) { // commands side by side, and what they do
              commands.addAll(inLine(ROOT.relativize(file) + ":" + line, part));
            }
          }
        }
      }
    }
    return commands;
  }

  /** A line of the shell may hold several commands. */
  private static List<Command> inLine(String place, String line) {
    List<Command> commands = new ArrayList<>();
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(line);
    while (word.find()) {
      if (word.group(1) != null) {
        words.add(word.group(1).replaceAll("['\"]", ""));
      } else {
        take(place, words, commands);
        words = new ArrayList<>();
      }
    }
    take(place, words, commands);
    return commands;
  }

  private static void take(String place, List<String> words, List<Command> commands) {
    boolean ours =
        words.size() > 1
            && (words.getFirst().equals("imker") || words.getFirst().equals("./imker"))
            && !OF_THE_CHECKOUT.contains(words.get(1));
    if (ours) {
      commands.add(new Command(place, words.subList(1, words.size())));
    }
  }

  @Test
  void every_command_is_understood() throws IOException {
    List<String> wrong = new ArrayList<>();
    List<Command> commands = commands("");
    for (Command command : commands) {
      String[] words = Main.withoutDashes(command.words.toArray(String[]::new));
      CommandLine line = Main.commandLine(words);
      try {
        line.parseArgs(words);
      } catch (CommandLine.ParameterException e) {
        wrong.add(command.place + ": imker " + String.join(" ", words) + ": " + e.getMessage());
      }
    }
    assertThat(wrong).isEmpty();
    assertThat(commands).hasSizeGreaterThan(100);
  }

  @Test
  void troubles_are_those_that_the_sources_tell() throws IOException {
    Set<String> messages = firstCells(ROOT.resolve("docs/messages.md"));
    Set<String> troubles = firstCells(ROOT.resolve("docs/troubleshooting.md"));
    assertThat(troubles).hasSizeGreaterThan(20).isSubsetOf(messages);
  }

  private static Set<String> firstCells(Path file) throws IOException {
    try (Stream<String> lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith("| "))
          .map(line -> line.split("(?<!\\\\)\\|", -1)[1].strip())
          .filter(cell -> !cell.equals("message"))
          .collect(Collectors.toSet());
    }
  }

  /** A start builds only the command that is asked for; help needs them all. */
  @Test
  void all_commands_can_be_built_together() {
    assertThat(Main.commandLine().getSubcommands()).containsKeys("run", "join", "completion");
  }

  @Test
  void blocks_that_are_marked_run_on_a_pool(@TempDir Path folder) throws Exception {
    List<Command> commands = commands("sh run");
    assertThat(commands).hasSizeGreaterThan(15);
    try (TestPool pool = TestPool.start(folder)) {
      CommandsInProcess user = new CommandsInProcess(pool);
      for (Command command : commands) {
        ImkerProcess.Finished finished = user.imker(command.words.toArray(String[]::new));
        assertThat(finished.exitCode())
            .as(command + "\n" + finished.out() + finished.err())
            .isZero();
      }
    }
  }
}
