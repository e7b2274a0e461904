package dev.imker.cli.follow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import dev.imker.cli.api.JobWatch;
import java.util.BitSet;
import java.util.Set;
import java.util.function.Consumer;

/** Passes the tasks of a job on, each once, as they end or in their order. */
final class EndedTasks implements JobWatch.Listener {
  private static final Set<String> SETTLED = Set.of("DONE", "FAILED", "AUTO_BLOCKED", "CANCELLED");
  private static final int PAGE = 200;

  private final ApiClient api;
  private final boolean inOrder;
  private final Consumer<JsonNode> action;
  private final BitSet passed = new BitSet();

  /** Numbers of tasks that have ended and were not passed on yet. */
  private final BitSet ended = new BitSet();

  private boolean missed;

  EndedTasks(ApiClient api, boolean inOrder, Consumer<JsonNode> action) {
    this.api = api;
    this.inOrder = inOrder;
    this.action = action;
  }

  @Override
  public void ended(int first, int last) {
    ended.set(first, last + 1);
    ended.andNot(passed);
  }

  /** Whatever has not been passed on may have ended. */
  @Override
  public void missed() {
    missed = true;
  }

  /** Passes on what has ended since the last time. */
  @Override
  public void changed(JsonNode job) {
    missed |= JobWatch.isSettled(job); // the last outcomes may follow the last view of the job
    int next = passed.nextClearBit(1);
    int from = missed || inOrder ? next : ended.nextSetBit(1);
    int to = missed ? job.path("tasks").asInt() : ended.length() - 1;
    if (from < 1 || from > to || (inOrder && !missed && !ended.get(next))) {
      return;
    }
    missed = false;
    String path = "/api/v1/jobs/" + job.path("id").asText() + "/tasks?output=true&limit=" + PAGE;
    String filter = inOrder ? "" : "&state=" + String.join(",", SETTLED);
    while (from > 0 && from <= to) {
      JsonNode page = api.get(path + filter + "&from=" + from);
      for (JsonNode task : page.path("tasks")) {
        boolean over = SETTLED.contains(task.path("state").asText());
        if (!over && inOrder) {
          return;
        }
        int number = task.path("number").asInt();
        if (over && !passed.get(number)) {
          passed.set(number);
          ended.clear(number);
          action.accept(task);
        }
      }
      from = page.path("next").asInt(0);
    }
  }
}
