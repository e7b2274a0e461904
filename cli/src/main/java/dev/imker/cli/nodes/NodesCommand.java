package dev.imker.cli.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code imker nodes}: the machines of the pool. */
@Command(
    name = "nodes",
    description = {
      "List the machines of the pool, or show one.",
      "Admins can pause, drain or restrict one with the options below; what its owner"
          + " has set still applies."
    },
    subcommands = {
      NodesCommand.Trust.class,
      NodesCommand.AllowUnsandboxed.class,
      NodesCommand.Keys.class,
      NodesCommand.Revoke.class,
      NodesCommand.Readmit.class,
      NodesCommand.Forget.class
    })
public final class NodesCommand extends PoolCommand {
  @Parameters(arity = "0..1", paramLabel = "ID", description = "Node or agent, by id or name.")
  @Nullable String id;

  @Mixin NodeOrders orders = new NodeOrders();

  @Override
  public int run(ApiClient api) {
    if (orders.isGiven() && (id == null || !orders.mistake().isEmpty())) {
      throw new ParameterException(
          Objects.requireNonNull(spec).commandLine(),
          id == null ? "Name a machine: 'imker nodes ID --…'." : orders.mistake());
    }
    if (id != null) {
      String path = "/api/v1/nodes/" + ApiClient.encode(id);
      JsonNode node = orders.isGiven() ? api.post(path + "/terms", orders.body()) : api.get(path);
      return show(node, out -> new NodePage(out).print(node));
    }
    JsonNode answer = api.get("/api/v1/nodes");
    return show(
        answer,
        out -> {
          TextTable table =
              new TextTable("AGENT", "STATE", "RUNNING", "SLOTS", "SYSTEM", "NODE", "USED");
          List<String> unconfined = new ArrayList<>();
          for (JsonNode node : answer.path("nodes")) {
            JsonNode platform = node.path("platform");
            if (platform.path("facts").path("sandbox").asText().startsWith("none")) {
              unconfined.add(node.path("id").asText());
            }
            for (JsonNode agent : node.path("agents")) {
              table.add(
                  agent.path("name").asText(),
                  state(node, agent),
                  agent.path("running").asText(),
                  agent.path("slots").asText(),
                  platform.path("os").asText() + " " + platform.path("arch").asText(),
                  node.path("id").asText(),
                  AmountWords.of(node.path("amounts")));
            }
          }
          if (table.isEmpty()) {
            out.println(
                "No machine has joined yet. Add one with the command that 'imker up' printed.");
          } else {
            table.print(out);
            answer.path("nodes").forEach(this::warnOfExposure);
          }
          if (!unconfined.isEmpty()) {
            out.println(
                "Warning: tasks run without a sandbox on " + String.join(", ", unconfined) + ".");
          }
        });
  }

  private void warnOfExposure(JsonNode node) {
    for (JsonNode agent : node.path("agents")) {
      if (agent.path("sandbox").asText().startsWith("off")) {
        String name = agent.path("name").asText();
        out().println("%s has no sandbox: %s".formatted(name, agent.path("sandbox").asText()));
      }
    }
  }

  @Command(
      name = "trust",
      description = {
        "Set the trust level of a machine; jobs with 'trust: N' run only on level N or higher.",
        "The level applies to the keys of the agents connected now."
      })
  static final class Trust extends PoolCommand {
    @Parameters(index = "0", paramLabel = "NODE", description = "Node or agent, by id or name.")
    String node = "";

    @Parameters(index = "1", paramLabel = "LEVEL", description = "Trust level, 0 (none) to 9.")
    int level;

    @Override
    public int run(ApiClient api) {
      JsonNode answer =
          api.put("/api/v1/nodes/" + ApiClient.encode(node) + "/trust", Map.of("level", level));
      return show(
          answer, out -> out.println("node " + answer.path("name").asText() + ": trust " + level));
    }
  }

  @Command(
      name = "allow-unsandboxed",
      description = {
        "Allow a machine without a sandbox to run tasks of every account.",
        "Those tasks can read and change everything that its agent's user can."
            + " Otherwise, once the pool has several accounts, such a machine runs only tasks"
            + " of admins."
      })
  static final class AllowUnsandboxed extends PoolCommand {
    @Parameters(paramLabel = "NODE", description = "Node or agent, by id or name.")
    String node = "";

