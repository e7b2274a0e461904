package dev.imker.cli.jobs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.ApiException;
import dev.imker.cli.options.BulkFilter;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.options.SelectedTasks;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.OutputOptions;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code imker delete}: removes finished jobs. */
@Command(
    name = "delete",
    aliases = "rm",
    description = {
      "Delete finished jobs with all their results, by id or by filter.",
      "The pool later removes files that nothing else needs."
    })
public final class RemoveCommand extends PoolCommand {
  private static final int CONFLICT = 409;

  @Parameters(
      paramLabel = "ID",
      arity = "0..1",
      description = "Jobs: 12, 12..15, a name, last, or a comma-separated list.")
  String id = "";

  @Mixin BulkFilter filter = new BulkFilter();

  @Override
  public int run(ApiClient api) {
    SelectedTasks selection =
        id.isEmpty() ? new SelectedTasks(List.of()) : SelectedTasks.resolve(api, id);
    selection.parts().forEach(this::requireWhole);
    if (id.isEmpty() || filter.isGiven()) {
      return filter.change(api, "delete", id, "deleted", output.json, out());
    }
    ArrayNode removed = ApiClient.json().createArrayNode();
    boolean all = true;
    for (SelectedTasks.Part part : selection.parts()) {
      try {
        api.delete("/api/v1/jobs/" + part.job() + (filter.dryRun ? "?dryRun=true" : ""));
        removed.add(part.job());
        if (!output.json) {
          out().println("job " + part.job() + (filter.dryRun ? ": would be deleted" : ": deleted"));
        }
      } catch (ApiException e) {
        if (e.status() != CONFLICT) {
          throw e;
        }
        all = false;
        err().println("imker: " + e.getMessage());
      }
    }
    if (output.json) {
      OutputOptions.printJson(
          out(),
          ApiClient.json()
              .createObjectNode()
              .set(filter.dryRun ? "wouldBeRemoved" : "removed", removed));
    }
    return all ? ExitCodes.OK : ExitCodes.REFUSED;
  }

  private void requireWhole(SelectedTasks.Part part) {
    if (!part.isWholeJob()) {
      throw new ParameterException(
          Objects.requireNonNull(spec).commandLine(),
          "Only whole jobs can be deleted, not single tasks; nothing was deleted. To delete the whole job: imker delete %d. To stop the tasks: imker cancel %s."
              .formatted(part.job(), id));
    }
  }
}
