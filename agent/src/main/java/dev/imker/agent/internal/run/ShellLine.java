package dev.imker.agent.internal.run;

import dev.imker.agent.internal.platform.Programs;
import dev.imker.agent.internal.system.StartFailedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A command that is one text: a line, or several, for a shell. Which one, a first line such as
 * {@code #!/bin/bash -eu} says; otherwise it is that of the system.
 */
final class ShellLine {
  private static final boolean WINDOWS =
      System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
  private static final Set<String> SHELLS =
      Set.of("sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "fish");
  private static final List<String> USUAL = usual();

  private ShellLine() {}

  private static List<String> usual() {
    if (WINDOWS) {
      return List.of("cmd.exe", "/d", "/s", "/c");
    }
    Path posix = Path.of("/bin/sh");
    Programs programs = new Programs(System.getenv().getOrDefault("PATH", ""));
    Path shell =
        Files.isExecutable(posix)
            ? posix
            : programs.find("sh").or(() -> programs.find("bash")).orElse(posix);
    return List.of(shell.toString(), "-c");
  }

  /**
   * The words to start; those of a command that is a program with arguments are its own.
   *
   * @throws StartFailedException if a shell is named that is none
   */
  static List<String> words(List<String> command) {
    if (command.size() != 1) {
      return command;
    }
    String text = command.getFirst();
    List<String> words = new ArrayList<>(text.startsWith("#!") ? named(text) : USUAL);
    words.add(text);
    return words;
  }

  private static List<String> named(String text) {
    String line = text.lines().findFirst().orElseThrow().substring(2).strip();
    List<String> words = new ArrayList<>(List.of(line.split("\\s+", -1)));
    int shell = lastName(words.getFirst()).equals("env") && words.size() > 1 ? 1 : 0;
    if (!SHELLS.contains(lastName(words.get(shell)))) {
      throw new StartFailedException(
          "'#!"
              + line
              + "' does not name a shell. A command can begin with the name of one of "
              + String.join(", ", SHELLS.stream().sorted().toList())
              + "; send programs in other languages along as a file (inputs).");
    }
    if (WINDOWS) {
      words = new ArrayList<>(words.subList(shell, words.size()));
      words.set(0, lastName(words.getFirst()));
    }
    words.add("-c");
    return words;
  }

  private static String lastName(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }
}
