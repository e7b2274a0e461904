package dev.imker.server.rest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.JobSpec;
import dev.imker.model.Stage;
import dev.imker.model.validation.JobNames;
import dev.imker.model.validation.JobValidator;
import dev.imker.model.validation.Violation;
import dev.imker.server.http.ApiException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Jobs as JSON: the components of {@link JobSpec}, where a job of one stage may have those of the
 * stage beside its own.
 */
final class JobJson {
  private static final String ONLY_STAGE = "stages[0].";

  private JobJson() {}

  /** Reads a job, fills in defaults, and refuses what could not work. */
  static JobSpec read(JsonNode body) {
    if (body.has("stages")) {
      return require(RecordReader.read(body, "", JobSpec.class), "");
    }
    Set<String> known = RecordReader.fields(JobSpec.class);
    known.addAll(RecordReader.fields(Stage.class));
    JsonFields fields = JsonFields.of(body, "", known);
    Stage stage = RecordReader.read(fields, body, Stage.class, Map.of("name", ""));
    Map<String, Object> stages = Map.of("stages", List.of(stage));
    return require(RecordReader.read(fields, body, JobSpec.class, stages), ONLY_STAGE);
  }

  /** The same for one of several; errors name its place. */
  static JobSpec read(JsonNode body, String where) {
    try {
      return read(body);
    } catch (ApiException e) {
      throw e.within(where, where + ": ");
    }
  }

  /**
   * The job with a name and in the present version, whatever version it was written in.
   *
   * @throws ApiException that tells the first of what is wrong with it
   */
  static JobSpec require(JobSpec job) {
    return require(job, "");
  }

  private static JobSpec require(JobSpec job, String omitted) {
    JobSpec named =
        job.name().isEmpty()
            ? job.withName(JobNames.derive(job.stages().getFirst().command(), job.kind()))
            : job;
    for (Violation violation : JobValidator.check(named)) {
      String field = violation.field();
      String shown = field.startsWith(omitted) ? field.substring(omitted.length()) : field;
      throw ApiException.invalid(shown, shown + ": " + violation.text());
    }
    return named.withVersion(JobSpec.CURRENT_VERSION);
  }
}
