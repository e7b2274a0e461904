package dev.imker.cli.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.terminal.TextTable;
import dev.imker.cli.terminal.Texts;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code imker ls}: jobs, newest first. */
@Command(name = "ls", description = "List jobs, newest first.")
public final class ListCommand extends PoolCommand {
  private static final int COMMAND_WIDTH = 50;

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      description = "How many (default: ${DEFAULT-VALUE}).")
  int limit = 20;

  @Option(
      names = "--status",
      paramLabel = "STATUS",
      description = "Only QUEUED, RUNNING, DONE, FAILED or CANCELLED ones.")
  @Nullable String status;

  @Option(names = "--project", paramLabel = "NAME", description = "Only jobs of this project.")
  @Nullable String project;

  @Override
  public int run(ApiClient api) {
    StringBuilder path = new StringBuilder("/api/v1/jobs?limit=").append(limit);
    if (status != null) {
      path.append("&status=").append(ApiClient.encode(status));
    }
    if (project != null) {
      path.append("&project=").append(ApiClient.encode(project));
    }
    JsonNode answer = api.get(path.toString());
    return show(
        answer,
        out -> {
          TextTable table =
              new TextTable(
                  "ID", "NAME", "STATUS", "DONE", "TASKS", "FAILED", "SUBMITTED", "COMMAND");
          for (JsonNode job : answer.path("jobs")) {
            JsonNode counts = job.path("counts");
            table.add(
                job.path("id").asText(),
                job.path("name").asText(),
                job.path("status").asText(),
                counts.path("done").asText(),
                job.path("tasks").asText(),
                counts.path("failed").asLong() + counts.path("autoBlocked").asLong(),
                Texts.time(job.path("submitted")),
                Texts.shorten(Texts.command(job.path("command")), COMMAND_WIDTH));
          }
          if (table.isEmpty()) {
            out.println("No jobs. Run one with: imker run --wait -- echo hello");
          } else {
            table.print(out);
          }
        });
  }
}
