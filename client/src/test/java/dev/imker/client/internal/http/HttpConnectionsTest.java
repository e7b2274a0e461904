package dev.imker.client.internal.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.ImkerException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a server that says exactly what a test wants. */
class HttpConnectionsTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String DONE = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ndone";

  private final HttpConnections http =
      new HttpConnections((SSLSocketFactory) SSLSocketFactory.getDefault(), true);
  private final Queue<String> answers = new ConcurrentLinkedQueue<>();
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private ServerSocket server;

  @BeforeEach
  void start() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::serve);
  }

  @AfterEach
  void stop() throws IOException {
    http.close();
    server.close();
  }

  private void serve() {
    int number = 0;
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        int connection = ++number;
        Thread.ofVirtual().start(() -> answer(socket, connection));
      } catch (IOException e) {
        return;
      }
    }
  }

  /** An answer that ends with "!" is the last of its connection. */
  private void answer(Socket socket, int connection) {
    try (socket) {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.contains(" HTTP/1.1")) {
          asked.add(connection + " " + line);
        }
        String answer = line.isEmpty() ? answers.poll() : null;
        if (answer != null) {
          boolean last = answer.endsWith("!");
          String text = last ? answer.substring(0, answer.length() - 1) : answer;
          socket.getOutputStream().write(text.getBytes(US_ASCII));
          if (last) {
            return;
          }
        }
      }
    } catch (IOException e) {
      return; // the other side has enough
    }
  }

  private URI origin() {
    return URI.create("http://127.0.0.1:" + server.getLocalPort());
  }

  private String get(String path) throws IOException {
    return new String(http.ask(origin(), "GET", path, Map.of(), null, PATIENCE).body(), US_ASCII);
  }

  @Test
  void one_connection_serves_request_after_request() throws IOException {
    answers.addAll(List.of(DONE, "HTTP/1.1 204 No Content\r\n\r\n", DONE));
    assertThat(get("/1")).isEqualTo("done");
    assertThat(get("/2")).isEmpty();
    assertThat(get("/3")).isEqualTo("done");
    assertThat(asked)
        .containsExactly("1 GET /1 HTTP/1.1", "1 GET /2 HTTP/1.1", "1 GET /3 HTTP/1.1");
  }

  @Test
  void a_connection_that_was_closed_meanwhile_is_replaced() throws IOException {
    answers.addAll(List.of(DONE + "!", DONE));
    assertThat(get("/1")).isEqualTo("done");
    assertThat(get("/2")).isEqualTo("done");
    assertThat(asked).endsWith("2 GET /2 HTTP/1.1");
  }

  @Test
  void a_server_that_says_so_is_not_asked_again_on_the_same_connection() throws IOException {
    answers.addAll(
        List.of("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", DONE));
    assertThat(get("/1")).isEmpty();
    assertThat(get("/2")).isEqualTo("done");
    assertThat(asked).containsExactly("1 GET /1 HTTP/1.1", "2 GET /2 HTTP/1.1");
  }

  @Test
  void an_answer_in_chunks_is_put_together() throws IOException {
    answers.add(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nho\n\r\nA\r\n0123456789"
            + "\r\n0\r\nLate: header\r\n\r\n");
    answers.add(DONE);
    assertThat(get("/1")).isEqualTo("ho\n0123456789");
    assertThat(get("/2")).isEqualTo("done");
  }

  @Test
  void an_answer_that_is_cut_off_is_none() {
    answers.add("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf!");
    assertThatThrownBy(() -> get("/1")).isInstanceOf(IOException.class);
  }

  @Test
  void what_is_not_an_answer_is_refused() {
    answers.add("SSH-2.0-OpenSSH\r\n!");
    assertThatThrownBy(() -> get("/1"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not an answer");
  }

  @Test
  void a_stream_is_read_as_it_comes_and_one_that_falls_silent_ends() throws IOException {
    answers.add("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n");
    try (InputStream stream = http.open(origin(), "/1", Map.of(), Duration.ofMillis(200)).body()) {
      assertThat(stream.readNBytes(2)).isEqualTo("hi".getBytes(US_ASCII));
      assertThatThrownBy(stream::read).isInstanceOf(IOException.class);
    }
  }

  @Test
  void after_it_was_closed_nothing_is_asked() {
    http.close();
    assertThatThrownBy(() -> get("/1")).isInstanceOf(ImkerException.class);
    assertThat(asked).isEmpty();
  }
}
