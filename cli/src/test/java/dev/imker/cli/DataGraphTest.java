package dev.imker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.imker.cli.api.ApiClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A graph whose stages pass files on, over processes of which one is killed. */
class DataGraphTest {
  private static final int TASKS = 30;

  @TempDir Path folder;

  @Test
  void three_stages_pass_their_results_on_though_an_agent_is_killed() throws IOException {
    try (PoolFixture pool = PoolFixture.start(folder, "--lease", "3")) {
      pool.addAgent("a", 2);
      ImkerProcess victim = pool.addAgent("b", 2);
      pool.awaitAgents(2);
      try (ApiClient api = pool.api()) {
        long id = api.post("/api/v1/jobs", job()).path("id").asLong();
        String path = "/api/v1/jobs/" + id;
        await()
            .atMost(Duration.ofMinutes(2))
            .until(() -> api.get(path).at("/counts/done").asInt() >= TASKS / 2);
        victim.kill();
        await()
            .atMost(Duration.ofMinutes(2))
            .until(() -> api.get(path).path("settled").isTextual());
        JsonNode settled = api.get(path);
        assertThat(settled.path("status").asText()).isEqualTo("DONE");
        assertThat(settled.at("/counts/done").asInt()).isEqualTo(2 * TASKS + 1);
        int last = 2 * TASKS + 1;
        try (InputStream sum = api.open("/api/v1/tasks/" + id + "." + last + "/results/sum.txt")) {
          String text = new String(sum.readAllBytes(), StandardCharsets.UTF_8);
          assertThat(text.strip()).isEqualTo(Integer.toString(expected()));
        }
      }
    }
  }

  /** The sum of the squares. */
  private static int expected() {
    int sum = 0;
    for (int n = 1; n <= TASKS; n++) {
      sum += n * n;
    }
    return sum;
  }

  private static Map<String, Object> job() {
    List<String> values = new ArrayList<>();
    for (int n = 1; n <= TASKS; n++) {
      values.add(Integer.toString(n));
    }
    List<Map<String, Object>> sweep = List.of(Map.of("name", "n", "values", values));
    Map<String, Object> make =
        Map.of(
            "name",
            "make",
            "command",
            List.of("sleep 0.1; echo ${n} > number.txt"),
            "sweep",
            sweep,
            "outputs",
            List.of("number.txt"));
    Map<String, Object> square =
        Map.of(
            "name",
            "square",
            "command",
            List.of("sleep 0.1; read x < number.txt; echo $((x * x)) > square.txt"),
            "sweep",
            sweep,
            "outputs",
            List.of("square.txt"),
            "dataInputs",
            List.of(input("make", "PARAMS", "")));
    Map<String, Object> sum =
        Map.of(
            "name",
            "sum",
            "command",
            List.of(
                "s=0; for f in in/*/square.txt; do read x < $f; s=$((s + x)); done; echo $s > sum.txt"),
            "outputs",
            List.of("sum.txt"),
            "dataInputs",
            List.of(input("square", "ALL", "in/${task}")));
    return Map.of("name", "squares", "stages", List.of(make, square, sum));
  }

  private static Map<String, Object> input(String stage, String matching, String into) {
    Map<String, Object> from = Map.of("stage", stage, "matching", matching);
    return Map.of("from", from, "glob", "*.txt", "into", into);
  }
}
