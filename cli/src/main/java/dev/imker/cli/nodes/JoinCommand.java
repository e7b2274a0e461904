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
      "Print the command that joins another machine to the pool, and list the join tokens.",
      "An agent needs a join token once; after that, the server identifies it by its own key."
    },
    subcommands = {JoinCommand.New.class, JoinCommand.Code.class, JoinCommand.Revoke.class})
public final class JoinCommand extends PoolCommand {
  @Option(names = "--token-only", description = "Print only the token that 'imker up' shows.")
  boolean token;

  @Override
  public int run(ApiClient api) {
    JsonNode answer = api.get("/api/v1/joins");
    if (token) {
      if (!answer.path("token").isTextual()) {
        throw new ImkerException(
            "The pool's own token was revoked; 'imker join new pool' enables it again.");
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
        "Run this on another machine (Linux, macOS); '| … sh -s -- --service' installs"
            + " a service:");
    out.println("  " + answer.path("line").asText());
    out.println("On Windows, in PowerShell:");
    out.println("  " + answer.path("windowsLine").asText());
  }

  @Command(
      name = "new",
      description = {
        "Create a token, limited by number of agents or time; it is shown only once.",
        "'imker join new pool' re-enables the one that 'imker up' shows."
      })
  static final class New extends PoolCommand {
    @Parameters(paramLabel = "TITLE", description = "Title of the token.")
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
        description = "How long new agents may join with it (default: no limit).")
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
        "Show a new pairing code, valid for ten minutes and five wrong attempts.",
        "'imker agent' without a token asks for it on a machine in the same network."
      })
  static final class Code extends PoolCommand {
    @Override
    public int run(ApiClient api) {
      JsonNode made = api.post("/api/v1/joins/code", Map.of());
      return show(
          made,
          out ->
              out.printf(
                  "%s%nValid until %s. Run 'imker agent' on a machine in this network"
                      + " and enter it there.%n",
                  made.path("code").asText(), made.path("expires").asText()));
    }
  }

  @Command(
      name = "revoke",
      description = {
        "Revoke a join token. Agents that have already joined with it stay: see 'imker"
            + " nodes revoke'.",
        "'imker join revoke pool' revokes the one that 'imker up' shows."
      })
  static final class Revoke extends PoolCommand {
    @Parameters(paramLabel = "TITLE", description = "Title of the token.")
    String title = "";

    @Override
    public int run(ApiClient api) {
      api.delete("/api/v1/joins/" + ApiClient.encode(title));
      out().println("Nobody new joins by '" + title + "'.");
      return ExitCodes.OK;
    }
  }
}
