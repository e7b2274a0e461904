package dev.imker.cli.follow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.options.SelectedTasks;
import dev.imker.cli.options.TimeSpan;
import dev.imker.cli.terminal.Background;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.OutputOptions;
import dev.imker.cli.terminal.ProgressLine;
import dev.imker.cli.terminal.Texts;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code imker wait}: until jobs are settled. */
@Command(
    name = "wait",
    description = "Wait until jobs are finished; exits with 0 if every task succeeded.")
public final class WaitCommand extends PoolCommand {
  @Parameters(paramLabel = "ID", description = "Job: 12, 12..15, a name, last.")
  String id = "";

  @Option(
      names = "--results",
      paramLabel = "DIR",
      description = "Then download results into DIR, as 'imker results --to' does.")
  @Nullable String results;

  @Option(names = "--overwrite", description = "Allow --results to use a folder that is not empty.")
  boolean overwrite;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description =
          "Wait at most this long (90s, 10m, 2h), then exit with code 124; the job keeps"
              + " running.")
  @Nullable String timeout;

  @Override
  public int run(ApiClient connection) {
    ApiClient api = connection.patient(err());
    if (timeout == null) {
      return await(api);
    }
    Duration limit = Duration.ofMillis(TimeSpan.millis("--timeout", timeout, "s"));
    return Background.run(() -> await(api))
        .within(limit)
        .orElseGet(
            () -> {
              err()
                  .println(
                      "imker: "
                          + (id.equals("last") ? "the last job" : "job " + id)
                          + " has not finished within "
                          + Texts.duration(limit)
                          + ".");
              return ExitCodes.TIMED_OUT;
            });
  }

  private int await(ApiClient api) {
    SelectedTasks selection = SelectedTasks.resolve(api, id);
    ArrayNode all = ApiClient.json().createArrayNode();
    int exitCode = ExitCodes.OK;
    JobOutcome outcome = new JobOutcome(api, err());
    ResultNames names = results == null ? null : ResultNames.parse(results);
    for (SelectedTasks.Part part : selection.parts()) {
      ResultNames own =
          names == null || selection.parts().size() == 1 ? names : names.of(part.job());
      if (own != null) {
        ResultsFolder.requireUsable(own, part.job(), overwrite);
      }
      JsonNode job = outcome.await(part.job(), ProgressLine.onTerminal(), output.json);
      all.add(job);
      exitCode = Math.max(exitCode, JobOutcome.exitCode(job));
      if (own != null) {
        outcome.fetchResults(part, own);
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
