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
    footer = {"", "All other commands are in the complete archive of Imker."})
public final class AgentProgram implements Runnable {
  @Spec @Nullable CommandSpec spec;

  /** Whether there is nothing but the agent here. */
  public static boolean isAll() {
    return AgentProgram.class.getResource("/dev/imker/server/ImkerServer.class") == null;
  }

  @Override
  public void run() {
    if (spec != null) {
      CommandLine line = spec.commandLine();
      line.usage(line.getOut());
    }
  }
}
