package dev.imker.cli.server;

import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.UsageMistake;
import dev.imker.client.context.ImkerHome;
import dev.imker.model.ImkerException;
import dev.imker.server.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.UnmatchedArgumentException;

/** {@code imker config}: the file that 'imker server @FILE' reads its options from. */
@Command(
    name = "config",
    description = "Check the configuration file of a server ('imker server @FILE').",
    subcommands = ConfigCommand.Check.class)
public final class ConfigCommand {
  @Command(
      name = "check",
      description = {
        "Check whether a server would start with the options in a file, without starting it.",
        "Options missing from the file are taken from the environment, as the server would."
      })
  static final class Check implements Callable<Integer> {
    @Parameters(
        arity = "0..1",
        paramLabel = "FILE",
        description = "Configuration file (default: ${DEFAULT-VALUE}).")
    Path file = Path.of("/etc/imker/server.conf");

    @Spec @Nullable CommandSpec spec;

    @Override
    public Integer call() {
      if (!Files.isReadable(file) || Files.isDirectory(file)) {
        throw new ImkerException(file + " cannot be read.");
      }
      CommandLine line = Objects.requireNonNull(spec).commandLine();
      ServerCommand server = new ServerCommand();
      CommandLine options = new CommandLine(server).setCommandName("imker server");
      options.setAbbreviatedOptionsAllowed(line.isAbbreviatedOptionsAllowed());
      options.setCaseInsensitiveEnumValuesAllowed(line.isCaseInsensitiveEnumValuesAllowed());
      try {
        options.parseArgs("@" + file);
        ServerSettings settings = server.listen.settings(ImkerHome.of(System.getenv()));
        line.getOut()
            .printf(
                "%s is valid: a server on %s:%d, %s, with its data in %s.%n",
                file,
                settings.host(),
                settings.port(),
                settings.shared().isOn() ? "in a database" : "in its folder",
                settings.dataFolder());
        return ExitCodes.OK;
      } catch (UnmatchedArgumentException e) {
        throw new ImkerException(unknown(e.getUnmatched().getFirst(), UsageMistake.inWords(e)));
      } catch (ParameterException e) {
        throw new ImkerException(file + ": " + UsageMistake.inWords(e));
      } catch (ImkerException e) {
        throw new ImkerException(file + ": " + e.getMessage());
      }
    }

    private String unknown(String word, String trouble) {
      String what =
          word.startsWith("-")
              ? trouble
              : "'" + word + "' is not an option. Write one in a line, as in: --listen 0.0.0.0";
      return file + line(word) + ": " + what;
    }

    /** Where a word stands, as far as that can be told. */
    private String line(String word) {
      try {
        List<String> lines = Files.readAllLines(file);
        int at = 0;
        while (at < lines.size() && !lines.get(at).contains(word)) {
          at++;
        }
        return at < lines.size() ? ":" + (at + 1) : "";
      } catch (IOException e) {
        return "";
      }
    }
  }
}
