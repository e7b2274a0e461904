package dev.imker.cli.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.terminal.TextTable;
import dev.imker.cli.terminal.Texts;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code imker board}: what tasks put up for each other. */
@Command(name = "board", description = "Show what tasks have put on the blackboard of a project.")
public final class BoardCommand extends PoolCommand {
  @Parameters(
      arity = "0..1",
      paramLabel = "TEXT",
      description = "Only entries whose name or description contains this text.")
  String text = "";

  @Option(
      names = "--project",
      paramLabel = "NAME",
      description = "Project (default: ${DEFAULT-VALUE}); as an admin also USER/NAME.")
  String project = "default";

  @Override
  public int run(ApiClient api) {
    JsonNode answer =
        api.get(
            "/api/v1/board?project=" + ApiClient.encode(project) + "&q=" + ApiClient.encode(text));
    return table(
        answer,
        "items",
        new TextTable("NAME", "SIZE", "BY", "POSTED", "UNTIL", "DESCRIPTION")
            .whenEmpty("Nothing is on the blackboard of " + project + "."),
        (table, item) ->
            table.add(
                item.path("name").asText(),
                Texts.bytes(item.path("size").asLong()),
                item.path("postedBy").asText().isEmpty() ? "-" : item.path("postedBy").asText(),
                Texts.time(item.path("posted")),
                Texts.time(item.path("expires")),
                item.path("description").asText()));
  }
}
