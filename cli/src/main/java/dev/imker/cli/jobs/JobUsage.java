package dev.imker.cli.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.imker.cli.api.ApiClient;
import java.time.Duration;
import java.time.Instant;

/** What the attempts at tasks took, summed up. */
final class JobUsage {
  private final ObjectNode sums = ApiClient.json().createObjectNode();

  /** Of a task that was tried more than once, every attempt is asked for. */
  void add(ApiClient api, JsonNode task) {
    sum("tasks", 1);
    for (JsonNode file : task.path("results")) {
      sum("bytesOut", file.path("size").asLong());
    }
    sum("bytesOut", task.at("/stdout/size").asLong() + task.at("/stderr/size").asLong());
    if (task.path("attempts").asInt() > 1) {
      api.get("/api/v1/tasks/" + task.path("id").asText())
          .path("attemptHistory")
          .forEach(attempt -> add(attempt, !attempt.path("outcome").asText().equals("SUCCEEDED")));
    } else if (task.hasNonNull("started")) {
      add(task, !task.path("state").asText().equals("DONE"));
    }
  }

  private void add(JsonNode attempt, boolean wasted) {
    if (!attempt.hasNonNull("ended")) {
      return; // runs still
    }
    long wallMillis =
        attempt.hasNonNull("started")
            ? Duration.between(
                        Instant.parse(attempt.path("started").asText()),
                        Instant.parse(attempt.path("ended").asText()))
                    .toMillis()
                - attempt.path("pausedMillis").asLong()
            : 0;
    sum("attempts", "wastedAttempts", 1, wasted);
    sum("cpuMillis", "wastedCpuMillis", attempt.path("cpuMillis").asLong(), wasted);
    sum("wallMillis", "wastedWallMillis", wallMillis, wasted);
  }

  private void sum(String field, String wastedField, long amount, boolean wasted) {
    sum(field, amount);
    sum(wastedField, wasted ? amount : 0);
  }

  private void sum(String field, long amount) {
    sums.put(field, sums.path(field).asLong() + amount);
  }

  ObjectNode view(long job) {
    ObjectNode view = ApiClient.json().createObjectNode();
    view.put("job", job);
    view.setAll(sums);
    return view;
  }
}
