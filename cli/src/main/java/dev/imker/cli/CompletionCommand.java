package dev.imker.cli;

import dev.imker.cli.options.ValueSources;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.model.ImkerException;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code imker completion}: a script that lets a shell complete commands and options. */
@Command(
    name = "completion",
    description = "Print a shell completion script.",
    footerHeading = "%nInstall it:%n",
    footer = {
      "  bash  imker completion bash > ~/.local/share/bash-completion/completions/imker",
      "  zsh   imker completion zsh > ~/.imker-completion; then in ~/.zshrc: source it",
      "  fish  imker completion fish > ~/.config/fish/completions/imker.fish",
    })
final class CompletionCommand implements Callable<Integer> {
  @Spec @Nullable CommandSpec spec;

  @Parameters(paramLabel = "SHELL", description = "bash, zsh or fish.")
  String shell = "";

  @Override
  public Integer call() {
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    CommandLine imker = Main.commandLine();
    switch (shell) {
      case "bash", "zsh" -> out.print(AutoComplete.bash("imker", imker)); // serves both
      case "fish" -> printFish(imker, out);
      default -> throw new ImkerException(shell + ": known shells are bash, zsh and fish.");
    }
    out.flush();
    return ExitCodes.OK;
  }

  private static void printFish(CommandLine imker, PrintWriter out) {
    out.println("complete -c imker -f -n '__fish_use_subcommand'");
    for (Map.Entry<String, CommandLine> sub : imker.getSubcommands().entrySet()) {
      CommandSpec command = sub.getValue().getCommandSpec();
      if (command.usageMessage().hidden()) {
        continue;
      }
      String name = sub.getKey();
      out.println(
          "complete -c imker -n '__fish_use_subcommand' -a "
              + name
              + " -d "
              + ValueSources.quote(first(command.usageMessage().description())));
      String seen = "complete -c imker -n '__fish_seen_subcommand_from " + name + "'";
      sub.getValue().getSubcommands().keySet().forEach(inner -> out.println(seen + " -a " + inner));
      for (OptionSpec option : command.options()) {
        if (!option.hidden() && option.longestName().startsWith("--")) {
          out.println(
              seen
                  + " -l "
                  + option.longestName().substring(2)
                  + (option.arity().max() > 0 ? " -r" : "")
                  + " -d "
                  + ValueSources.quote(first(option.description())));
        }
      }
    }
  }

  private static String first(String... lines) {
    return lines.length == 0 ? "" : lines[0].replace("%%", "%").replace("\n", " ");
  }
}
