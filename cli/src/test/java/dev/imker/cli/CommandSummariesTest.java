package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Lists of commands show the first line of each description, so that line is a whole sentence. */
class CommandSummariesTest {
  @Test
  void every_command_has_a_summary_that_is_a_whole_sentence() {
    List<String> bad = new ArrayList<>();
    look(Main.commandLine(), bad);
    assertThat(bad).isEmpty();
  }

  private static void look(CommandLine command, List<String> bad) {
    String[] lines = command.getCommandSpec().usageMessage().description();
    if (lines.length == 0 || !lines[0].matches("(?s)\\p{Lu}.*[.)]")) {
      bad.add(
          command.getCommandSpec().qualifiedName() + ": " + (lines.length == 0 ? "-" : lines[0]));
    }
    command.getSubcommands().values().stream()
        .distinct()
        .filter(sub -> !(sub.getCommand() instanceof CommandLine.HelpCommand))
        .forEach(sub -> look(sub, bad));
  }
}
