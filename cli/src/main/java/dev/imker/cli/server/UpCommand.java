package dev.imker.cli.server;

import dev.imker.agent.AgentSettings;
import dev.imker.agent.RunningAgent;
import dev.imker.agent.start.ImkerAgent;
import dev.imker.cli.agent.OfferOptions;
import dev.imker.cli.terminal.UntilInterrupted;
import dev.imker.client.context.ImkerHome;
import dev.imker.model.ImkerException;
import dev.imker.model.connection.JoinToken;
import dev.imker.server.ImkerServer;
import dev.imker.server.RunningServer;
import dev.imker.server.ServerSettings;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code imker up}: server and local agents in one process. */
@Command(
    name = "up",
    sortOptions = false,
    description = "Start a pool on this machine: a server with a local agent.")
public final class UpCommand implements Callable<Integer> {
  @Mixin ListenOptions listen = new ListenOptions();
  @Spec @Nullable CommandSpec spec;

  @Option(
      names = "--agents",
      paramLabel = "N",
      description = "Number of local agents (default: ${DEFAULT-VALUE}).")
  int agents = 1;

  @Mixin OfferOptions offer = new OfferOptions();

  @Override
  public Integer call() {
    if (agents < 0) {
      throw new ImkerException("--agents " + agents + ": must be at least 0.");
    }
    var _ = offer.offer(); // before anything is started
    ImkerHome home = ImkerHome.of(System.getenv());
    ServerSettings settings = listen.settings(home);
    listen.log.begin(settings.dataFolder());
    RunningServer server = ImkerServer.start(settings);
    List<RunningAgent> running = new ArrayList<>();
    UntilInterrupted until = new UntilInterrupted(() -> stop(running, server));
    ServerAnnouncement announcement = new ServerAnnouncement(server, settings);
    announcement.writeContext(home);
    JoinToken join = JoinToken.parse(server.joinToken());
    for (int i = 0; i < agents; i++) {
      running.add(ImkerAgent.start(offer.in(AgentSettings.of(join, home.agent()))));
    }
    CommandLine line = Objects.requireNonNull(spec).commandLine();
    announcement.print(line.getOut(), listen.json);
    if (!running.isEmpty()) {
      PrintWriter err = line.getErr();
      running.getFirst().warnings().forEach(text -> err.println("imker: warning: " + text));
      err.flush();
    }
    return until.await(server, line.getErr());
  }

  private static void stop(List<RunningAgent> agents, RunningServer server) {
    agents.forEach(RunningAgent::close);
    server.close();
  }
}
