package dev.imker.cli.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.JobWatch;
import dev.imker.cli.nodes.AmountWords;
import dev.imker.cli.options.BulkFilter;
import dev.imker.cli.options.PoolCommand;
import dev.imker.cli.options.SelectedTasks;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.OutputOptions;
import dev.imker.cli.terminal.TextTable;
import dev.imker.cli.terminal.Texts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code imker show}: one job with its tasks, or one task with its attempts. */
@Command(name = "show", description = "Show a job with its tasks, or a task with its attempts.")
public final class ShowCommand extends PoolCommand {
  @Parameters(
      paramLabel = "ID",
      description = "Job or task: 12, 12.3, 12.3..7, a name, last, last.3, @IDENTIFIER.")
  String id = "";

  @Option(
      names = {"-n", "--limit"},
      paramLabel = "N",
      description = "How many tasks of a job (default: ${DEFAULT-VALUE}).")
  int limit = 50;

  @Option(
      names = "--from",
      paramLabel = "N",
      description = "First task to show of a job (default: ${DEFAULT-VALUE}).")
  int from = 1;

  @Option(
      names = "--state",
      split = ",",
      paramLabel = "STATE",
      description =
          "Only tasks in this state: WAITING, READY, RUNNING, FAILED (also too often), ...")
  List<String> states = new ArrayList<>();

  @Override
  public int run(ApiClient api) {
    SelectedTasks selection = SelectedTasks.resolve(api, id);
    ArrayNode all = ApiClient.json().createArrayNode();
    for (SelectedTasks.Part part : selection.parts()) {
      if (part.isWholeJob()) {
        showJob(api, part, all);
      } else {
        showTasks(api, part, all);
      }
    }
    if (output.json) {
      OutputOptions.printJson(out(), all.size() == 1 ? all.get(0) : all);
    }
    return ExitCodes.OK;
  }

  private void showJob(ApiClient api, SelectedTasks.Part part, ArrayNode all) {
    JsonNode job = api.get("/api/v1/jobs/" + part.job() + "?spec=true");
    all.add(job);
    if (output.json) {
      return;
    }
    out().println("job        " + part.job() + "  " + job.path("name").asText());
    out().println("project    " + job.path("user").asText() + "/" + job.path("project").asText());
    out().println("status     " + job.path("status").asText());
    if (!job.path("phase").asText("RUNNING").equals("RUNNING")) {
      out().println("phase      " + job.path("phase").asText());
    }
    out().println("tasks      " + part.tasks() + "  (" + Texts.counts(job.path("counts")) + ")");
    out().println("priority   " + job.path("priority").asText());
    out().println("submitted  " + Texts.time(job.path("submitted")));
    if (JobWatch.isSettled(job)) {
      out()
          .println(
              "settled    "
                  + Texts.time(job.path("settled"))
                  + "  after "
                  + Texts.between(job.path("submitted"), job.path("settled")));
    }
    if (job.has("expectedEnd")) {
      JsonNode end = job.path("expectedEnd");
      out()
          .println(
              "ends about %s  (80 %% likely between %s and %s)"
                  .formatted(
                      Texts.time(end.path("at")),
                      Texts.time(end.path("earliest")),
                      Texts.time(end.path("latest"))));
    }
    out().println("command    " + Texts.command(job.path("command")));
    printData(job);
    printSpawned(job);
    out().println();
    TextTable table =
        new TextTable("TASK", "STAGE", "STATE", "TRIES", "EXIT", "TIME", "NODE", "PARAMETERS");
    JsonNode page =
        api.get(
            "/api/v1/jobs/%d/tasks?from=%d&limit=%d&state=%s"
                .formatted(
                    part.job(),
                    Math.max(1, from),
                    Math.max(1, limit),
                    ApiClient.encode(String.join(",", BulkFilter.taskStates(states)))));
    page.path("tasks").forEach(task -> addRow(table, task, tries(api, task)));
    table.print(out());
    page.path("tasks").forEach(this::printRechecked);
    if (page.hasNonNull("next")) {
      out()
          .println(
              "… more: imker show %s --from %d%s"
                  .formatted(
                      id,
                      page.get("next").asInt(),
                      states.isEmpty() ? "" : " --state " + String.join(",", states)));
    }
  }

