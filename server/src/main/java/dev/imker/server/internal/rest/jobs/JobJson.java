package dev.imker.server.internal.rest.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.model.job.JobSpec;
import dev.imker.model.job.Stage;
import dev.imker.model.validation.JobNames;
import dev.imker.model.validation.JobValidator;
import dev.imker.model.validation.Violation;
import dev.imker.server.http.ApiException;
import dev.imker.server.internal.rest.request.JsonFields;
import dev.imker.server.internal.rest.request.RecordReader;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Jobs as JSON: the components of {@link JobSpec}, where a job of one stage may have those of the
 * stage beside its own.
 */
final class JobJson {
  private static final String ONLY_STAGE = "^stages\\[0]\\.";

  private JobJson() {}

  /** Reads a job and fills in defaults; whether it can work is for {@link #require} to say. */
  static JobSpec read(JsonNode body) {
    if (body.has("stages")) {
      return RecordReader.read(body, "", JobSpec.class);
    }
    Set<String> known = RecordReader.fields(JobSpec.class);
    known.addAll(RecordReader.fields(Stage.class));
    JsonFields fields = JsonFields.of(body, "", known);
    Stage stage = RecordReader.read(fields, body, Stage.class, Map.of("name", ""));
    return RecordReader.read(fields, body, JobSpec.class, Map.of("stages", List.of(stage)));
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
    Stage first = job.stages().getFirst();
    JobSpec named =
        job.name().isEmpty() ? job.withName(JobNames.derive(first.command(), job.kind())) : job;
    List<Violation> violations = JobValidator.check(named);
    if (!violations.isEmpty()) {
      String field = violations.getFirst().field();
      boolean only = job.stages().size() == 1 && first.name().isEmpty();
      String shown = only ? field.replaceFirst(ONLY_STAGE, "") : field;
      throw ApiException.invalid(shown, shown + ": " + violations.getFirst().text());
    }
    return named.withVersion(JobSpec.CURRENT_VERSION);
  }
}
