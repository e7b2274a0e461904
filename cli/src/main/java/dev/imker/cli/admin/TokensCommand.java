package dev.imker.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.TextTable;
import dev.imker.cli.terminal.Texts;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code imker tokens}: words that programs use in place of a password. */
@Command(
    name = "tokens",
    description = "List, create or revoke API tokens.",
    subcommands = {
      TokensCommand.All.class,
      TokensCommand.Create.class,
      TokensCommand.Revoke.class,
      TokensCommand.Metrics.class
    })
public final class TokensCommand extends PoolCommand {
  private static final String PATH = "/api/v1/tokens";

  @Override
  public int run(ApiClient api) {
    return list(this, api, null);
  }

  private static String of(@Nullable String user) {
    return user == null ? "" : "?user=" + ApiClient.encode(user);
  }

  private static int list(PoolCommand command, ApiClient api, @Nullable String user) {
    JsonNode answer = api.get(PATH + of(user));
    return command.show(
        answer,
        out -> {
          TextTable table = new TextTable("NAME", "USER", "CREATED", "EXPIRES");
          for (JsonNode token : answer.path("tokens")) {
            boolean expires = token.path("expires").isTextual();
            table.add(
                token.path("title").asText(),
                token.path("user").asText(),
                Texts.time(token.path("created")),
                expires
                    ? Texts.time(token.path("expires"))
                        + (token.path("expired").asBoolean() ? " (over)" : "")
                    : "never");
          }
          if (table.isEmpty()) {
            out.println("No tokens. Create one with: imker tokens create NAME");
          } else {
            table.print(out);
          }
        });
  }

  @Command(name = "list", description = "List tokens, without their secrets.")
  static final class All extends PoolCommand {
    @Option(
        names = "--user",
        paramLabel = "NAME",
        description = "Tokens of another user (admins only).")
    @Nullable String user;

    @Override
    public int run(ApiClient api) {
      return list(this, api, user);
    }
  }

  @Command(name = "create", description = "Create a token and print it; it is shown only once.")
  static final class Create extends PoolCommand {
    @Parameters(paramLabel = "NAME", description = "Name of the token.")
    String title = "";

    @Option(
        names = "--user",
        paramLabel = "NAME",
        description = "Create it for another user (admins only).")
    @Nullable String user;

    @Option(
        names = "--days",
        paramLabel = "N",
        description = "How long it is valid (default: no limit).")
    @Nullable Integer days;

    @Override
    public int run(ApiClient api) {
      Map<String, Object> body = new LinkedHashMap<>();
      body.put("title", title);
      if (user != null) {
        body.put("user", user);
      }
      if (days != null) {
        body.put("days", days);
      }
      JsonNode answer = api.post(PATH, body);
      return show(answer, out -> out.println(answer.path("token").asText()));
    }
  }

  @Command(name = "revoke", description = "Revoke a token; it stops working immediately.")
  static final class Revoke extends PoolCommand {
    @Parameters(paramLabel = "NAME", description = "Name of the token.")
    String title = "";

    @Option(
        names = "--user",
        paramLabel = "NAME",
        description = "User who owns the token (admins only).")
    @Nullable String user;

    @Override
    public int run(ApiClient api) {
      api.delete(PATH + "/" + ApiClient.encode(title) + of(user));
      if (!output.json) {
        out().println("token " + title + ": revoked");
      }
      return ExitCodes.OK;
    }
  }

  @Command(
      name = "metrics",
      description =
          "Print the token for /metrics (admins only); it grants nothing else and"
              + " changes with the admin token.")
  static final class Metrics extends PoolCommand {
    @Override
    public int run(ApiClient api) {
      JsonNode answer = api.get("/api/v1/metrics-token");
      return show(answer, out -> out.println(answer.path("token").asText()));
    }
  }
}
