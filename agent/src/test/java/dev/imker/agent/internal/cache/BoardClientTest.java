package dev.imker.agent.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that hears the first question and fails it, or breaks the connection. */
final class BoardClientTest {
  private final AtomicInteger heard = new AtomicInteger();
  private final ServerAccess access = new ServerAccess();
  private final List<String> marks = new CopyOnWriteArrayList<>();
  private HttpServer server;

  /** What the first question is answered with; 0 for nothing at all. */
  private volatile int first;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/api/v1/coord/", this::answer);
    server.start();
    URI base = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    access.open(new ServerAccess.Access(base, "token"));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    String mark = exchange.getRequestHeaders().getFirst("Idempotency-Key");
    marks.add(mark == null ? "" : mark);
    exchange.getRequestBody().readAllBytes();
    if (heard.incrementAndGet() > 1) {
      byte[] answer = "{\"value\":2,\"entered\":true}".getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
    } else if (first > 0) {
      exchange.sendResponseHeaders(first, -1);
    }
    exchange.close();
  }

  private Map<String, Object> ask(String kind, String action) throws Exception {
    try (BlobClient connection = new BlobClient(access, "", 60_000)) {
      return new BoardClient(connection, access, 60_000)
          .coordinate(kind, "it", Map.of("action", action), token -> token);
    }
  }

  @Test
  void what_would_count_twice_is_asked_again_with_the_same_mark() throws Exception {
    assertThat(ask("counter", "add")).containsEntry("value", 2L);
    assertThat(heard).hasValue(2);
    assertThat(marks).hasSize(2);
    assertThat(Set.copyOf(marks)).hasSize(1).noneMatch(String::isEmpty);
  }

  @Test
  void every_question_has_a_mark_of_its_own() throws Exception {
    heard.set(1); // none is failed
    try (BlobClient connection = new BlobClient(access, "", 60_000)) {
      BoardClient client = new BoardClient(connection, access, 60_000);
      for (int i = 0; i < 3; i++) {
        client.coordinate("queue", "it", Map.of("action", "take"), token -> token);
      }
    }
    assertThat(marks).hasSize(3).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(ints = {429, 502, 503, 504})
  void what_the_server_may_have_done_or_had_no_time_for_is_asked_again(int status)
      throws Exception {
    first = status;
    assertThat(ask("counter", "add")).containsEntry("value", 2L);
    assertThat(heard).hasValue(2);
    assertThat(Set.copyOf(marks)).hasSize(1);
  }

  @Test
  void what_may_be_asked_twice_is_asked_again() throws Exception {
    assertThat(ask("barrier", "enter")).containsEntry("entered", true);
    assertThat(heard).hasValue(2);
  }
}
