package dev.imker.cli.options;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.OutputOptions;
import dev.imker.model.ImkerException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that choose tasks by what they have in common, instead of by their ids. */
public final class BulkFilter {
  @Option(names = "--project", paramLabel = "NAME", description = "All tasks of this project.")
  @Nullable String project;

  @Option(names = "--user", paramLabel = "NAME", description = "All tasks of this user.")
  @Nullable String user;

  @Option(
      names = "--name",
      paramLabel = "PATTERN",
      description = "All tasks of jobs with this name; * and ? are wildcards.")
  @Nullable String name;

  @Option(
      names = "--state",
      split = ",",
      paramLabel = "STATE",
      description =
          "Only tasks in this state: WAITING, READY, RUNNING, FAILED (also too often), BLOCKED,"
              + " ...")
  List<String> states = new ArrayList<>();

  @Option(
      names = "--status",
      split = ",",
      paramLabel = "STATUS",
      description = "Only jobs with this status: QUEUED, RUNNING, FAILED, ...")
  List<String> statuses = new ArrayList<>();

  @Option(names = "--all", description = "All your work.")
  boolean all;

  @Option(names = "--everyone", description = "Work of all users, not only your own (admins only).")
  boolean everyone;

  @Option(names = "--dry-run", description = "Only count what would change.")
  public boolean dryRun;

  /** Whether the server has to look at what is chosen before it acts, or only to look. */
  public boolean isNeeded(String id) {
    return id.isEmpty() || dryRun || isGiven();
  }

  public boolean isGiven() {
    return project != null
        || user != null
        || name != null
        || !states.isEmpty()
        || !statuses.isEmpty()
        || all;
  }

  /** Asks the server to do it, and prints how much that was. */
  public int change(
      ApiClient api, String action, String id, String verb, boolean json, PrintWriter out) {
    return print(api.post("/api/v1/bulk", order(api, action, id)), verb, json, out);
  }

  /** How many of the chosen tasks are in a state. */
  public long count(ApiClient api, String action, String id, String state) {
    ObjectNode order = order(api, action, id);
    order.put("dryRun", true);
    ObjectNode filter = (ObjectNode) order.get("filter");
    if (states.isEmpty() || states.stream().anyMatch(state::equalsIgnoreCase)) {
      filter.putArray("states").add(state);
      return api.post("/api/v1/bulk", order).path("tasks").asLong();
    }
    return 0;
  }

  /** What the server is to do with what the filter lets pass. */
  public ObjectNode order(ApiClient api, String action, String id) {
    if (!isGiven() && id.isEmpty()) {
      throw new ImkerException(
          "Name what to change: an id, or --project, --name, --user, --state, --status, --all.");
    }
    if (all && !id.isEmpty()) {
      throw new ImkerException("Use either an id or --all, not both: " + id + ".");
    }
    ObjectNode body = ApiClient.json().createObjectNode();
    body.put("action", action);
    body.put("dryRun", dryRun);
    body.set("filter", filter(api, id));
    return body;
  }

  /** The filter as the server takes it. Work that is not named one by one is the caller's own. */
  private ObjectNode filter(ApiClient api, String id) {
    ObjectNode filter = ApiClient.json().createObjectNode();
    if (!id.isEmpty()) {
      filter.put("select", id);
    }
    boolean own = user == null && id.isEmpty() && !everyone;
    put(filter, "project", project);
    put(filter, "user", own ? api.get("/api/v1/me").path("user").asText() : user);
    put(filter, "name", name);
    taskStates(states).forEach(filter.putArray("states")::add);
    statuses.forEach(filter.putArray("statuses")::add);
    filter.put("all", all);
    return filter;
  }

  /** Tasks that failed too often have failed, whatever their state is called. */
  public static List<String> taskStates(List<String> named) {
    return named.stream()
        .flatMap(
            state ->
                state.equalsIgnoreCase("FAILED")
                    ? Stream.of("FAILED", "AUTO_BLOCKED")
                    : Stream.of(state))
        .distinct()
        .toList();
  }

  private static void put(ObjectNode filter, String field, @Nullable String value) {
    if (value != null) {
      filter.put(field, value);
    }
  }

  public int print(JsonNode answer, String verb, boolean json, PrintWriter out) {
    if (json) {
      OutputOptions.printJson(out, answer);
      return ExitCodes.OK;
    }
    long jobs = answer.path("jobs").asLong();
    long tasks = answer.path("tasks").asLong();
    out.println(
        "%,d %s of %,d %s %s%s"
            .formatted(
                tasks,
                tasks == 1 ? "task" : "tasks",
                jobs,
                jobs == 1 ? "job" : "jobs",
                dryRun ? "would be " : "",
                verb));
    long kept = answer.path("kept").asLong();
    if (kept > 0) {
      out.println(
          "%,d %s kept: others wait for %s"
              .formatted(kept, kept == 1 ? "job is" : "jobs are", kept == 1 ? "it" : "them"));
    }
    return ExitCodes.OK;
  }
}
