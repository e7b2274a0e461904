package dev.imker.cli.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.options.SelectedTasks;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.OutputOptions;
import dev.imker.model.ImkerException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code imker explain}: why a task is where it is, or what a node would get. */
@Command(
    name = "explain",
    description =
        "Explain why a task is running, waiting or ended as it did, or what a machine"
            + " would get next.")
public final class ExplainCommand extends PoolCommand {
  /** So that a job of a million tasks does not become a million answers. */
  private static final int MAX_TASKS = 10;

  @Parameters(
      arity = "0..1",
      paramLabel = "ID",
      description = "Tasks: 12.3, last.1, 12.3..5; for a job, its first tasks.")
  @Nullable String id;

  @Option(
      names = "--node",
      paramLabel = "NODE",
      description = "Explain a machine instead: id or name of a node or agent.")
  @Nullable String node;

  @Override
  public int run(ApiClient api) {
    if ((id == null) == (node == null)) {
      throw new ImkerException("Name a task (imker explain 12.3) or a machine (--node NODE).");
    }
    ArrayNode all = ApiClient.json().createArrayNode();
    if (node != null) {
      add(all, api.get("/api/v1/nodes/" + ApiClient.encode(node) + "/explain"));
    } else if (id != null) {
      explainTasks(api, id, all);
    }
    if (output.json) {
      OutputOptions.printJson(out(), all.size() == 1 ? all.get(0) : all);
    }
    return ExitCodes.OK;
  }

  private void explainTasks(ApiClient api, String selector, ArrayNode all) {
    long left = 0;
    for (SelectedTasks.Part part : SelectedTasks.resolve(api, selector).parts()) {
      for (int number = part.first(); number <= part.last(); number++) {
        if (all.size() == MAX_TASKS) {
          left += part.last() - number + 1L;
          break;
        }
        add(all, api.get("/api/v1/tasks/" + part.job() + "." + number + "/explain"));
      }
    }
    if (left > 0) {
      err().println("… " + left + " more; name the task: imker explain JOB.NUMBER");
    }
  }

  private void add(ArrayNode all, JsonNode answer) {
    if (!output.json) {
      if (!all.isEmpty()) {
        out().println();
      }
      out().println(answer.path("text").asText());
    }
    all.add(answer);
  }
}
