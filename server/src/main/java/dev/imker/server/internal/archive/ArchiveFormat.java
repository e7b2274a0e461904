package dev.imker.server.internal.archive;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.model.AgentId;
import dev.imker.model.AttemptOutcome;
import dev.imker.model.BlobId;
import dev.imker.model.JobId;
import dev.imker.model.LeaseToken;
import dev.imker.model.NodeId;
import dev.imker.model.ResultFile;
import dev.imker.model.TaskId;
import dev.imker.model.TaskState;
import dev.imker.model.change.AttemptReport;
import dev.imker.model.change.CapturedOutput;
import dev.imker.model.change.TaskImported;
import dev.imker.server.http.Json;
import dev.imker.store.AttemptRecord;
import dev.imker.store.TaskRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The form of an archive, a ZIP file: {@code manifest.json} first, then {@code blobs/SHA256} for
 * every file, then for each job {@code jobs/ID/job.json} and {@code jobs/ID/tasks.jsonl} with one
 * task a line.
 */
final class ArchiveFormat {
  static final String NAME = "imker-jobs";
  static final int VERSION = 1;
  static final String MANIFEST = "manifest.json";
  static final String BLOBS = "blobs/";
  static final String JOB = "job.json";
  static final String TASKS = "tasks.jsonl";

  private ArchiveFormat() {}

  static ObjectNode task(TaskRecord task, List<AttemptRecord> attempts) {
    ObjectNode node = Json.MAPPER.createObjectNode();
    node.put("index", task.id().index());
    node.put("state", task.state().name());
    node.put("failures", task.failures());
    node.put("losses", task.losses());
    node.put("changed", task.changedMillis());
    AttemptRecord last = task.last();
    int settling = -1;
    ArrayNode list = node.putArray("attempts");
    for (AttemptRecord attempt : attempts) {
      AttemptReport report = attempt.report();
      if (report == null) {
        continue; // a copy that was not heard of again
      }
      if (last != null && attempt.token().equals(last.token())) {
        settling = list.size();
      }
      list.add(attempt(attempt, report));
    }
    node.put("settling", settling);
    return node;
  }

  private static ObjectNode attempt(AttemptRecord attempt, AttemptReport report) {
    ObjectNode node = Json.MAPPER.createObjectNode();
    node.put("token", attempt.token().value());
    node.put("number", attempt.number());
    node.put("agent", attempt.agent().value());
    node.put("node", attempt.node().value());
    node.put("leased", attempt.startedMillis());
    node.put("outcome", report.outcome().name());
    node.put("exitCode", report.exitCode());
    node.put("started", report.startedMillis());
    node.put("ended", report.endedMillis());
    node.put("cpuMillis", report.cpuMillis());
    node.put("peakMemoryBytes", report.peakMemoryBytes());
    node.set("stdout", output(report.stdout()));
    node.set("stderr", output(report.stderr()));
    ArrayNode results = node.putArray("results");
    for (ResultFile file : report.results()) {
      results
          .addObject()
          .put("path", file.path())
          .put("blob", file.blob().sha256())
          .put("size", file.size())
          .put("executable", file.executable());
    }
    node.put("error", report.error());
    node.put("pausedMillis", report.pausedMillis());
    node.put("outOfMemory", report.outOfMemory());
    return node;
  }

  private static ObjectNode output(CapturedOutput output) {
    ObjectNode node = Json.MAPPER.createObjectNode();
    node.put("size", output.size());
    node.put("inline", output.inline());
    BlobId blob = output.blob();
    node.put("blob", blob == null ? null : blob.sha256());
    return node;
  }

  /** A task of a line; {@link IllegalArgumentException} if it is none. */
  static TaskImported read(JobId job, JsonNode node) {
    List<TaskImported.Attempt> attempts = new ArrayList<>();
    for (JsonNode attempt : node.path("attempts")) {
      attempts.add(readAttempt(attempt));
    }
    TaskState state = TaskState.valueOf(text(node, "state"));
    int settling = node.path("settling").asInt(-1);
    if (!state.isSettled() || settling >= attempts.size()) {
      throw new IllegalArgumentException("task " + node.path("index") + " is not settled");
    }
    return new TaskImported(
        new TaskId(job, node.path("index").asInt(-1)),
        state,
        node.path("failures").asInt(),
        node.path("losses").asInt(),
        node.path("changed").asLong(),
        attempts,
        settling);
  }

  private static TaskImported.Attempt readAttempt(JsonNode node) {
    List<ResultFile> results = new ArrayList<>();
    for (JsonNode file : node.path("results")) {
      results.add(
          new ResultFile(
              path(text(file, "path")),
              blob(file.path("blob")),
              file.path("size").asLong(),
              file.path("executable").asBoolean()));
    }
    AttemptReport report =
        new AttemptReport(
            AttemptOutcome.valueOf(text(node, "outcome")),
            node.path("exitCode").asInt(),
            node.path("started").asLong(),
            node.path("ended").asLong(),
            node.path("cpuMillis").asLong(),
            node.path("peakMemoryBytes").asLong(),
            readOutput(node.path("stdout")),
            readOutput(node.path("stderr")),
            results,
            node.path("error").asText(),
            node.path("pausedMillis").asLong(),
            node.path("outOfMemory").asBoolean());
    return new TaskImported.Attempt(
        new LeaseToken(node.path("token").asLong()),
        node.path("number").asInt(),
        new AgentId(text(node, "agent")),
        new NodeId(text(node, "node")),
        node.path("leased").asLong(),
        report);
  }

  /** Paths of results become paths of files at whoever fetches them. */
  private static String path(String path) {
    boolean inside = !path.isEmpty() && !path.startsWith("/") && !path.contains("\\");
    for (String part : path.split("/", -1)) {
      inside &= !part.isEmpty() && !part.equals(".") && !part.equals("..");
    }
    if (!inside) {
      throw new IllegalArgumentException("result outside of its folder: " + path);
    }
    return path;
  }

  private static CapturedOutput readOutput(JsonNode node) {
    try {
      @Nullable BlobId blob = node.hasNonNull("blob") ? blob(node.get("blob")) : null;
      byte[] inline = node.hasNonNull("inline") ? node.get("inline").binaryValue() : new byte[0];
      return new CapturedOutput(node.path("size").asLong(), inline, blob);
    } catch (IOException e) {
      throw new IllegalArgumentException("output that is not text", e);
    }
  }

  private static BlobId blob(JsonNode node) {
    if (!BlobId.isValid(node.asText())) {
      throw new IllegalArgumentException("no hash: " + node.asText());
    }
    return new BlobId(node.asText());
  }

  private static String text(JsonNode node, String field) {
    if (!node.path(field).isTextual()) {
      throw new IllegalArgumentException(field + " is missing");
    }
    return node.path(field).textValue();
  }
}
