package dev.imker.cli.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.imker.client.context.PoolContext;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Waiting for a job goes on whatever happens to the pool. */
class JobWatchTest {
  private static final int NO_ANSWER = 0;

  private final Queue<Integer> answers = new ArrayDeque<>();
  private final List<String> troubles = new ArrayList<>();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/api/v1/outcomes", this::answer);
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    Integer next = answers.poll();
    if (next != null && next == NO_ANSWER) {
      exchange.close();
      return;
    }
    String body =
        next == null
            ? "event: job\ndata: {\"id\":7,\"settled\":1}\n\n"
            : "{\"error\":{\"code\":\"x\",\"message\":\"status " + next + ".\"}}";
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(next == null ? 200 : next, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private long await() {
    URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    try (ApiClient api = new ApiClient(new PoolContext(url, "token", ""))) {
      return new JobWatch(api, troubles::add).untilSettled(7, view -> {}).path("id").asLong();
    }
  }

  @Test
  void a_pool_without_its_database_is_waited_for() {
    answers.addAll(List.of(503, 503, 504));
    assertThat(await()).isEqualTo(7);
    assertThat(troubles).contains("status 503. Waiting for it.", "status 504. Waiting for it.");
  }

  @Test
  void a_server_that_does_not_answer_from_the_beginning_is_waited_for() {
    answers.addAll(List.of(NO_ANSWER, NO_ANSWER, NO_ANSWER));
    assertThat(await()).isEqualTo(7);
    assertThat(troubles).contains("server is unreachable, waiting for it");
  }

  @Test
  void a_job_that_is_not_there_is_not_waited_for() {
    answers.add(404);
    assertThatThrownBy(this::await).isInstanceOf(ApiException.class).hasMessage("status 404.");
  }
}
