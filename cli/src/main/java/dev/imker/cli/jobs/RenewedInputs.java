package dev.imker.cli.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.data.InputFiles;
import dev.imker.model.ImkerException;
import dev.imker.model.job.InputFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Inputs of a job that are sent again before it is tried again, such as a repaired script. */
final class RenewedInputs {
  @Option(
      names = "--in",
      paramLabel = "FILE",
      description =
          "Upload the current version of this input; NAME=FILE if it has another name"
              + " in the job.")
  List<String> files = new ArrayList<>();

  @Option(
      names = "--refresh",
      description =
          "Upload all inputs that have changed in this folder since the job was submitted.")
  boolean refresh;

  boolean isGiven() {
    return refresh || !files.isEmpty();
  }

  /** Sends what has changed; returns the names of it. */
  List<String> send(ApiClient api, long job) {
    Map<String, @Nullable String> known = known(api, job);
    InputFiles inputs = new InputFiles();
    files.forEach(inputs::add);
    if (refresh) {
      List<String> here =
          known.keySet().stream().filter(name -> Files.isRegularFile(Path.of(name))).toList();
      if (here.isEmpty()) {
        throw new ImkerException(
            "--refresh: this folder has none of the inputs of job %d. Run it in the folder where you submitted the job, or name the inputs with --in."
                .formatted(job));
      }
      here.forEach(inputs::add);
    }
    List<InputFile> changed =
        inputs.send(api).stream()
            .filter(input -> !input.blob().sha256().equals(known.get(input.path())))
            .toList();
    if (!changed.isEmpty()) {
      api.patch("/api/v1/jobs/" + job, Map.of("inputs", changed));
    }
    return changed.stream().map(InputFile::path).toList();
  }

  /** The inputs of a job with the hashes of their content. */
  private static Map<String, @Nullable String> known(ApiClient api, long job) {
    Map<String, @Nullable String> known = new LinkedHashMap<>();
    JsonNode spec = api.get("/api/v1/jobs/" + job + "?spec=true").path("spec");
    for (JsonNode stage : spec.path("stages")) {
      for (JsonNode input : stage.path("inputs")) {
        JsonNode blob = input.path("blob");
        known.put(input.path("path").asText(), blob.path("sha256").asText(blob.asText()));
      }
    }
    return known;
  }
}
