package dev.imker.cli.agent;

import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The {@code imker} command of the agent's own archive, where nothing of a server is. */
@Command(
    name = "imker",
    description = "Lends this machine to a compute pool.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {AgentCommand.class, DoctorCommand.class, HelpCommand.class},
    footer = {"", "The full Imker archive has all other commands."})
public final class AgentProgram implements Runnable {
  @Spec @Nullable CommandSpec spec;

  /**
   * Whether there is nothing but the agent here. By a class, which is in the cache for fast starts:
   * to look into the jar takes a tenth of a start.
   */
  public static boolean isAll() {
    try {
      Class.forName("dev.imker.server.PortInUseException");
      return false;
    } catch (ClassNotFoundException e) {
      return true;
    }
  }

  @Override
  public void run() {
    if (spec != null) {
      CommandLine line = spec.commandLine();
      line.usage(line.getOut());
    }
  }
}
