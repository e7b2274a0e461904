package dev.imker.cli.jobs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.options.BulkFilter;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.options.SelectedTasks;
import dev.imker.cli.options.TimeSpan;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.OutputOptions;
import dev.imker.model.ImkerException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

/** {@code imker set}: changes limits of jobs and tasks that were submitted already. */
@Command(
    name = "set",
    description = {
      "Change the priority or limits of jobs or single tasks, even while they run.",
      "For example:",
      "imker set 12 priority=7 max-runtime=2h max-failures=3 at-most=10 pin=node1",
      "imker set 12.3 --priority 9",
      "imker set --project x --state READY priority=7"
    })
public final class SetCommand extends PoolCommand {
  @Parameters(
      arity = "0..*",
      paramLabel = "[ID] NAME=VALUE",
      description = {
        "Jobs or tasks (12, 12.3, 12.3..7, 12..15, a name, last) unless a filter selects them,",
        "followed by what to change:",
        "priority=0..9, max-failures=N, max-runtime=2h (0: no limit), at-most=N (0: any",
        "number at once), pin=NODE (empty: any)."
      })
  List<String> words = List.of();

  @Option(names = "--priority", paramLabel = "0..9", description = "Same as priority=.")
  @Nullable String priority;

  @Option(names = "--max-failures", paramLabel = "N", description = "Same as max-failures=.")
  @Nullable String maxFailures;

  @Option(names = "--max-runtime", paramLabel = "TIME", description = "Same as max-runtime=.")
  @Nullable String maxRuntime;

  @Option(names = "--at-most", paramLabel = "N", description = "Same as at-most=.")
  @Nullable String atMost;

  @Option(names = "--pin", paramLabel = "NODE", description = "Same as pin=.")
  @Nullable String pin;

  @Mixin BulkFilter filter = new BulkFilter();

  @Override
  public int run(ApiClient api) {
    String id = words.isEmpty() || words.getFirst().contains("=") ? "" : words.getFirst();
    Map<String, Object> body = body(changes(words.subList(id.isEmpty() ? 0 : 1, words.size())));
    if (filter.isNeeded(id)) {
      ObjectNode order = filter.order(api, "set", id);
      order.set("set", ApiClient.json().valueToTree(body));
      return filter.print(api.post("/api/v1/bulk", order), "changed", output.json, out());
    }
    SelectedTasks selection = SelectedTasks.resolve(api, id);
    ArrayNode all = ApiClient.json().createArrayNode();
    for (SelectedTasks.Part part : selection.parts()) {
      Map<String, Object> change = new LinkedHashMap<>(body);
      if (!part.isWholeJob()) {
        change.put("from", part.first());
        change.put("to", part.last());
      }
      all.add(api.patch("/api/v1/jobs/" + part.job(), change));
      if (!output.json) {
        out().println(title(part) + ": changed");
      }
    }
    if (output.json) {
      OutputOptions.printJson(out(), all.size() == 1 ? all.get(0) : all);
    }
    return ExitCodes.OK;
  }

  private static String title(SelectedTasks.Part part) {
    if (part.isWholeJob()) {
      return "job " + part.job();
    }
    return part.isSingleTask()
        ? "task " + part.job() + "." + part.first()
        : "tasks " + part.job() + "." + part.first() + ".." + part.last();
  }

  private List<String> changes(List<String> named) {
    List<String> all = new ArrayList<>(named);
    add(all, "priority", priority);
    add(all, "max-failures", maxFailures);
    add(all, "max-runtime", maxRuntime);
    add(all, "at-most", atMost);
    add(all, "pin", pin);
    return all;
  }

  private static void add(List<String> all, String name, @Nullable String value) {
    if (value != null) {
      all.add(name + "=" + value);
    }
  }

  private Map<String, Object> body(List<String> changes) {
    if (changes.isEmpty()) {
      throw wrong(
          "Say what to change: priority=7, max-runtime=2h, max-failures=3, at-most=10 or"
              + " pin=node1.");
    }
    Map<String, Object> body = new LinkedHashMap<>();
    for (String change : changes) {
      int equals = change.indexOf('=');
      String name = equals < 0 ? change : change.substring(0, equals);
      String value = equals < 0 ? "" : change.substring(equals + 1);
      switch (name) {
        case "priority" -> body.put("priority", number(change, value));
        case "max-failures" -> body.put("maxFailures", number(change, value));
        case "max-runtime" -> body.put("maxRuntimeMillis", millis(change, value));
        case "at-most" -> body.put("atMost", number(change, value));
        case "pin" -> body.put("pin", value);
        default ->
            throw wrong(
                "'"
                    + change
                    + "': known are priority, max-failures, max-runtime, at-most and pin.");
      }
    }
    return body;
  }

  private long number(String change, String value) {
    if (!value.matches("\\d{1,9}")) {
      throw wrong("'" + change + "' needs a whole number.");
    }
    return Long.parseLong(value);
  }

  private long millis(String change, String value) {
    try {
      return value.equals("none") ? 0 : TimeSpan.millis("max-runtime", value, "s");
    } catch (ImkerException e) {
      throw wrong("'" + change + "' needs a time such as 90s, 30m, 2h or 1d.");
    }
  }

  private ParameterException wrong(String message) {
    return new ParameterException(Objects.requireNonNull(spec).commandLine(), message);
  }
}
