package dev.imker.client.internal.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.connection.ServerList;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocketFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Servers that stand still or no longer lead, while a client waits for them. */
class ServerWatchTest {
  private static final long PATIENCE_SECONDS = 60;
  private static final Duration FOR_EVER = Duration.ofHours(1);
  private static final String NAME = "bees";

  /** Answers as it is told to, or takes requests and says nothing. */
  private static final class Server implements AutoCloseable {
    private final ServerSocket socket;
    volatile boolean silent;
    volatile int status = 200;

    Server() throws IOException {
      socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
      Thread.ofVirtual().start(this::serve);
    }

    URI url() {
      return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }

    private void serve() {
      try {
        while (true) {
          Socket connection = socket.accept();
          Thread.ofVirtual().start(() -> answer(connection));
        }
      } catch (IOException e) {
        return; // closed
      }
    }

    private void answer(Socket connection) {
      try (connection) {
        BufferedReader in =
            new BufferedReader(new InputStreamReader(connection.getInputStream(), US_ASCII));
        String request = "";
        for (String line = in.readLine(); line != null; line = in.readLine()) {
          request = line.contains(" HTTP/1.1") ? line : request;
          if (line.isEmpty() && !silent) {
            connection.getOutputStream().write(text(request).getBytes(US_ASCII));
          }
        }
      } catch (IOException e) {
        return; // the other side has enough
      }
    }

    private String text(String request) {
      return request.contains("/stream")
          ? "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n"
          : "HTTP/1.1 %d Said\r\nContent-Length: %d\r\n\r\n%s"
              .formatted(status, NAME.length(), NAME);
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private final Server first = new Server();
  private final Server second = new Server();
  private final HttpConnections http =
      new HttpConnections((SSLSocketFactory) SSLSocketFactory.getDefault(), true);
  private final ServerList servers =
      new ServerList(List.of(first.url().toString(), second.url().toString()));
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  ServerWatchTest() throws IOException {
    threads.execute(
        new ServerWatch(
            http, servers, Map.of(), () -> true, Duration.ofMillis(100), Duration.ofSeconds(1)));
  }

  @AfterEach
  void stop() throws IOException {
    threads.shutdownNow();
    http.close();
    first.close();
    second.close();
  }

  private <T> T soon(Callable<T> what) throws Exception {
    Future<T> answer = threads.submit(what);
    return answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  /** Asks the servers in turn until one answers. */
  private String ask() throws InterruptedException {
    return Patience.untilThere(
        Duration.ofSeconds(PATIENCE_SECONDS),
        () -> {
          String server = servers.current();
          try {
            byte[] body =
                http.ask(URI.create(server), "GET", "/name", Map.of(), null, FOR_EVER).body();
            return new String(body, US_ASCII);
          } catch (IOException e) {
            servers.leave(server);
            throw new RestClient.AwayException("away", e);
          }
        });
  }

  private InputStream open() throws IOException {
    return http.open(first.url(), "/stream", Map.of(), FOR_EVER).body();
  }

  @Test
  void a_request_to_a_server_that_stands_still_goes_to_the_next() throws Exception {
    first.silent = true;
    assertThat(soon(this::ask)).isEqualTo("bees");
  }

  @Test
  void kept_connections_to_a_server_that_stands_still_are_not_waited_for() throws Exception {
    assertThat(soon(this::ask)).isEqualTo("bees");
    first.silent = true;
    List<Future<String>> asked = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      asked.add(threads.submit(this::ask));
    }
    for (Future<String> answer : asked) {
      assertThat(answer.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo("bees");
    }
  }

  @Test
  void a_stream_from_a_server_that_stands_still_ends() throws Exception {
    try (InputStream stream = open()) {
      assertThat(stream.readNBytes(2)).isEqualTo("hi".getBytes(US_ASCII));
      first.silent = true;
      assertThatThrownBy(() -> soon(stream::read)).hasCauseInstanceOf(IOException.class);
    }
  }

  @Test
  void a_stream_from_a_server_that_leads_no_more_ends() throws Exception {
    try (InputStream stream = open()) {
      assertThat(stream.readNBytes(2)).isEqualTo("hi".getBytes(US_ASCII));
      first.status = 503;
      assertThatThrownBy(() -> soon(stream::read)).hasCauseInstanceOf(IOException.class);
    }
  }

  @Test
  void a_server_that_speaks_again_is_asked_again() throws Exception {
    first.silent = true;
    assertThat(soon(this::ask)).isEqualTo("bees");
    second.silent = true;
    first.silent = false;
    assertThat(soon(this::ask)).isEqualTo("bees");
  }
}
