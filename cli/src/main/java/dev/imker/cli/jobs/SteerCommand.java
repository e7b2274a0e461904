package dev.imker.cli.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.BulkFilter;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.options.SelectedTasks;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.OutputOptions;
import dev.imker.model.ImkerException;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Commands that change the fate of tasks that were submitted already. */
public abstract class SteerCommand extends PoolCommand {
  @Parameters(
      paramLabel = "ID",
      arity = "0..1",
      description =
          "Jobs or tasks: 12, 12.3, 12.3..7, 12..15, a name, last, or a comma-separated list.")
  String id = "";

  @Mixin BulkFilter filter = new BulkFilter();

  private final String action;
  private final String verb;

  SteerCommand(String action, String verb) {
    this.action = action;
    this.verb = verb;
  }

  @Override
  public int run(ApiClient api) {
    return steer(api);
  }

  int steer(ApiClient api) {
    if (filter.isNeeded(id)) {
      return filter.change(api, bulkAction(), id, verb, output.json, out());
    }
    ArrayNode all = ApiClient.json().createArrayNode();
    for (SelectedTasks.Part part : SelectedTasks.resolve(api, id).parts()) {
      Map<String, Integer> range =
          part.isWholeJob() ? Map.of() : Map.of("from", part.first(), "to", part.last());
      JsonNode answer = api.post("/api/v1/jobs/" + part.job() + "/" + action, range);
      all.add(answer);
      if (!output.json) {
        long changed = answer.path("changed").asLong();
        out()
            .println(
                "job "
                    + part.job()
                    + ": "
                    + changed
                    + (changed == 1 ? " task " : " tasks ")
                    + verb
                    + (changed == 0 ? "; none is in a state that allows it" : ""));
      }
    }
    if (output.json) {
      OutputOptions.printJson(out(), all.size() == 1 ? all.get(0) : all);
    }
    return ExitCodes.OK;
  }

  /** What the action is called where it is done by a filter. */
  String bulkAction() {
    return action;
  }

  @Command(
      name = "cancel",
      description = "Cancel jobs or tasks; running tasks are stopped with all their processes.")
  public static final class Cancel extends SteerCommand {
    Cancel() {
      super("cancel", "cancelled");
    }
  }

  @Command(
      name = "block",
      description =
          "Hold jobs or tasks back until released; running tasks are stopped and start over.")
  public static final class Block extends SteerCommand {
    Block() {
      super("block", "blocked");
    }

    @Override
    public int run(ApiClient api) {
      long running = output.json ? 0 : filter.count(api, bulkAction(), id, "RUNNING");
      int exitCode = steer(api);
      if (running > 0) {
        out()
            .println(
                "%,d of them %s stopped while running, and will start over once released"
                    .formatted(
                        running, filter.dryRun ? "would be" : running == 1 ? "was" : "were"));
      }
      return exitCode;
    }
  }

  @Command(
      name = "release",
      description = "Release blocked tasks and run failed or cancelled ones again.")
  public static class Release extends SteerCommand {
    Release() {
      super("release", "released");
    }
  }

  @Command(
      name = "retry",
      description = {
        "Run failed, cancelled or held-back tasks again.",
        "With --in or --refresh they get the current inputs, for example a fixed script."
      })
  public static final class Retry extends Release {
    @Mixin RenewedInputs inputs = new RenewedInputs();

    @Override
    String bulkAction() {
      return "retry";
    }

    @Override
    public int run(ApiClient api) {
      if (inputs.isGiven()) {
        if (id.isEmpty() || filter.isNeeded(id)) {
          throw new ImkerException(
              "--in and --refresh change the inputs of a job: give its id, and neither a filter nor"
                  + " --dry-run.");
        }
        SelectedTasks.resolve(api, id).parts().stream()
            .mapToLong(SelectedTasks.Part::job)
            .distinct()
            .forEach(job -> tell(job, inputs.send(api, job)));
      }
      return steer(api);
    }

    private void tell(long job, List<String> sent) {
      if (!output.json) {
        out()
            .println(
                "job %d: %s"
                    .formatted(
                        job,
                        sent.isEmpty()
                            ? "its inputs have not changed"
                            : "sent again: " + String.join(", ", sent)));
      }
    }
  }
}