    @Option(names = "--revoke", description = "Undo this: run only tasks of admins.")
    boolean revoke;

    @Option(names = "--why", paramLabel = "TEXT", description = "Reason, shown to others.")
    String why = "";

    @Override
    public int run(ApiClient api) {
      JsonNode answer =
          api.post(
              "/api/v1/nodes/" + ApiClient.encode(node) + "/terms",
              Map.of("unsandboxed", !revoke, "why", why));
      return show(answer, out -> new NodePage(out).print(answer));
    }
  }

  @Command(
      name = "keys",
      description = {
        "List the keys of all agents that have ever joined.",
        "Every agent has its own key, and the server identifies it by that alone."
      })
  static final class Keys extends PoolCommand {
    @Override
    public int run(ApiClient api) {
      JsonNode answer = api.get("/api/v1/agents");
      return show(answer, out -> print(this, answer, "valid"));
    }

    /**
     * @param valid word for a key that was not revoked
     */
    static void print(PoolCommand command, JsonNode answer, String valid) {
      TextTable table = new TextTable("AGENT", "STATE", "KEY", "NODE KEY", "JOINED", "NODE", "ID");
      for (JsonNode agent : answer.path("agents")) {
        table.add(
            agent.path("name").asText(),
            agent.path("revoked").asBoolean() ? "revoked" : valid,
            agent.path("fingerprint").asText(),
            agent.path("nodeFingerprint").asText(),
            agent.path("joined").asText(),
            agent.path("node").asText(),
            agent.path("agent").asText());
      }
      if (table.isEmpty()) {
        command.out().println("No agent has joined yet.");
      } else {
        table.print(command.out());
      }
    }
  }

  /** What an admin does to the key of an agent. */
  abstract static class KeyOrder extends PoolCommand {
    @Parameters(
        paramLabel = "ID",
        description = "Agent by id or name, or a node by id for all of its agents.")
    String id = "";

    abstract String action();

    /** What has become of the keys. */
    abstract String done();

    @Override
    public int run(ApiClient api) {
      JsonNode answer =
          api.post("/api/v1/agents/" + ApiClient.encode(id) + "/" + action(), Map.of());
      return show(answer, out -> Keys.print(this, answer, done()));
    }
  }

  @Command(
      name = "revoke",
      description = {
        "Revoke the key of an agent permanently: it is disconnected, and its tasks go"
            + " to other agents.",
        "Anyone with a join token can still join with a new key: see 'imker join'."
      })
  static final class Revoke extends KeyOrder {
    @Override
    String action() {
      return "revoke";
    }

    @Override
    String done() {
      return "revoked";
    }
  }

  @Command(
      name = "readmit",
      description = {
        "Forget the key of an agent, so that it can join again with a join token.",
        "Use this for an agent that was revoked or lost its key file."
      })
  static final class Readmit extends KeyOrder {
    @Override
    String action() {
      return "readmit";
    }

    @Override
    String done() {
      return "forgotten";
    }
  }

  @Command(
      name = "forget",
      description = {
        "Hide a disconnected machine from the list until it reconnects.",
        "Its key stays valid; use 'imker nodes revoke' to revoke it."
      })
  public static final class Forget extends PoolCommand {
    @Parameters(paramLabel = "NODE", description = "Node or agent, by id or name.")
    String node = "";

    @Override
    public int run(ApiClient api) {
      api.delete("/api/v1/nodes/" + ApiClient.encode(node));
      if (!output.json) {
        out().println("node " + node + ": forgotten");
      }
      return ExitCodes.OK;
    }
  }

  private static String state(JsonNode node, JsonNode agent) {
    if (!agent.path("connected").asBoolean()) {
      return "away";
    }
    JsonNode terms = node.path("terms");
    if (!agent.path("pause").asText().isEmpty() || terms.hasNonNull("paused")) {
      return "paused";
    }
    return agent.path("draining").asBoolean() || terms.hasNonNull("draining")
        ? "draining"
        : "connected";
  }
}
