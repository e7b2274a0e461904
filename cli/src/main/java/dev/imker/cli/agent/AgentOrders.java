package dev.imker.cli.agent;

import dev.imker.agent.AgentControl;
import dev.imker.agent.AgentControl.Answer;
import dev.imker.agent.AgentControl.Order;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.OutputOptions;
import dev.imker.client.context.ImkerHome;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Orders to the agents that run on this machine. */
abstract class AgentOrders implements Callable<Integer> {
  @Spec @Nullable CommandSpec spec;
  @Mixin OutputOptions output = new OutputOptions();

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "The agent's folder (default: $IMKER_HOME/agent, ~/.imker/agent).")
  @Nullable Path data;

  private final Order order;

  AgentOrders(Order order) {
    this.order = order;
  }

  /** Freezes tasks. */
  @Command(name = "pause", description = "Pause the tasks on this machine and accept no new ones.")
  static final class Pause extends AgentOrders {
    Pause() {
      super(Order.PAUSE);
    }
  }

  /** Lets tasks go on. */
  @Command(name = "resume", description = "Resume the tasks on this machine and accept new ones.")
  static final class Resume extends AgentOrders {
    Resume() {
      super(Order.RESUME);
    }
  }

  /** Takes no further work. */
  @Command(
      name = "drain",
      description = "Finish the tasks that are running on this machine and accept no new ones.")
  static final class Drain extends AgentOrders {
    Drain() {
      super(Order.DRAIN);
    }
  }

  /** Asks only. */
  @Command(name = "status", description = "Show what the agents on this machine are doing.")
  static final class Status extends AgentOrders {
    Status() {
      super(Order.STATUS);
    }
  }

  @Override
  public Integer call() throws InterruptedException {
    Path folder = data == null ? ImkerHome.of(System.getenv()).agent() : data;
    List<Answer> answers = AgentControl.send(folder, order);
    PrintWriter out = Objects.requireNonNull(spec).commandLine().getOut();
    if (output.json) {
      OutputOptions.printJson(
          out,
          ApiClient.json()
              .valueToTree(Map.of("agents", answers.stream().map(Answer::status).toList())));
    } else {
      answers.forEach(answer -> out.println(line(new LinkedHashMap<>(answer.status()))));
    }
    return ExitCodes.OK;
  }

  private static String line(Map<String, String> status) {
    String pause = status.getOrDefault("pause", "");
    String what = status.getOrDefault("state", "");
    if (!pause.isEmpty()) {
      what = "paused (" + pause + ")";
    } else if (status.getOrDefault("draining", "").equals("true")) {
      what = "draining";
    }
    return status.get("name")
        + ": "
        + what
        + ", "
        + status.get("running")
        + " running, offers "
        + status.get("offers")
        + ", sandbox "
        + status.get("sandbox");
  }
}
