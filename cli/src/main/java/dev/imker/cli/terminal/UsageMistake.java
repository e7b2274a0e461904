package dev.imker.cli.terminal;

import dev.imker.model.text.NearNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what is wrong with a command line, and what may have been meant. */
public final class UsageMistake {
  private UsageMistake() {}

  public static String inWords(ParameterException mistake) {
    if (mistake instanceof UnmatchedArgumentException unmatched
        && !unmatched.getUnmatched().isEmpty()) {
      return ofUnknown(mistake.getCommandLine(), unmatched.getUnmatched().getFirst());
    }
    return String.valueOf(mistake.getMessage())
        .replaceFirst("is not an? (int|long)$", "is not a whole number")
        .replaceFirst(
            "^Value for option option '([^']*)' \\((.*)\\) should be in KEY=VALUE format but was"
                + " (.*)$",
            "$1 $3: write it as $2.")
        .replaceFirst("is not an? (double|float)$", "is not a number");
  }

  private static String ofUnknown(CommandLine command, String word) {
    String name = command.getCommandSpec().qualifiedName();
    if (word.startsWith("-")) {
      String option = word.replaceFirst("=.*", "");
      List<String> known = new ArrayList<>();
      for (OptionSpec spec : command.getCommandSpec().options()) {
        if (!spec.hidden()) {
          known.addAll(List.of(spec.names()));
        }
      }
      return "'" + name + "' has no option " + option + "." + meant(option, known);
    }
    List<String> commands = new ArrayList<>(command.getSubcommands().keySet());
    return commands.isEmpty()
        ? "'" + name + "' takes no '" + word + "'."
        : "'" + name + "' has no command '" + word + "'." + meant(word, commands);
  }

  private static String meant(String word, List<String> known) {
    Optional<String> near = NearNames.nearest(word, known);
    return near.map(name -> " Did you mean " + name + "?").orElse("");
  }
}
