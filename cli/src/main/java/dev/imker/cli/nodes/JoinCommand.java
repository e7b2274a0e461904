package dev.imker.cli.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.TextTable;
import dev.imker.model.ImkerException;
import java.io.PrintWriter;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code imker join}: the tokens by which new agents join. */
@Command(
    name = "join",
    description = {
      "Print the line that makes another machine join the pool, and list the tokens for that.",
      "An agent needs one once; from then on the server knows it by its own key."
    },
    subcommands = {JoinCommand.New.class, JoinCommand.Code.class, JoinCommand.Revoke.class})
public final class JoinCommand extends PoolCommand {
  @Option(
      names = "--token-only",
      description = "Print nothing but the token that 'imker up' shows.")
  boolean token;

  @Override
  public int run(ApiClient api) {
    JsonNode answer = api.get("/api/v1/joins");
    if (token) {
      if (!answer.path("token").isTextual()) {
        throw new ImkerException(
            "The pool's own token was revoked; 'imker join new pool' opens it again.");
      }
      out().println(answer.path("token").asText());
      return ExitCodes.OK;
    }
    return show(
        answer,
        out -> {
          TextTable table = new TextTable("TITLE", "STATE", "JOINED", "OF", "UNTIL");
          for (JsonNode join : answer.path("joins")) {
            long most = join.path("agents").asLong();
            table.add(
                join.path("title").asText(),
                join.path("revoked").asBoolean() ? "revoked" : "open",
                join.path("joined").asText(),
                most < 0 ? "any" : most,
                join.path("expires").asText("-"));
          }
          table.print(out);
          if (answer.path("line").isTextual()) {
            printLines(answer, out);
          }
        });
  }

  private static void printLines(JsonNode answer, PrintWriter out) {
    out.println();
    out.println(
        "Run on another machine (Linux, macOS); '| … sh -s -- --service' makes it a service:");
    out.println("  " + answer.path("line").asText());
    out.println("On Windows, in PowerShell:");
    out.println("  " + answer.path("windowsLine").asText());
  }

  @Command(
      name = "new",
      description = {
        "Make a token, limited to a number of agents or a time; it is shown only once.",
        "'imker join new pool' opens the one that 'imker up' shows again."
      })
  static final class New extends PoolCommand {
    @Parameters(paramLabel = "TITLE", description = "What to call it.")
    String title = "";

    @Option(
        names = "--agents",
        paramLabel = "N",
        defaultValue = "-1",
        description = "How many agents may join with it (default: any number).")
    long agents;

    @Option(
        names = "--hours",
        paramLabel = "N",
        defaultValue = "0",
        description = "How long new agents may join with it (default: for ever).")
    long hours;

    @Override
    public int run(ApiClient api) {
      JsonNode made =
          api.post("/api/v1/joins", Map.of("title", title, "agents", agents, "hours", hours));
      return show(
          made,
          out -> {
            out.println("imker agent --join " + made.path("token").asText());
            printLines(made, out);
          });
    }
  }

  @Command(
      name = "code",
      description = {
        "Show a fresh pairing code, good for ten minutes and five wrong tries.",
        "'imker agent' without a token, on a machine of the same network, asks for it."
      })
  static final class Code extends PoolCommand {
    @Override
    public int run(ApiClient api) {
      JsonNode made = api.post("/api/v1/joins/code", Map.of());
      return show(
          made,
          out ->
              out.printf(
                  "%s%nUntil %s; run 'imker agent' on a machine of this network, and type it"
                      + " there.%n",
                  made.path("code").asText(), made.path("expires").asText()));
    }
  }

  @Command(
      name = "revoke",
      description = {
        "Let nobody new join with a token. Agents that have joined with it stay: see 'imker nodes"
            + " revoke'.",
        "'imker join revoke pool' closes the one that 'imker up' shows."
      })
  static final class Revoke extends PoolCommand {
    @Parameters(paramLabel = "TITLE", description = "What it is called.")
    String title = "";

    @Override
    public int run(ApiClient api) {
      api.delete("/api/v1/joins/" + ApiClient.encode(title));
      out().println("Nobody new joins by '" + title + "'.");
      return ExitCodes.OK;
    }
  }
}
