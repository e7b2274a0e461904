package dev.imker.cli.follow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import dev.imker.cli.api.ApiClient;
import dev.imker.client.context.PoolContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No task of a job that is followed is left out, whatever the order of what is told. */
@SuppressWarnings("NullAway.Init") // set before each test
final class EndedTasksTest {
  private HttpServer server;
  private ApiClient api;
  private String tasks = "";

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/api/v1/jobs/7/tasks",
        exchange -> {
          byte[] bytes = ("{\"tasks\":[" + tasks + "]}").getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
    server.start();
    URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    api = new ApiClient(new PoolContext(url, "token", ""));
  }

  @AfterEach
  void stop() {
    api.close();
    server.stop(0);
  }

  private static String task(int number, String state) {
    return "{\"number\":%d,\"state\":\"%s\"}".formatted(number, state);
  }

  private static JsonNode job(boolean settled) throws IOException {
    return ApiClient.json()
        .readTree("{\"id\":7,\"tasks\":2%s}".formatted(settled ? ",\"settled\":\"now\"" : ""));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void outcomes_that_follow_the_last_view_are_not_waited_for(boolean inOrder) throws IOException {
    List<Integer> passed = new ArrayList<>();
    EndedTasks ended =
        new EndedTasks(api, inOrder, task -> passed.add(task.path("number").asInt()));
    ended.missed();
    tasks = inOrder ? task(1, "RUNNING") + "," + task(2, "READY") : "";
    ended.changed(job(false));
    tasks = task(1, "DONE") + "," + task(2, "DONE");
    ended.changed(job(true));
    assertThat(passed).containsExactly(1, 2);
  }

  @Test
  void a_task_is_passed_on_once() throws IOException {
    List<Integer> passed = new ArrayList<>();
    EndedTasks ended = new EndedTasks(api, true, task -> passed.add(task.path("number").asInt()));
    ended.missed();
    tasks = task(1, "DONE") + "," + task(2, "RUNNING");
    ended.changed(job(false));
    ended.ended(1, 1);
    tasks = task(1, "DONE") + "," + task(2, "DONE");
    ended.ended(2, 2);
    ended.changed(job(false));
    ended.changed(job(true));
    assertThat(passed).containsExactly(1, 2);
  }
}
