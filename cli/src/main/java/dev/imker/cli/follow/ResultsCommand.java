package dev.imker.cli.follow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.options.SelectedTasks;
import dev.imker.cli.options.TaskWalk;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.OutputOptions;
import dev.imker.cli.terminal.TextTable;
import dev.imker.cli.terminal.Texts;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code imker results}: lists result files or brings them home. */
@Command(
    name = "results",
    description = {
      "List the result files of tasks, or download them.",
      "For tasks that have not finished, shows what their latest checkpoint saved."
    })
public final class ResultsCommand extends PoolCommand {
  @Parameters(
      paramLabel = "ID",
      description = "Job or task: 12, 12.3, 12.3..7, a name, last, @IDENTIFIER.")
  String id = "";

  @Option(
      names = {"--to", "--results"},
      paramLabel = "DIR",
      description =
          "Download into DIR: one subfolder per task (0001, or 'DIR/{seed}' by"
              + " parameters) with stdout, stderr, exit-code and task.json, and a results.csv"
              + " covering all tasks.")
  @Nullable String target;

  @Option(names = "--overwrite", description = "Allow a folder that is not empty.")
  boolean overwrite;

  @Override
  public int run(ApiClient api) {
    SelectedTasks selection = SelectedTasks.resolve(api, id);
    if (target != null) {
      JobOutcome outcome = new JobOutcome(api, err());
      ResultNames names = ResultNames.parse(target);
      for (SelectedTasks.Part part : selection.parts()) {
        ResultNames own = selection.parts().size() == 1 ? names : names.of(part.job());
        ResultsFolder.requireUsable(own, part.job(), overwrite);
        outcome.fetchResults(part, own);
      }
    }
    if (output.json) {
      printAsJson(api, selection);
    } else if (target != null) {
      out().println("results: " + target);
    } else {
      printTable(api, selection);
    }
    return ExitCodes.OK;
  }

  private void printAsJson(ApiClient api, SelectedTasks selection) {
    ArrayNode tasks = ApiClient.json().createArrayNode();
    for (SelectedTasks.Part part : selection.parts()) {
      new TaskWalk(api)
          .each(
              part,
              false,
              task -> {
                var node = tasks.addObject();
                node.set("id", task.path("id"));
                node.set("state", task.path("state"));
                node.set("exitCode", task.path("exitCode"));
                node.set("results", task.path("results"));
                if (task.has("saved")) {
                  node.set("saved", task.path("saved"));
                }
              });
    }
    OutputOptions.printJson(out(), tasks);
  }

  private static void addRows(TextTable table, JsonNode task, String which, String note) {
    for (JsonNode file : task.path(which)) {
      table.add(
          task.path("id").asText(),
          Texts.bytes(file.path("size").asLong()),
          file.path("path").asText() + note);
    }
  }

  private void printTable(ApiClient api, SelectedTasks selection) {
    TextTable table = new TextTable("TASK", "SIZE", "FILE");
    for (SelectedTasks.Part part : selection.parts()) {
      new TaskWalk(api)
          .each(
              part,
              false,
              task -> {
                addRows(table, task, "results", "");
                addRows(table, task, "saved", "  (saved so far)");
              });
    }
    if (table.isEmpty()) {
      out().println("No result files.");
    } else {
      table.print(out());
      out().println();
      out().println("Download them with: imker results " + id + " --to DIR");
    }
  }
}
