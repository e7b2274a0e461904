package dev.imker.cli.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code imker import}: jobs of another pool. */
@Command(name = "import", description = "Import jobs written by 'imker export'; they become yours.")
public final class ImportCommand extends PoolCommand {
  @Parameters(paramLabel = "FILE", description = "The ZIP file.")
  Path file = Path.of("");

  @Override
  public int run(ApiClient api) {
    JsonNode answer = api.postFile("/api/v1/import", "application/zip", file);
    return show(
        answer,
        out -> {
          for (JsonNode job : answer.path("jobs")) {
            out.printf(
                "job %d (was %d): %s, %d tasks%n",
                job.path("job").asLong(),
                job.path("was").asLong(),
                job.path("name").asText(),
                job.path("tasks").asLong());
          }
        });
  }
}
