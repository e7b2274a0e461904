package dev.imker.cli.server;

import dev.imker.cli.terminal.ExitCodes;
import dev.imker.client.context.ImkerHome;
import dev.imker.model.ImkerException;
import dev.imker.server.ServerSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code imker config}: the file that 'imker server @FILE' reads its options from. */
@Command(
    name = "config",
    description = "Look at the configuration file of a server ('imker server @FILE').",
    subcommands = ConfigCommand.Check.class)
public final class ConfigCommand {
  @Command(
      name = "check",
      description = {
        "Say whether a server would start with the options in a file, without starting it.",
        "What the file leaves out comes from the environment, as it would for the server."
      })
  static final class Check implements Callable<Integer> {
    @Parameters(
        arity = "0..1",
        paramLabel = "FILE",
        description = "The file (default: ${DEFAULT-VALUE}).")
    Path file = Path.of("/etc/imker/server.conf");

    @Spec @Nullable CommandSpec spec;

    @Override
    public Integer call() {
      if (!Files.isReadable(file) || Files.isDirectory(file)) {
        throw new ImkerException(file + " cannot be read.");
      }
      CommandLine line = Objects.requireNonNull(spec).commandLine();
      ServerCommand server = new ServerCommand();
      CommandLine options = new CommandLine(server);
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
      } catch (ParameterException | ImkerException e) {
        throw new ImkerException(file + ": " + e.getMessage());
      }
    }
  }
}
