package dev.imker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code imker nodes}: the machines of the pool. */
@Command(
    name = "nodes",
    description = "List the machines of the pool, or show one.",
    subcommands = NodesCommand.Trust.class)
final class NodesCommand extends PoolCommand {
  @Parameters(arity = "0..1", paramLabel = "ID", description = "Node or agent, by id or name.")
  @Nullable String id;

  @Override
  int run(ApiClient api) {
    if (id != null) {
      JsonNode node = api.get("/api/v1/nodes/" + ApiClient.encode(id));
      if (output.json) {
        OutputOptions.printJson(out(), node);
      } else {
        new NodePage(out()).print(node);
      }
      return ExitCodes.OK;
    }
    JsonNode answer = api.get("/api/v1/nodes");
    if (output.json) {
      OutputOptions.printJson(out(), answer);
      return ExitCodes.OK;
    }
    TextTable table =
        new TextTable("AGENT", "STATE", "RUNNING", "SLOTS", "SYSTEM", "MEMORY", "NODE");
    for (JsonNode node : answer.path("nodes")) {
      JsonNode platform = node.path("platform");
      for (JsonNode agent : node.path("agents")) {
        table.add(
            agent.path("name").asText(),
            state(agent),
            agent.path("running").asText(),
            agent.path("slots").asText(),
            platform.path("os").asText() + " " + platform.path("arch").asText(),
            Texts.bytes(platform.path("memoryBytes").asLong()),
            node.path("id").asText());
      }
    }
    if (table.isEmpty()) {
      out().println("No machine has joined yet. Add one with the command that 'imker up' printed.");
    } else {
      table.print(out());
    }
    return ExitCodes.OK;
  }

  /** {@code imker nodes trust}. */
  @Command(
      name = "trust",
      description = {
        "Say how far a machine is trusted; jobs with 'trust: N' run only where it is N or more.",
        "The level belongs to the key of the agents that are connected now."
      })
  static final class Trust extends PoolCommand {
    @Parameters(index = "0", paramLabel = "NODE", description = "Node or agent, by id or name.")
    String node = "";

    @Parameters(index = "1", paramLabel = "LEVEL", description = "0 (none) to 9.")
    int level;

    @Override
    int run(ApiClient api) {
      JsonNode answer =
          api.put("/api/v1/nodes/" + ApiClient.encode(node) + "/trust", Map.of("level", level));
      if (output.json) {
        OutputOptions.printJson(out(), answer);
      } else {
        out().println("node " + answer.path("name").asText() + ": trust " + level);
      }
      return ExitCodes.OK;
    }
  }

  private static String state(JsonNode agent) {
    if (!agent.path("connected").asBoolean()) {
      return "away";
    }
    if (agent.path("draining").asBoolean()) {
      return "draining";
    }
    return agent.path("pause").asText().isEmpty() ? "connected" : "paused";
  }
}
