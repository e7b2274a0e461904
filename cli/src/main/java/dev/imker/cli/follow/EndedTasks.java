package dev.imker.cli.follow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import java.util.BitSet;
import java.util.Set;
import java.util.function.Consumer;

/** Passes the tasks of a job on, each once, as they end or in their order. */
final class EndedTasks {
  private static final Set<String> SETTLED = Set.of("DONE", "FAILED", "AUTO_BLOCKED", "CANCELLED");
  private static final int PAGE = 200;

  private final ApiClient api;
  private final boolean inOrder;
  private final Consumer<JsonNode> action;
  private final BitSet passed = new BitSet();
  private long seen;

  EndedTasks(ApiClient api, boolean inOrder, Consumer<JsonNode> action) {
    this.api = api;
    this.inOrder = inOrder;
    this.action = action;
  }

  /** Passes on what has ended since the last time; a view of a settled job brings the rest. */
  void update(JsonNode job) {
    JsonNode counts = job.path("counts");
    long settled =
        counts.path("done").asLong()
            + counts.path("failed").asLong()
            + counts.path("autoBlocked").asLong()
            + counts.path("cancelled").asLong();
    if (settled == seen) {
      return;
    }
    seen = settled;
    String path = "/api/v1/jobs/" + job.path("id").asText() + "/tasks?output=true&limit=" + PAGE;
    String filter = inOrder ? "" : "&state=" + String.join(",", SETTLED);
    int from = passed.nextClearBit(1);
    while (from > 0) {
      JsonNode page = api.get(path + filter + "&from=" + from);
      for (JsonNode task : page.path("tasks")) {
        boolean ended = SETTLED.contains(task.path("state").asText());
        if (!ended && inOrder) {
          return;
        }
        int number = task.path("number").asInt();
        if (ended && !passed.get(number)) {
          passed.set(number);
          action.accept(task);
        }
      }
      from = page.path("next").asInt(0);
    }
  }
}
