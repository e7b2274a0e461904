package dev.imker.cli;

import dev.imker.cli.api.ApiClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code imker rm}: removes finished jobs. */
@Command(name = "rm", description = "Remove finished jobs with all their results.")
final class RemoveCommand extends PoolCommand {
  @Parameters(
      paramLabel = "ID",
      description = "Jobs: 12, 12..15, a name, last, a list with commas.")
  String id = "";

  @Override
  int run(ApiClient api) {
    for (Selection.Part part : Selection.resolve(api, id).parts()) {
      api.delete("/api/v1/jobs/" + part.job());
      if (!output.json) {
        out().println("job " + part.job() + ": removed");
      }
    }
    return ExitCodes.OK;
  }
}
