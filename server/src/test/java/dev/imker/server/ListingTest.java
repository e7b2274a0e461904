package dev.imker.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lists, pages and selectors over a few jobs, some done, some open. */
class ListingTest {
  @TempDir static Path folder;
  private static TestServer server;
  private static Rest admin;
  private static long done;
  private static long half;
  private static long open;

  @BeforeAll
  static void start() {
    server = TestServer.start(folder);
    admin = server.admin();
    try (TestAgent agent = server.agent("a")) {
      done = admin.submit(job("alpha", 3));
      for (int i = 0; i < 3; i++) {
        agent.finish(TestAgent.success(agent.nextAssignment()));
        agent.nextConfirmed();
      }
      half = admin.submit(job("beta", 6));
      agent.finish(TestAgent.success(agent.nextAssignment()));
      agent.nextConfirmed();
    }
    admin.post("/api/v1/jobs/" + half + "/cancel", "{\"from\":5,\"to\":5}");
    open = admin.submit(job("gamma.v2", 200_000));
  }

  private static String job(String name, int tasks) {
    return """
    {"name":"%s","command":["x ${n}"],"sweep":[{"name":"n","range":{"from":1,"to":%d}}]}\
    """
        .formatted(name, tasks);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static List<Long> ids(JsonNode page) {
    List<Long> ids = new ArrayList<>();
    page.get("jobs").forEach(job -> ids.add(job.get("id").asLong()));
    return ids;
  }

  private static List<Integer> numbers(JsonNode page) {
    List<Integer> numbers = new ArrayList<>();
    page.get("tasks").forEach(task -> numbers.add(task.get("number").asInt()));
    return numbers;
  }

  @Test
  void jobs_are_listed_newest_first_in_pages() {
    JsonNode first = admin.get("/api/v1/jobs?limit=2").json();
    assertThat(ids(first)).containsExactly(open, half);
    JsonNode second = admin.get("/api/v1/jobs?limit=2&before=" + first.get("next")).json();
    assertThat(ids(second)).containsExactly(done);
    assertThat(second.get("next").isNull()).isTrue();
  }

  @Test
  void jobs_are_filtered_by_status_name_and_project() {
    assertThat(ids(admin.get("/api/v1/jobs?status=done").json())).containsExactly(done);
    assertThat(ids(admin.get("/api/v1/jobs?status=RUNNING").json())).containsExactly(half);
    assertThat(ids(admin.get("/api/v1/jobs?status=QUEUED,DONE").json()))
        .containsExactly(open, done);
    assertThat(ids(admin.get("/api/v1/jobs?name=beta").json())).containsExactly(half);
    assertThat(ids(admin.get("/api/v1/jobs?project=other").json())).isEmpty();
    assertThat(admin.get("/api/v1/jobs?status=odd").errorMessage()).contains("must be one of");
  }

  @Test
  void tasks_are_paged_over_rows_and_untouched_ones() {
    JsonNode all = admin.get("/api/v1/jobs/" + half + "/tasks").json();
    assertThat(numbers(all)).containsExactly(1, 2, 3, 4, 5, 6);
    assertThat(all.at("/tasks/0/state").asText()).isEqualTo("DONE");
    assertThat(all.at("/tasks/4/state").asText()).isEqualTo("CANCELLED");
    JsonNode part = admin.get("/api/v1/jobs/" + half + "/tasks?from=3&limit=2").json();
    assertThat(numbers(part)).containsExactly(3, 4);
    assertThat(part.get("next").asInt()).isEqualTo(5);
  }

  @Test
  void tasks_are_filtered_by_state() {
    assertThat(numbers(admin.get("/api/v1/jobs/" + half + "/tasks?state=done").json()))
        .containsExactly(1);
    assertThat(numbers(admin.get("/api/v1/jobs/" + half + "/tasks?state=cancelled,done").json()))
        .containsExactly(1, 5);
    assertThat(numbers(admin.get("/api/v1/jobs/" + done + "/tasks?state=READY").json())).isEmpty();
  }

  @Test
  void a_large_job_is_paged_without_end() {
    JsonNode page = admin.get("/api/v1/jobs/" + open + "/tasks?from=199999&limit=100").json();
    assertThat(numbers(page)).containsExactly(199_999, 200_000);
    assertThat(page.at("/tasks/1/params/n").asText()).isEqualTo("200000");
    JsonNode none = admin.get("/api/v1/jobs/" + open + "/tasks?state=DONE").json();
    assertThat(numbers(none)).isEmpty();
    assertThat(none.get("next").isNull()).isTrue();
  }

  @Test
  void jobs_are_sorted_by_name_and_by_their_end_in_pages() {
    JsonNode first = admin.get("/api/v1/jobs?sort=-name&limit=2").json();
    assertThat(ids(first)).containsExactly(open, half);
    assertThat(first.get("next").isNull()).isTrue();
    JsonNode second =
        admin.get("/api/v1/jobs?sort=-name&limit=2&cursor=" + first.get("cursor").asText()).json();
    assertThat(ids(second)).containsExactly(done);
    assertThat(second.get("cursor").isNull()).isTrue();
    assertThat(ids(admin.get("/api/v1/jobs?sort=id").json())).containsExactly(done, half, open);
    assertThat(ids(admin.get("/api/v1/jobs?sort=-settled").json()).getFirst()).isEqualTo(done);
    assertThat(admin.get("/api/v1/jobs?sort=colour").errorField()).isEqualTo("sort");
    assertThat(admin.get("/api/v1/jobs?sort=settled&cursor=x").errorField()).isEqualTo("cursor");
  }

  @Test
  void jobs_are_sorted_by_what_changes_as_they_go_on() {
    JsonNode first = admin.get("/api/v1/jobs?sort=-progress&limit=2").json();
    assertThat(ids(first)).containsExactly(done, half);
    JsonNode second =
        admin
            .get("/api/v1/jobs?sort=-progress&limit=2&cursor=" + first.get("cursor").asText())
            .json();
    assertThat(ids(second)).containsExactly(open);
    assertThat(second.get("cursor").isNull()).isTrue();
    assertThat(ids(admin.get("/api/v1/jobs?sort=submitted").json()))
        .containsExactly(done, half, open);
    assertThat(ids(admin.get("/api/v1/jobs?sort=-project&status=DONE").json()))
        .containsExactly(done);
  }

  @Test
  void tasks_are_sorted_those_without_a_figure_last() {
    String path = "/api/v1/jobs/" + half + "/tasks?sort=";
    assertThat(numbers(admin.get(path + "-number").json())).containsExactly(6, 5, 4, 3, 2, 1);
    assertThat(numbers(admin.get(path + "state&limit=4&from=3").json())).endsWith(1, 5);
    assertThat(numbers(admin.get(path + "-state&limit=1").json())).containsExactly(5);
    JsonNode byEnd = admin.get(path + "ended&limit=2").json();
    assertThat(numbers(byEnd)).hasSize(2).first().isEqualTo(1);
    assertThat(byEnd.get("next").asInt()).isEqualTo(3);
    assertThat(numbers(admin.get(path + "-ended&state=DONE,CANCELLED").json()))
        .containsExactlyInAnyOrder(1, 5);
    for (String key : List.of("started", "duration", "attempts")) {
      assertThat(numbers(admin.get(path + key).json())).hasSize(6);
    }
    assertThat(admin.get(path + "colour").errorMessage()).contains("DURATION");
  }

  @Test
  void a_task_shows_the_priority_of_its_job() {
    JsonNode task = admin.get("/api/v1/tasks/" + open + ".7").json();
    assertThat(task.get("priority").asInt()).isEqualTo(4);
  }

  @Test
  void selectors_are_resolved() {
    assertThat(select("last")).isEqualTo(open + ":1-200000");
    assertThat(select("last.3")).isEqualTo(open + ":3-3");
    assertThat(select("gamma.v2")).isEqualTo(open + ":1-200000");
    assertThat(select("beta.2..4")).isEqualTo(half + ":2-4");
    assertThat(select(done + ".." + half)).isEqualTo(done + ":1-3 " + half + ":1-6");
    assertThat(select(done + ",beta.1")).isEqualTo(done + ":1-3 " + half + ":1-1");
  }

  private static String select(String selector) {
    Rest.Reply reply = admin.get("/api/v1/select?q=" + selector);
    assertThat(reply.status()).as(reply.text()).isEqualTo(200);
    StringBuilder text = new StringBuilder();
    for (JsonNode part : reply.json().get("parts")) {
      text.append(text.isEmpty() ? "" : " ")
          .append("%s:%s-%s".formatted(part.get("job"), part.get("first"), part.get("last")));
    }
    return text.toString();
  }

  @Test
  void a_selector_that_means_nothing_names_near_names() {
    Rest.Reply unknown = admin.get("/api/v1/select?q=betta");
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(unknown.errorMessage()).contains("Did you mean beta?");
    assertThat(admin.get("/api/v1/select?q=beta.7").errorMessage()).contains("its last one is 6");
    assertThat(admin.get("/api/v1/select?q=99").status()).isEqualTo(404);
    assertThat(admin.get("/api/v1/select?q=,").status()).isEqualTo(400);
    assertThat(admin.get("/api/v1/select").status()).isEqualTo(400);
  }
}
