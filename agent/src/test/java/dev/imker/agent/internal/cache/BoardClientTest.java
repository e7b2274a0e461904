package dev.imker.agent.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A server that hears the first question and fails it, or breaks the connection. */
final class BoardClientTest {
  private final AtomicInteger heard = new AtomicInteger();
  private final ServerAccess access = new ServerAccess();
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
  void what_would_count_twice_is_not_asked_again() {
    assertThatThrownBy(() -> ask("counter", "add"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("'add' of counter 'it'")
        .hasMessageContaining("may have happened or not");
    assertThat(heard).hasValue(1);
  }

  @Test
  void what_the_server_has_not_done_is_asked_again() throws Exception {
    first = 503;
    assertThat(ask("counter", "add")).containsEntry("value", 2L);
    assertThat(heard).hasValue(2);
  }

  @Test
  void what_the_server_may_have_done_is_not_asked_again_if_it_would_count_twice() throws Exception {
    first = 504;
    assertThatThrownBy(() -> ask("queue", "take")).hasMessageContaining("may have happened or not");
    assertThat(heard).hasValue(1);
    heard.set(0);
    assertThat(ask("barrier", "enter")).containsEntry("entered", true);
  }

  @Test
  void what_may_be_asked_twice_is_asked_again() throws Exception {
    assertThat(ask("barrier", "enter")).containsEntry("entered", true);
    assertThat(heard).hasValue(2);
  }
}
