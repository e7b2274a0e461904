package dev.imker.jobfile;

import dev.imker.jobfile.internal.form.JobForm;
import dev.imker.jobfile.internal.form.JsonText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The JSON Schema (2020-12) of job files, generated from the fields of the reader. */
public final class JobFileSchema {
  private static final String TEXT = JsonText.of(build());

  private JobFileSchema() {}

  public static String json() {
    return TEXT;
  }

  private static Map<String, Object> build() {
    Map<String, Object> schema = new LinkedHashMap<>();
    schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    schema.put("$id", "https://imker.dev/schemas/job-1.json");
    schema.put("title", "Imker job file");
    schema.put("description", "One job per YAML document. See docs/jobs.md.");
    schema.putAll(JobForm.JOB.schema());
    schema.put(
        "anyOf",
        List.of(
            Map.of("required", List.of("command")),
            Map.of("required", List.of("stages")),
            Map.of("required", List.of("tasks")),
            Map.of("required", List.of("kind"))));
    schema.put("not", Map.of("required", List.of("stages", "tasks")));
    return schema;
  }
}
