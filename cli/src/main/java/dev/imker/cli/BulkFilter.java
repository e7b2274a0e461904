package dev.imker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.model.ImkerException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that choose tasks by what they have in common, instead of by their ids. */
final class BulkFilter {
  @Option(names = "--project", paramLabel = "NAME", description = "All tasks of this project.")
  @Nullable String project;

  @Option(names = "--user", paramLabel = "NAME", description = "All tasks of this user.")
  @Nullable String user;

  @Option(
      names = "--name",
      paramLabel = "PATTERN",
      description = "All tasks of jobs with such a name; * and ? stand for anything.")
  @Nullable String name;

  @Option(
      names = "--state",
      split = ",",
      paramLabel = "STATE",
      description = "Only tasks in this state: WAITING, READY, RUNNING, FAILED, BLOCKED, ...")
  List<String> states = new ArrayList<>();

  @Option(
      names = "--status",
      split = ",",
      paramLabel = "STATUS",
      description = "Only jobs with this status: QUEUED, RUNNING, FAILED, ...")
  List<String> statuses = new ArrayList<>();

  @Option(names = "--all", description = "Everything there is.")
  boolean all;

  @Option(names = "--dry-run", description = "Only count what would change.")
  boolean dryRun;

  boolean isGiven() {
    return project != null
        || user != null
        || name != null
        || !states.isEmpty()
        || !statuses.isEmpty()
        || all;
  }

  /** Asks the server to do it, and prints how much that was. */
  int change(ApiClient api, String action, String id, String verb, boolean json, PrintWriter out) {
    return print(api.post("/api/v1/bulk", order(action, id)), verb, json, out);
  }

  /** What the server is to do with what the filter lets pass. */
  ObjectNode order(String action, String id) {
    if (!isGiven()) {
      throw new ImkerException(
          "Say which: an id, or --project, --name, --user, --state, --status, --all.");
    }
    if (!id.isEmpty()) {
      throw new ImkerException("Give either an id or a filter, not both: " + id + ".");
    }
    ObjectNode body = ApiClient.json().createObjectNode();
    body.put("action", action);
    body.put("dryRun", dryRun);
    body.set("filter", filter());
    return body;
  }

  /** The filter as the server takes it. */
  ObjectNode filter() {
    ObjectNode filter = ApiClient.json().createObjectNode();
    put(filter, "project", project);
    put(filter, "user", user);
    put(filter, "name", name);
    states.forEach(filter.putArray("states")::add);
    statuses.forEach(filter.putArray("statuses")::add);
    filter.put("all", all);
    return filter;
  }

  private static void put(ObjectNode filter, String field, @Nullable String value) {
    if (value != null) {
      filter.put(field, value);
    }
  }

  int print(JsonNode answer, String verb, boolean json, PrintWriter out) {
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
