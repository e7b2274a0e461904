package dev.imker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.imker.cli.api.ApiClient;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code imker wait}: until jobs are settled. */
@Command(
    name = "wait",
    description = "Wait until jobs are finished; exit code 0 if every task succeeded.")
final class WaitCommand extends PoolCommand {
  @Parameters(paramLabel = "ID", description = "Job: 12, 12..15, a name, last.")
  String id = "";

  @Option(
      names = "--results",
      paramLabel = "DIR",
      description = "Then fetch results into DIR, one sub-folder per task.")
  @Nullable Path results;

  @Override
  int run(ApiClient api) {
    Selection selection = Selection.resolve(api, id);
    ArrayNode all = ApiClient.json().createArrayNode();
    int exitCode = ExitCodes.OK;
    JobOutcome outcome = new JobOutcome(api, out(), err());
    for (Selection.Part part : selection.parts()) {
      JsonNode job = outcome.await(part.job(), ProgressLine.onTerminal(), output.json);
      all.add(job);
      exitCode = Math.max(exitCode, JobOutcome.exitCode(job));
      if (results != null) {
        outcome.fetchResults(
            part,
            selection.parts().size() == 1 ? results : results.resolve(Long.toString(part.job())));
      }
      if (!output.json) {
        outcome.explainFailures(job, part);
      }
    }
    if (output.json) {
      OutputOptions.printJson(out(), all.size() == 1 ? all.get(0) : all);
    }
    return exitCode;
  }
}
