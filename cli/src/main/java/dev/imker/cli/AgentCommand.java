package dev.imker.cli;

import dev.imker.agent.AgentSettings;
import dev.imker.agent.AgentState;
import dev.imker.agent.ImkerAgent;
import dev.imker.agent.RunningAgent;
import dev.imker.cli.api.ImkerHome;
import dev.imker.model.ImkerException;
import dev.imker.model.JoinToken;
import java.io.PrintWriter;
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
    description = "Lend this machine to a pool: fetch tasks, run them, bring the results back.")
final class AgentCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(AgentCommand.class);

  @Spec @Nullable CommandSpec spec;

  @Option(
      names = "--join",
      paramLabel = "TOKEN",
      description =
          "Join token that 'imker up' printed (default: $IMKER_JOIN, or that of the last time).")
  @Nullable String join;

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name of this agent (default: the host's name).")
  @Nullable String name;

  @Option(
      names = "--slots",
      paramLabel = "N",
      description = "Tasks at a time (default: the number of cores).")
  int slots = Runtime.getRuntime().availableProcessors();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Folder for work and cache (default: $IMKER_HOME/agent, ~/.imker/agent).")
  @Nullable Path data;

  @Option(
      names = "--policy",
      paramLabel = "FILE",
      description = "Terms on which the machine is lent (default: policy.yaml in the folder).")
  @Nullable Path policy;

  @Option(
      names = "--label",
      paramLabel = "LABEL",
      description = "Label that jobs can ask for; may be repeated.")
  List<String> labels = new ArrayList<>();

  @Override
  public Integer call() {
    Path folder = data == null ? ImkerHome.of(System.getenv()).agent() : data;
    KeptJoin kept = new KeptJoin(folder);
    JoinToken token =
        kept.find(join, System.getenv())
            .orElseThrow(
                () ->
                    new ImkerException(
                        "Which pool? Give the join token that 'imker up' printed:"
                            + " imker agent --join TOKEN"));
    if (join != null) {
      ImkerAgent.hideArgument(join);
    }
    if (slots < 1) {
      throw new ImkerException("--slots " + slots + ": needs at least 1.");
    }
    AgentLog.begin(folder.resolve("logs").resolve("agent.log"));
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    RunningAgent agent =
        ImkerAgent.start(
            settings(token, folder),
            state -> {
              out.println("imker agent: " + text(state));
              LOG.info("{}", text(state));
              if (state instanceof AgentState.Connected) {
                kept.keep(token);
              }
            });
    UntilInterrupted running = new UntilInterrupted(agent::close);
    var _ = agent.ended().thenRun(running::end);
    running.await();
    return agent.state() instanceof AgentState.Refused refused
        ? sayWhy(refused.reason())
        : ExitCodes.OK;
  }

  private AgentSettings settings(JoinToken token, Path folder) {
    AgentSettings settings =
        AgentSettings.of(token, folder).withSlots(slots).withLabels(Set.copyOf(labels));
    if (policy != null) {
      settings = settings.withPolicy(policy);
    }
    return name == null ? settings : settings.withName(name);
  }

  private static String text(AgentState state) {
    return switch (state) {
      case AgentState.Connecting connecting -> "connecting to " + connecting.address();
      case AgentState.Connected connected -> "connected to pool " + connected.pool();
      case AgentState.Disconnected lost ->
          "connection lost (" + lost.reason() + "); running tasks go on, trying again";
      case AgentState.Refused refused -> "refused: " + refused.reason();
      case AgentState.Stopped _ -> "stopped";
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
