package dev.imker.cli.follow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.JobWatch;
import dev.imker.cli.options.SelectedTasks;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.OutputOptions;
import dev.imker.cli.terminal.ProgressLine;
import dev.imker.cli.terminal.Texts;
import dev.imker.model.text.SafeText;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/** What a command does with jobs it has just submitted: says so, or waits for them. */
public final class Follow {
  private final ApiClient api;
  private final PrintWriter out;
  private final PrintWriter err;
  private final boolean json;
  private IntUnaryOperator sequence = number -> number;

  public Follow(ApiClient api, PrintWriter out, PrintWriter err, boolean json) {
    this.api = api;
    this.out = out;
    this.err = err;
    this.json = json;
  }

  /** What the tasks are called in a job log, where that is not their number. */
  public Follow withSequence(IntUnaryOperator names) {
    sequence = names;
    return this;
  }

  /** Prints what the server has to say about jobs that it has just accepted. */
  void warn(List<JsonNode> views) {
    for (JsonNode view : views) {
      for (JsonNode warning : view.path("warnings")) {
        err.println("imker: warning: " + SafeText.line(warning.asText()));
      }
    }
    err.flush();
  }

  /** Prints where to look for the jobs. */
  int announce(List<JsonNode> views) {
    if (json) {
      print(views);
      return ExitCodes.OK;
    }
    for (JsonNode view : views) {
      long tasks = view.path("tasks").asLong();
      out.println(
          "job %d (%s): %d %s; follow with: imker attach %d"
              .formatted(
                  view.path("id").asLong(),
                  view.path("name").asText(),
                  tasks,
                  tasks == 1 ? "task" : "tasks",
                  view.path("id").asLong()));
    }
    return ExitCodes.OK;
  }

  /** Waits for the jobs, one after the other, and shows what comes out. */
  int await(List<JsonNode> views, FollowOptions options) {
    int exitCode = ExitCodes.OK;
    ArrayNode all = ApiClient.json().createArrayNode();
    ResultNames names = options.results == null ? null : ResultNames.parse(options.results);
    for (JsonNode view : views) {
      ResultNames own =
          names == null || views.size() == 1 ? names : names.of(view.path("id").asLong());
      exitCode = Math.max(exitCode, await(view, own, options, all));
    }
    if (json) {
      print(all.valueStream().toList());
    }
    return exitCode;
  }

  private int await(
      JsonNode view, @Nullable ResultNames results, FollowOptions options, ArrayNode all) {
    long id = view.path("id").asLong();
    JobOutcome outcome = new JobOutcome(api, err);
    ProgressLine progress = ProgressLine.ofNewJob();
    LiveTails tails = new LiveTails(api);
    Watchers watchers = watchers(view, options, outcome, progress, tails);
    JsonNode job = outcome.await(id, progress, json, watchers);
    tails.join();
    int tasks = job.path("tasks").asInt();
    SelectedTasks.Part whole =
        new SelectedTasks.Part(id, job.path("name").asText(), tasks, 1, tasks, true);
    if (results != null) {
      outcome.fetchResults(whole, results);
    }
    if (json) {
      all.add(outcome.asJson(job, whole, results == null ? null : results.base()));
      return JobOutcome.exitCode(job);
    }
    if (results != null) {
      err.println("results: " + results.base());
    }
    outcome.explainFailures(job, whole);
    return JobOutcome.exitCode(job);
  }

  private Watchers watchers(
      JsonNode view,
      FollowOptions options,
      JobOutcome outcome,
      ProgressLine progress,
      LiveTails tails) {
    Watchers all = new Watchers();
    if (options.jobLog != null) {
      JobLog log = new JobLog(options.jobLog, view.path("command"), sequence);
      all.add(new EndedTasks(api, false, log::add));
    }
    if (options.tail && !json) {
      progress.leaveOut();
      all.add(tails::update);
      all.add(new EndedTasks(api, true, tails::ended));
    } else if (!json && !view.path("kind").asText().equals("NOOP")) {
      boolean many = view.path("tasks").asLong() > 1;
      boolean inOrder = !options.asEnded;
      all.add(
          new EndedTasks(
              api,
              inOrder,
              task -> {
                progress.makeWay();
                outcome.printOutput(task, many && !options.tag, tag(options, task), !inOrder);
              }));
    }
    if (options.halt != null) {
      all.add(halt(HaltRule.parse(options.halt)));
    }
    return all;
  }

  private static String tag(FollowOptions options, JsonNode task) {
    return options.tag ? Texts.values(task.path("params")) + "\t" : "";
  }

  private JobWatch.Listener halt(HaltRule rule) {
    boolean[] done = {false};
    return job -> {
      if (!done[0] && rule.applies(job) && !job.hasNonNull("settled")) {
        done[0] = true;
        long id = job.path("id").asLong();
        err.println("imker: --halt: job " + id + " is stopped.");
        if (rule.now()) {
          api.postRepeatably("/api/v1/jobs/" + id + "/cancel", Map.of());
        } else {
          api.postRepeatably(
              "/api/v1/bulk",
              Map.of(
                  "action",
                  "cancel",
                  "filter",
                  Map.of("select", Long.toString(id), "states", List.of("READY", "WAITING"))));
        }
      }
    };
  }

  private void print(List<JsonNode> nodes) {
    OutputOptions.printJson(
        out,
        nodes.size() == 1 ? nodes.getFirst() : ApiClient.json().createArrayNode().addAll(nodes));
  }
}
