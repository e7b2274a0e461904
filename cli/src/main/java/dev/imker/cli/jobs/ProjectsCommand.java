package dev.imker.cli.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.terminal.TextTable;
import dev.imker.cli.terminal.Texts;
import java.util.Locale;
import picocli.CommandLine.Command;

/** {@code imker projects}: what is recorded of projects. */
@Command(name = "projects", description = "List projects with their work and run times.")
public final class ProjectsCommand extends PoolCommand {
  @Override
  public int run(ApiClient api) {
    JsonNode answer = api.get("/api/v1/projects");
    return table(
        answer,
        "projects",
        new TextTable("PROJECT", "RUNNING", "READY", "DONE", "MEAN TIME")
            .whenEmpty("No project has any work yet."),
        (table, project) ->
            table.add(
                project.path("user").asText() + "/" + project.path("project").asText(),
                project.path("nrWORKING").asText(),
                project.path("ready").asText(),
                String.format(Locale.ROOT, "%.1f %%", 100 * project.path("relDONE").asDouble()),
                Texts.minutes(project.path("avT"))));
  }
}
