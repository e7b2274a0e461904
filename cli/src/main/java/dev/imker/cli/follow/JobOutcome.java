package dev.imker.cli.follow;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.JobWatch;
import dev.imker.cli.api.TaskOutput;
import dev.imker.cli.options.SelectedTasks;
import dev.imker.cli.options.TaskWalk;
import dev.imker.cli.terminal.ExitCodes;
import dev.imker.cli.terminal.ProgressLine;
import dev.imker.cli.terminal.Texts;
import dev.imker.cli.terminal.WholeLines;
import dev.imker.model.ImkerException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Waits for a job with a progress line, then shows what came out of it. */
record JobOutcome(ApiClient api, PrintWriter err) {
  /** Blocks until the job is settled; the last view of it. */
  JsonNode await(long job, ProgressLine progress, boolean quiet) {
    return await(job, progress, quiet, view -> {});
  }

  /**
   * @param listener hears of every change, the last included
   */
  JsonNode await(long job, ProgressLine progress, boolean quiet, JobWatch.Listener listener) {
    Thread onInterrupt = Thread.ofPlatform().unstarted(() -> sayItGoesOn(job));
    Runtime.getRuntime().addShutdownHook(onInterrupt);
    try {
      if (quiet) {
        progress.leaveOut();
      }
      JsonNode settled =
          new JobWatch(api, progress::trouble)
              .untilSettled(job, new Watchers().add(progress::show).add(listener));
      if (!quiet) {
        progress.finish();
      }
      return settled;
    } finally {
      Runtime.getRuntime().removeShutdownHook(onInterrupt);
    }
  }

  /** Fetches results into one sub-folder per task. */
  void fetchResults(SelectedTasks.Part part, ResultNames names) {
    new ResultsFolder(api, names).fetch(part);
  }

  /** The job with all of its tasks and their output. */
  ObjectNode asJson(JsonNode job, SelectedTasks.Part part, @Nullable Path results) {
    ObjectNode node = ApiClient.json().createObjectNode();
    node.set("job", job);
    ArrayNode tasks = node.putArray("tasks");
    new TaskWalk(api).each(part, true, tasks::add);
    if (results != null) {
      node.put("results", results.toString());
    }
    return node;
  }

  static int exitCode(JsonNode job) {
    return job.path("counts").path("done").asLong() == job.path("tasks").asLong()
        ? ExitCodes.OK
        : ExitCodes.FAILED;
  }

  /** Says in words which tasks did not succeed and where to look. */
  void explainFailures(JsonNode job, SelectedTasks.Part part) {
    if (exitCode(job) == ExitCodes.OK) {
      return;
    }
    err.println("job " + part.job() + ": " + Texts.counts(job.path("counts")));
    int[] shown = {0};
    new TaskWalk(api)
        .each(
            part,
            false,
            task -> {
              if (!task.path("state").asText().equals("DONE") && shown[0]++ < 5) {
                err.println("  " + failure(task));
              }
            });
    if (shown[0] > 5) {
      err.println("  … and " + (shown[0] - 5) + " more: imker show " + part.job());
    }
    err.flush();
  }

  private static String failure(JsonNode task) {
    String error = task.path("error").asText();
    String cause =
        !error.isEmpty()
            ? error
            : task.hasNonNull("exitCode") ? "exit code " + task.get("exitCode").asInt() : "";
    return "task "
        + task.path("id").asText()
        + " "
        + task.path("state").asText()
        + (cause.isEmpty() ? "" : ": " + cause)
        + " (imker logs "
        + task.path("id").asText()
        + ")";
  }

  /**
   * Prints what a task wrote; a heading goes to standard error, so that pipes get output only.
   *
   * @param prefix of each line
   * @param whole whether a last line without an end gets one
   */
  void printOutput(JsonNode task, boolean heading, String prefix, boolean whole) {
    if (heading) {
      err.println("── " + task.path("id").asText() + "  " + Texts.params(task.path("params")));
      err.flush();
    }
    copy(task, "stdout", System.out, prefix, whole);
    copy(task, "stderr", System.err, prefix, whole);
  }

  private void copy(
      JsonNode task, String stream, PrintStream target, String prefix, boolean whole) {
    if (task.path(stream).path("size").asLong() == 0) {
      return;
    }
    try {
      if (whole || !prefix.isEmpty()) {
        try (WholeLines lines = new WholeLines(target, prefix)) {
          copy(task, stream, lines);
        }
      } else {
        copy(task, stream, target);
      }
    } catch (IOException | ImkerException e) {
      err.println("output of " + task.path("id").asText() + " was cut off: " + e.getMessage());
    }
    target.flush();
  }

  private void copy(JsonNode task, String stream, OutputStream target) throws IOException {
    if (task.hasNonNull(stream + "Text")) {
      target.write(task.get(stream + "Text").asText().getBytes(StandardCharsets.UTF_8));
    } else {
      new TaskOutput(api, task.path("id").asText(), stream, false).copyTo(target);
    }
  }

  private void sayItGoesOn(long job) {
    err.println();
    err.println(
        "Job "
            + job
            + " keeps running. Follow it with 'imker attach "
            + job
            + "', stop it with"
            + " 'imker cancel "
            + job
            + "'.");
    err.flush();
  }
}
