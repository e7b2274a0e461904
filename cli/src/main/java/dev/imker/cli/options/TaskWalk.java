package dev.imker.cli.options;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import java.util.function.Consumer;

/** Walks the tasks of a selection page by page, so that a million of them need no memory. */
public record TaskWalk(ApiClient api) {
  private static final int PAGE = 500;

  public void each(SelectedTasks.Part part, boolean withOutput, Consumer<JsonNode> task) {
    int from = part.first();
    while (from <= part.last()) {
      int limit = Math.min(PAGE, part.last() - from + 1);
      JsonNode page =
          api.get(
              "/api/v1/jobs/"
                  + part.job()
                  + "/tasks?from="
                  + from
                  + "&limit="
                  + limit
                  + (withOutput ? "&output=true" : ""));
      JsonNode tasks = page.path("tasks");
      if (tasks.isEmpty()) {
        return;
      }
      for (JsonNode one : tasks) {
        if (one.path("number").asInt() > part.last()) {
          return;
        }
        task.accept(one);
        from = one.path("number").asInt() + 1;
      }
    }
  }
}
