package dev.imker.cli.admin;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.terminal.TextTable;
import dev.imker.cli.terminal.Texts;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code imker audit}: who did what. */
@Command(name = "audit", description = "Show the audit log, newest first: who did what, and when.")
public final class AuditCommand extends PoolCommand {
  @Option(names = "--user", paramLabel = "NAME", description = "Only actions of this user.")
  @Nullable String user;

  @Option(
      names = "--since",
      paramLabel = "DAY",
      description = "Only entries since this date (2026-01-31) or time (2026-01-31T12:00:00Z).")
  @Nullable String since;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      description = "How many (default: ${DEFAULT-VALUE}).")
  int limit = 50;

  @Override
  public int run(ApiClient api) {
    StringBuilder path = new StringBuilder("/api/v1/audit?limit=").append(limit);
    if (user != null) {
      path.append("&user=").append(ApiClient.encode(user));
    }
    if (since != null) {
      path.append("&since=").append(ApiClient.encode(since));
    }
    JsonNode answer = api.get(path.toString());
    return table(
        answer,
        "entries",
        new TextTable("TIME", "USER", "ROLE", "ANSWER", "FROM", "WHAT"),
        (table, entry) ->
            table.add(
                Texts.time(entry.path("at")),
                entry.path("user").asText().isEmpty() ? "-" : entry.path("user").asText(),
                entry.path("role").asText().isEmpty() ? "-" : entry.path("role").asText(),
                entry.path("status").asText(),
                entry.path("address").asText(),
                entry.path("action").asText()));
  }
}
