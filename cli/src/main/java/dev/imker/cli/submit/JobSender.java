package dev.imker.cli.submit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.ApiException;
import dev.imker.cli.data.InputFiles;
import dev.imker.jobfile.draft.JobDraft;
import dev.imker.jobfile.draft.JobOrigin;
import dev.imker.jobfile.draft.LocalInput;
import dev.imker.model.ImkerException;
import dev.imker.model.job.InputFile;
import dev.imker.model.job.JobSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Submits jobs: first the files they need, as far as the pool lacks them, then themselves. */
record JobSender(ApiClient api) {
  private static final Pattern JOB = Pattern.compile("jobs\\[(\\d{1,6})]\\.?(.*)");

  /**
   * Submits all of these jobs, or none if one is refused. Later ones may name earlier ones.
   *
   * @return views of the new jobs
   * @throws ImkerException that tells what was refused, with its place in the file
   */
  List<JsonNode> sendAll(List<JobDraft> drafts) {
    return sendAll(drafts, UnaryOperator.identity());
  }

  /** As above, with what is done to each job once it has its files. */
  List<JsonNode> sendAll(List<JobDraft> drafts, UnaryOperator<JobSpec> last) {
    ObjectNode body = ApiClient.json().createObjectNode();
    ArrayNode jobs = body.putArray("jobs");
    complete(drafts).forEach(job -> jobs.add(body(last.apply(job))));
    try {
      List<JsonNode> views = new ArrayList<>();
      api.post("/api/v1/jobs/batch", body, key()).path("jobs").forEach(views::add);
      return views;
    } catch (ApiException e) {
      throw placed(e, drafts);
    }
  }

  /** The jobs with all of their files, which the pool has then. */
  List<JobSpec> complete(List<JobDraft> drafts) {
    Map<String, InputFile> bySource = new HashMap<>();
    Map<String, Path> byHash = new LinkedHashMap<>();
    for (JobDraft draft : drafts) {
      for (LocalInput file : draft.files()) {
        Path path = Path.of(file.source());
        InputFile content =
            bySource.computeIfAbsent(file.source(), s -> InputFiles.describe(s, path));
        byHash.put(content.blob().sha256(), path);
      }
    }
    InputFiles.sendMissing(api, byHash);
    return drafts.stream().map(draft -> draft.complete(file -> sent(file, bySource))).toList();
  }

  private static ImkerException placed(ApiException refusal, List<JobDraft> drafts) {
    Matcher matcher = JOB.matcher(refusal.field());
    if (!matcher.matches() || Integer.parseInt(matcher.group(1)) >= drafts.size()) {
      return refusal;
    }
    JobOrigin origin = drafts.get(Integer.parseInt(matcher.group(1))).origin();
    String what = origin.tell(matcher.group(2), String.valueOf(refusal.getMessage()));
    return new ApiException(
        refusal.status(), refusal.code(), what + " Nothing was submitted.", refusal.field());
  }

  private static InputFile sent(LocalInput file, Map<String, InputFile> bySource) {
    InputFile content = bySource.get(file.source());
    if (content == null) {
      throw new IllegalStateException("not described: " + file.source());
    }
    return new InputFile(
        file.path(), content.blob(), content.size(), file.executable(), file.os(), file.param());
  }

  JsonNode send(JobSpec job) {
    return api.post("/api/v1/jobs", body(job), key());
  }

  private static ObjectNode body(JobSpec job) {
    ObjectNode body = ApiClient.json().valueToTree(job);
    if (job.name().isEmpty()) {
      body.remove("name");
    }
    return body;
  }

  /** A job that is sent twice, because an answer got lost, is one job. */
  static Map<String, String> key() {
    return Map.of("Idempotency-Key", UUID.randomUUID().toString());
  }
}
