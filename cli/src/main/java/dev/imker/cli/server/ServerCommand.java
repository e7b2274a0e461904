package dev.imker.cli.server;

import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.UntilInterrupted;
import dev.imker.client.context.ImkerHome;
import dev.imker.server.ImkerServer;
import dev.imker.server.RunningServer;
import dev.imker.server.ServerSettings;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code imker server}: a server without an agent. */
@Command(
    name = "server",
    sortOptions = false,
    description = "Start a server without an agent; agents join it from this or other machines.",
    subcommands = LogLevelCommand.class)
public final class ServerCommand implements Callable<Integer> {
  @Mixin ListenOptions listen = new ListenOptions();
  @Spec @Nullable CommandSpec spec;

  @Option(names = "--check", description = "Only check the options, including those in @FILE.")
  boolean check;

  @Override
  public Integer call() {
    ImkerHome home = ImkerHome.of(System.getenv());
    ServerSettings settings = listen.settings(home);
    if (check) {
      Objects.requireNonNull(spec).commandLine().getOut().println("The options are valid.");
      return ExitCodes.OK;
    }
    listen.log.begin(settings.dataFolder());
    RunningServer server = ImkerServer.start(settings);
    UntilInterrupted running = new UntilInterrupted(server::close);
    ServerAnnouncement announcement = new ServerAnnouncement(server, settings);
    announcement.writeContext(home);
    CommandLine line = Objects.requireNonNull(spec).commandLine();
    announcement.print(line.getOut(), listen.json);
    return running.await(server, line.getErr());
  }
}