  private void printSpawned(JsonNode job) {
    if (job.hasNonNull("spawnedBy")) {
      out().println("spawned by " + job.get("spawnedBy").asText());
    }
    JsonNode spawned = job.path("spawned");
    if (!spawned.isMissingNode()) {
      List<String> numbers = spawned.path("jobs").valueStream().map(JsonNode::asText).toList();
      long tasks = spawned.path("tasks").asLong();
      out()
          .println(
              "spawned    %,d of %,d tasks done, in %s %s%s"
                  .formatted(
                      tasks - spawned.path("open").asLong(),
                      tasks,
                      spawned.path("count").asInt() == 1 ? "job" : "jobs",
                      String.join(", ", numbers),
                      spawned.path("count").asInt() > numbers.size() ? ", …" : ""));
    }
  }

  /** What the job gets from others by name, and gives to them. */
  private void printData(JsonNode job) {
    Set<String> taken = new LinkedHashSet<>();
    Set<String> open = new LinkedHashSet<>();
    List<String> published = new ArrayList<>();
    job.path("published").forEach(version -> published.add(version.asText()));
    for (JsonNode stage : job.at("/spec/stages")) {
      List<JsonNode> all = new ArrayList<>();
      stage.path("after").forEach(all::add);
      stage.path("dataInputs").forEach(input -> all.add(input.path("from")));
      for (JsonNode from : all) {
        String data = from.path("data").asText();
        String tasks = from.path("tasks").asText();
        if (!data.isEmpty() && tasks.isEmpty()) {
          open.add(data);
        } else if (!data.isEmpty()) {
          taken.add(data + " of " + tasks);
        }
      }
      String name = stage.at("/rules/publish").asText();
      if (!name.isEmpty() && published.stream().noneMatch(v -> v.startsWith(name + "@"))) {
        published.add(name + " (when its tasks are done)");
      }
    }
    printIfAny("takes", taken);
    printIfAny("waits for", open);
    printIfAny("publishes", published);
  }

  private void printIfAny(String what, Collection<String> data) {
    if (!data.isEmpty()) {
      out().println("%-10s data %s".formatted(what, String.join(", ", data)));
    }
  }

  /** Attempts that the machine gave back through no fault of the task are not tries of it. */
  private static long tries(ApiClient api, JsonNode task) {
    long attempts = task.path("attempts").asLong();
    boolean counts = Set.of("DONE", "RUNNING").contains(task.path("state").asText());
    long known = task.path("failures").asLong() + task.path("losses").asLong() + (counts ? 1 : 0);
    return attempts <= known
        ? attempts
        : tries(api.get("/api/v1/tasks/" + task.path("id").asText()).path("attemptHistory"));
  }

  private static long tries(JsonNode history) {
    return history
        .valueStream()
        .filter(attempt -> !attempt.path("outcome").asText().equals("GIVEN_BACK"))
        .count();
  }

  private static void addRow(TextTable table, JsonNode task, long tries) {
    table.add(
        task.path("id").asText(),
        task.path("stage").asText("").isEmpty() ? "-" : task.path("stage").asText(),
        task.path("state").asText(),
        tries,
        task.hasNonNull("exitCode") ? task.get("exitCode").asText() : "-",
        Texts.between(task.path("started"), task.path("ended")),
        task.hasNonNull("agent") ? task.get("agent").asText() : "-",
        Texts.params(task.path("params")));
  }

  private void showTasks(ApiClient api, SelectedTasks.Part part, ArrayNode all) {
    for (int number = part.first(); number <= part.last(); number++) {
      JsonNode task = api.get("/api/v1/tasks/" + part.job() + "." + number);
      all.add(task);
      if (!output.json) {
        printTask(task);
      }
    }
  }

