package dev.imker.cli.agent;

import dev.imker.agent.AgentSettings;
import dev.imker.agent.AgentState;
import dev.imker.agent.OwnerActive;
import dev.imker.agent.RunningAgent;
import dev.imker.agent.start.ImkerAgent;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.UntilInterrupted;
import dev.imker.client.context.ImkerHome;
import dev.imker.model.connection.HttpProxies;
import dev.imker.model.connection.JoinToken;
import java.io.PrintWriter;
import java.net.ProxySelector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code imker agent}: lends this machine to a pool. */
@Command(
    name = "agent",
    sortOptions = false,
    subcommands = {
      AgentOrders.Pause.class,
      AgentOrders.Resume.class,
      AgentOrders.Drain.class,
      AgentOrders.Status.class,
      InstallCommand.class,
    },
    description = "Lend this machine to a pool: fetch tasks, run them, and return the results.")
public final class AgentCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(AgentCommand.class);

  /** Variables that programs with windows have. */
  private static final List<String> SCREENS = List.of("DISPLAY", "WAYLAND_DISPLAY");

  @Spec @Nullable CommandSpec spec;

  @Option(
      names = "--join",
      paramLabel = "TOKEN",
      description =
          "Join token printed by 'imker up' (default: $IMKER_JOIN, or the one used"
              + " last; without either, looks for pools on the local network and asks for a"
              + " pairing code).")
  @Nullable String join;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name of this agent (default: the host name).")
  @Nullable String name;

  @Mixin OfferOptions offer = new OfferOptions();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Folder for work and cache (default: $IMKER_HOME/agent, ~/.imker/agent).")
  @Nullable Path data;

  @Option(
      names = "--policy",
      paramLabel = "FILE",
      description = "Policy under which the machine is lent (default: policy.yaml in the folder).")
  @Nullable Path policy;

  @Option(
      names = "--proxy",
      paramLabel = "URL",
      description =
          "HTTP proxy for the connection to the server, http://HOST:PORT (default:"
              + " $HTTPS_PROXY, $HTTP_PROXY and $NO_PROXY).")
  @Nullable String proxy;

  @Option(
      names = "--label",
      paramLabel = "LABEL",
      description = "Label that jobs can require; repeatable.")
  List<String> labels = new ArrayList<>();

  @Option(
      names = "--max-tasks",
      paramLabel = "N",
      description =
          "Exit after this many tasks (default: never); a service manager then restarts the"
              + " agent.")
  int maxTasks;

  @Option(
      names = "--owner-active",
      paramLabel = "WHERE",
      description =
          "Pause tasks while somebody uses this machine: at its screen (screen, the"
              + " default), also in terminals (yes), or never (no). The policy takes"
              + " precedence.")
  OwnerActive ownerActive = OwnerActive.SCREEN;

  @Override
  public Integer call() {
    if (proxy != null) {
      ProxySelector.setDefault(HttpProxies.all(proxy));
    }
    Path folder = data == null ? ImkerHome.of(System.getenv()).agent() : data;
    KeptJoin kept = new KeptJoin(folder);
    JoinToken token =
        kept.find(join, System.getenv()).orElseGet(() -> LanJoin.atTerminal(out()).ask());
    if (join != null) {
      ImkerAgent.hideArgument(join);
    }
    AgentSettings settings = settings(token, folder);
    AgentLog.begin(folder.resolve("logs").resolve("agent.log"));
    AgentState end = run(settings, kept);
    if (end instanceof AgentState.Superseded next) {
      return leaveTo(next.build(), folder, token, kept);
    }
    return end instanceof AgentState.Refused refused ? sayWhy(refused.reason()) : ExitCodes.OK;
  }

  private AgentState run(AgentSettings settings, KeptJoin kept) {
    RunningAgent agent = ImkerAgent.start(settings, state -> tell(state, settings.join(), kept));
    agent.warnings().forEach(text -> out().println("imker agent: warning: " + text));
    if (ownerActive != OwnerActive.NO && SCREENS.stream().anyMatch(System.getenv()::containsKey)) {
      out()
          .println(
              "imker agent: tasks pause while you use this machine, unless its policy"
                  + " says otherwise (--owner-active no: they keep running)");
    }
    UntilInterrupted running = new UntilInterrupted(agent::close);
    var _ = agent.ended().thenRun(running::end);
    running.await();
    return agent.state();
  }

  private final SaidBefore said = new SaidBefore();

  private void tell(AgentState state, JoinToken token, KeptJoin kept) {
    said.next(text(state), state instanceof AgentState.Connected)
        .ifPresent(line -> out().println("imker agent: " + line));
    LOG.info("{}", text(state));
    if (state instanceof AgentState.Connected) {
      kept.keep(token);
      String cameUp = System.getenv(Succession.CAME_UP);
      if (cameUp != null) {
        Succession.cameUp(Path.of(cameUp));
      }
    }
  }

  /** The first process watches those that follow, and goes on itself if one fails. */
  private int leaveTo(String build, Path folder, JoinToken token, KeptJoin kept) {
    if (System.getenv(Succession.CAME_UP) != null) {
      return Succession.leaveTo(folder, build);
    }
    Succession succession =
        new Succession(folder, arguments(folder), text -> out().println("imker agent: " + text));
    return succession
        .run(build)
        .orElseGet(
            () ->
                run(settings(token, folder), kept) instanceof AgentState.Refused refused
                    ? sayWhy(refused.reason())
                    : ExitCodes.OK);
  }

  private List<String> arguments(Path folder) {
    List<String> arguments = new ArrayList<>(List.of("agent", "--data", folder.toString()));
    arguments.addAll(offer.arguments());
    if (name != null) {
      arguments.addAll(List.of("--name", name));
    }
    if (policy != null) {
      arguments.addAll(List.of("--policy", policy.toString()));
    }
    labels.forEach(label -> arguments.addAll(List.of("--label", label)));
    if (maxTasks > 0) {
      arguments.addAll(List.of("--max-tasks", Integer.toString(maxTasks)));
    }
    arguments.addAll(ServiceUnit.words(ownerActive));
    return arguments;
  }

  private PrintWriter out() {
    return Objects.requireNonNull(spec).commandLine().getOut();
  }

  private AgentSettings settings(JoinToken token, Path folder) {
    AgentSettings settings =
        offer
            .in(AgentSettings.of(token, folder))
            .withLabels(Set.copyOf(labels))
            .withMaxTasks(maxTasks)
            .withOwnerActive(ownerActive);
    if (policy != null) {
      settings = settings.withPolicy(policy);
    }
    Path jar = InstallCommand.jar();
    if (Files.isRegularFile(jar)) {
      settings = settings.withOwnJar(jar);
    }
    return name == null ? settings : settings.withName(name);
  }

  private static String text(AgentState state) {
    return switch (state) {
      case AgentState.Connecting connecting -> "connecting to " + connecting.address();
      case AgentState.Connected connected -> "connected to pool " + connected.pool();
      case AgentState.Disconnected lost ->
          "connection lost (" + lost.reason() + "); tasks keep running, reconnecting";
      case AgentState.Refused refused -> "refused: " + refused.reason();
      case AgentState.Stopped _ -> "stopped";
      case AgentState.Superseded next ->
          "updating to the server's version " + next.build().substring(0, 12);
    };
  }

  private int sayWhy(String refusal) {
    Objects.requireNonNull(spec)
        .commandLine()
        .getErr()
        .println("imker: The server refused this agent: " + refusal);
    return ExitCodes.REFUSED;
  }
}
