package dev.imker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.JobWatch;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Waits for a job with a progress line, then shows what came out of it. */
final class JobOutcome {
  private final ApiClient api;
  private final PrintWriter out;
  private final PrintWriter err;

  JobOutcome(ApiClient api, PrintWriter out, PrintWriter err) {
    this.api = api;
    this.out = out;
    this.err = err;
  }

  /** Blocks until the job is settled; the last view of it. */
  JsonNode await(long job, ProgressLine progress, boolean quiet) {
    Thread onInterrupt = Thread.ofPlatform().unstarted(() -> sayItGoesOn(job));
    Runtime.getRuntime().addShutdownHook(onInterrupt);
    try {
      JsonNode settled =
          new JobWatch(api, quiet ? trouble -> {} : progress::trouble)
              .untilSettled(job, quiet ? view -> {} : progress::show);
      if (!quiet) {
        progress.finish();
      }
      return settled;
    } finally {
      Runtime.getRuntime().removeShutdownHook(onInterrupt);
    }
  }

  /** Prints every task's output; headings go to standard error, so that pipes get output only. */
  void printOutputs(Selection.Part part) {
    boolean headings = !part.isSingleTask();
    new TaskPages(api).each(part, true, task -> printOutput(task, headings));
    out.flush();
  }

  /** Fetches results into one sub-folder per task. */
  void fetchResults(Selection.Part part, Path folder) {
    ResultsFolder results = new ResultsFolder(api, folder);
    new TaskPages(api).each(part, true, task -> results.fetch(task, part.tasks()));
  }

  /** The job with all of its tasks and their output. */
  ObjectNode asJson(JsonNode job, Selection.Part part, @Nullable Path results) {
    ObjectNode node = ApiClient.json().createObjectNode();
    node.set("job", job);
    ArrayNode tasks = node.putArray("tasks");
    new TaskPages(api).each(part, true, tasks::add);
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
  void explainFailures(JsonNode job, Selection.Part part) {
    if (exitCode(job) == ExitCodes.OK) {
      return;
    }
    err.println("job " + part.job() + ": " + Texts.counts(job.path("counts")));
    int[] shown = {0};
    new TaskPages(api)
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

  private void printOutput(JsonNode task, boolean heading) {
    if (heading) {
      err.println("── " + task.path("id").asText() + "  " + Texts.params(task.path("params")));
      err.flush();
    }
    copy(task, "stdout", System.out);
    copy(task, "stderr", System.err);
  }

  private void copy(JsonNode task, String stream, PrintStream target) {
    if (task.path(stream).path("size").asLong() == 0) {
      return;
    }
    if (task.hasNonNull(stream + "Text")) {
      target.writeBytes(task.get(stream + "Text").asText().getBytes(StandardCharsets.UTF_8));
    } else {
      try (InputStream body =
          api.open("/api/v1/tasks/" + task.path("id").asText() + "/" + stream)) {
        body.transferTo(target);
      } catch (IOException e) {
        err.println("output of " + task.path("id").asText() + " was cut off: " + e.getMessage());
      }
    }
    target.flush();
  }

  private void sayItGoesOn(long job) {
    err.println();
    err.println(
        "Job "
            + job
            + " goes on without you. Follow it with 'imker wait "
            + job
            + "', stop it with"
            + " 'imker cancel "
            + job
            + "'.");
    err.flush();
  }
}