  private void printTask(JsonNode task) {
    out().println("task       " + task.path("id").asText());
    if (!task.path("stage").asText("").isEmpty()) {
      out().println("stage      " + task.path("stage").asText());
    }
    out().println("state      " + task.path("state").asText());
    out().println("priority   " + task.path("priority").asText());
    if (task.has("own")) {
      out().println("own limits " + own(task.path("own")));
    }
    out().println("parameters " + Texts.params(task.path("params")));
    out()
        .println(
            "tries      "
                + tries(task.path("attemptHistory"))
                + "  ("
                + task.path("failures").asText()
                + " failed, "
                + task.path("losses").asText()
                + " lost)");
    if (task.hasNonNull("agent")) {
      out().println("node       " + task.path("agent").asText());
    }
    JsonNode attempts = task.path("attemptHistory");
    if (!attempts.isEmpty()) {
      String had = AmountWords.had(attempts.get(attempts.size() - 1).path("had"));
      String word = task.path("state").asText().equals("RUNNING") ? "has" : "had";
      if (!had.isEmpty()) {
        out().println(word + "        " + had);
      }
    }
    if (task.hasNonNull("exitCode")) {
      out().println("exit code  " + task.path("exitCode").asText());
      out().println("time       " + resources(task));
    }
    if (task.path("state").asText().equals("DONE")) {
      out().println("committed  " + Texts.time(task.path("changed")));
    }
    if (task.has("progress")) {
      JsonNode progress = task.path("progress");
      out()
          .println(
              "progress   %d %% %s"
                  .formatted(
                      Math.round(100 * progress.path("fraction").asDouble()),
                      progress.path("text").asText())
                  .strip());
    }
    if (!task.path("error").asText().isEmpty()) {
      out().println("error      " + task.path("error").asText());
    }
    printRechecked(task);
    printFiles("result     ", task.path("results"));
    printFiles("saved      ", task.path("saved"));
    if (attempts.size() > 1) {
      attempts.forEach(this::printAttempt);
    }
    out().println();
  }

  private void printFiles(String heading, JsonNode files) {
    for (JsonNode file : files) {
      out()
          .println(
              heading
                  + file.path("path").asText()
                  + "  "
                  + Texts.bytes(file.path("size").asLong()));
    }
  }

  private void printRechecked(JsonNode task) {
    if (task.hasNonNull("rechecked")) {
      out()
          .println(
              "re-checked " + task.path("id").asText() + ": " + task.path("rechecked").asText());
    }
  }

  /** What was changed for this task alone. */
  private static String own(JsonNode own) {
    List<String> all = new ArrayList<>();
    if (own.has("priority")) {
      all.add("priority " + own.path("priority").asText());
    }
    if (own.has("maxFailures")) {
      all.add("max-failures " + own.path("maxFailures").asText());
    }
    if (own.has("maxRuntimeMillis")) {
      long millis = own.path("maxRuntimeMillis").asLong();
      all.add("max-runtime " + (millis == 0 ? "none" : Texts.duration(Duration.ofMillis(millis))));
    }
    if (own.has("pin")) {
      String pin = own.path("pin").asText();
      all.add("pin " + (pin.isEmpty() ? "any" : pin));
    }
    return String.join(", ", all);
  }

  private static String resources(JsonNode task) {
    long peak = task.path("peakMemoryBytes").asLong();
    long paused = task.path("pausedMillis").asLong();
    return Texts.between(task.path("started"), task.path("ended"))
        + (paused > 0 ? ", of which paused " + Texts.duration(Duration.ofMillis(paused)) : "")
        + "  cpu "
        + task.path("cpuMillis").asLong()
        + " ms"
        + (peak > 0 ? ", peak memory " + Texts.bytes(peak) : "");
  }

  private void printAttempt(JsonNode attempt) {
    out()
        .println(
            "attempt "
                + attempt.path("number").asText()
                + "  "
                + attempt.path("outcome").asText("RUNNING")
                + " on "
                + attempt.path("agent").asText()
                + " with "
                + AmountWords.had(attempt.path("had"))
                + (attempt.hasNonNull("exitCode")
                    ? ", exit code " + attempt.get("exitCode").asText()
                    : "")
                + (attempt.path("error").asText().isEmpty()
                    ? ""
                    : ": " + attempt.path("error").asText()));
  }
}
