package dev.imker.cli.options;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import java.util.ArrayList;
import java.util.List;

/**
 * What a selector (id, task id, name, {@code last}, ranges, lists of these) stands for, as the
 * server resolved it.
 */
public record SelectedTasks(List<Part> parts) {
  /**
   * Tasks {@code first..last} (numbers from one on) of one job.
   *
   * @param isWholeJob whether the job was named; all of its tasks one by one are not the job
   */
  public record Part(long job, String name, int tasks, int first, int last, boolean isWholeJob) {
    public boolean isSingleTask() {
      return first == last;
    }
  }

  public static SelectedTasks resolve(ApiClient api, String selector) {
    List<Part> parts = new ArrayList<>();
    for (JsonNode part : api.get("/api/v1/select?q=" + ApiClient.encode(selector)).path("parts")) {
      parts.add(
          new Part(
              part.path("job").asLong(),
              part.path("name").asText(),
              part.path("tasks").asInt(),
              part.path("first").asInt(),
              part.path("last").asInt(),
              part.path("whole").asBoolean()));
    }
    return new SelectedTasks(parts);
  }
}
