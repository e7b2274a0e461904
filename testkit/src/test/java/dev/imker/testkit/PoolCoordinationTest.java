package dev.imker.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.imker.client.ExecutorOptions;
import dev.imker.client.Imker;
import dev.imker.client.ImkerExecutor;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In a pool; and what else tasks share with the pool. */
class PoolCoordinationTest extends CoordinationContract {
  private static final long PATIENCE_SECONDS = 120;

  @TempDir static Path folder;
  private static TestPool pool;
  private static Imker imker;

  @BeforeAll
  static void start() {
    pool = TestPool.start(folder);
    imker = pool.connect();
  }

  @AfterAll
  static void stop() {
    imker.close();
    pool.close();
  }

  @Override
  Imker imker() {
    return imker;
  }

  @Test
  void a_task_that_joins_needs_no_slot_of_its_users_quota() throws Exception {
    rest("POST", "/api/v1/users", "{\"user\":\"eva\",\"role\":\"user\",\"quota\":{\"slots\":1}}");
    String token =
        field("token", rest("POST", "/api/v1/tokens", "{\"user\":\"eva\",\"title\":\"test\"}"));
    try (Imker eva = Imker.connect(pool.server().address().toString(), token);
        ImkerExecutor executor = eva.executor()) {
      assertThat(executor.submit(SubCalls.fibonacciOf(5)).get(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .isEqualTo(5);
    }
  }

  @Test
  void the_log_of_a_running_call_can_be_followed() throws Exception {
    Path sign = folder.resolve("go");
    ExecutorOptions named = ExecutorOptions.USUAL.withName("talking").withChunk(1);
    try (ImkerExecutor executor = imker.executor(named)) {
      CompletableFuture<String> talking = executor.submit(Calls.talking(sign.toString()));
      String job = "";
      while (job.isEmpty()) {
        job = field("id", rest("GET", "/api/v1/jobs?name=talking&status=RUNNING", ""));
      }
      try (HttpClient http = HttpClient.newHttpClient();
          Stream<String> lines =
              http.send(
                      request("/api/v1/tasks/" + job + ".1/stderr?follow=true").build(),
                      HttpResponse.BodyHandlers.ofLines())
                  .body()) {
        var heard = lines.iterator();
        assertThat(heard.next()).isEqualTo("first words");
        Files.createFile(sign); // only now it goes on
        assertThat(heard.next()).isEqualTo("last words");
      }
      assertThat(talking.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("said");
    }
  }

  @Test
  void calls_find_the_files_that_were_sent_along() throws Exception {
    Path file = Files.writeString(folder.resolve("honey.txt"), "sweet");
    ExecutorOptions options = ExecutorOptions.USUAL.withFiles(Map.of("in/honey.txt", file));
    try (ImkerExecutor executor = imker.executor(options)) {
      assertThat(
              executor
                  .submit(Calls.contentOf("in/honey.txt"))
                  .get(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .isEqualTo("sweet");
    }
    try (Imker local = Imker.local(1);
        ImkerExecutor executor = local.executor(options)) {
      assertThat(
              executor
                  .submit(Calls.contentOf("in/honey.txt"))
                  .get(PATIENCE_SECONDS, TimeUnit.SECONDS))
          .isEqualTo("sweet");
    }
  }

  private static HttpRequest.Builder request(String path) {
    URI uri = pool.server().address().resolve(path);
    return HttpRequest.newBuilder(uri)
        .header("Authorization", "Bearer " + pool.server().adminToken())
        .header("Content-Type", "application/json");
  }

  private static String rest(String method, String path, String body)
      throws IOException, InterruptedException {
    try (HttpClient http = HttpClient.newHttpClient()) {
      return http.send(
              request(path).method(method, HttpRequest.BodyPublishers.ofString(body)).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    }
  }

  private static String field(String name, String json) {
    Matcher value = Pattern.compile("\"" + name + "\":\"?([^\",}]+)").matcher(json);
    return value.find() ? value.group(1) : "";
  }
}
