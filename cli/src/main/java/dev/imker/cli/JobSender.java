package dev.imker.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.jobfile.JobDraft;
import dev.imker.jobfile.LocalInput;
import dev.imker.model.InputFile;
import dev.imker.model.JobSpec;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/** Submits jobs: first the files they need, as far as the pool lacks them, then themselves. */
final class JobSender {
  private final ApiClient api;

  JobSender(ApiClient api) {
    this.api = api;
  }

  /** The view of the new job. */
  JsonNode send(JobDraft draft) {
    Map<String, InputFile> bySource = new HashMap<>();
    Map<String, Path> byHash = new LinkedHashMap<>();
    for (LocalInput file : draft.files()) {
      Path path = Path.of(file.source());
      InputFile content =
          bySource.computeIfAbsent(file.source(), s -> InputFiles.describe(s, path));
      byHash.put(content.blob().sha256(), path);
    }
    InputFiles.sendMissing(api, byHash);
    return send(draft.complete(file -> sent(file, bySource)));
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
    ObjectNode body = ApiClient.json().valueToTree(job);
    if (job.name().isEmpty()) {
      body.remove("name");
    }
    return api.post("/api/v1/jobs", body, Map.of("Idempotency-Key", UUID.randomUUID().toString()));
  }
}
