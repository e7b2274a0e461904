package dev.imker.cli.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class WatchedSendTest {
  private static final Duration SOON = Duration.ofMillis(50);
  private static final Duration LONG = Duration.ofMinutes(1);

  private static void answer(HttpExchange exchange, String text) throws IOException {
    byte[] body = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  private static String url(int port) {
    return "http://127.0.0.1:" + port;
  }

  /** Takes connections, as the system does for a process that is stopped, and never answers. */
  private static ServerSocket stopped() throws IOException {
    return new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @Test
  void server_that_stands_still_is_not_waited_for() throws Exception {
    try (ServerSocket stopped = stopped();
        HttpClient http = HttpClient.newHttpClient()) {
      String server = url(stopped.getLocalPort());
      WatchedSend send = new WatchedSend(http, SOON, SOON);
      HttpRequest request = HttpRequest.newBuilder(URI.create(server + "/x")).build();
      assertThatThrownBy(() -> send.send(server, request, BodyHandlers.ofInputStream()))
          .isInstanceOf(StandsStillException.class)
          .hasMessageContaining(server);
      http.shutdownNow();
    }
  }

  @Test
  void answer_that_takes_its_time_is_waited_for() throws Exception {
    CountDownLatch asked = new CountDownLatch(2);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    try (ExecutorService threads = Executors.newCachedThreadPool();
        HttpClient http = HttpClient.newHttpClient()) {
      server.setExecutor(threads);
      server.createContext(
          "/api/v1/pool",
          exchange -> {
            asked.countDown();
            answer(exchange, "{}");
          });
      server.createContext(
          "/slow",
          exchange -> {
            try {
              assertThat(asked.await(LONG.toSeconds(), TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
            answer(exchange, "late");
          });
      server.start();
      String url = url(server.getAddress().getPort());
      HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/slow")).build();
      var response =
          new WatchedSend(http, SOON, LONG).send(url, request, BodyHandlers.ofInputStream());
      assertThat(new String(response.body().readAllBytes(), StandardCharsets.UTF_8))
          .isEqualTo("late");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void stream_of_a_server_that_stands_still_comes_to_an_end() throws Exception {
    try (ServerSocket server = stopped();
        HttpClient http = HttpClient.newHttpClient()) {
      String url = url(server.getLocalPort());
      CompletableFuture<Socket> begun =
          CompletableFuture.supplyAsync(() -> beginAnswer(server), Thread::startVirtualThread);
      HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/x")).build();
      var response = http.send(request, BodyHandlers.ofInputStream());
      CountDownLatch told = new CountDownLatch(1);
      try (InputStream body =
          new WatchedSend(http, SOON, SOON).watch(url, response.body(), told::countDown)) {
        assertThat(body.read()).isEqualTo('x');
        assertThatThrownBy(body::read).isInstanceOf(StandsStillException.class);
      }
      assertThat(told.getCount()).isZero();
      begun.get(LONG.toSeconds(), TimeUnit.SECONDS).close();
      http.shutdownNow();
    }
  }

  @Test
  void stream_of_a_server_that_follows_another_one_comes_to_an_end() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    CountDownLatch over = new CountDownLatch(1);
    try (ExecutorService threads = Executors.newCachedThreadPool();
        HttpClient http = HttpClient.newHttpClient()) {
      server.setExecutor(threads);
      server.createContext(
          "/api/v1/pool",
          exchange -> {
            boolean known =
                "Bearer t".equals(exchange.getRequestHeaders().getFirst("Authorization"));
            exchange.sendResponseHeaders(known ? 503 : 401, -1);
            exchange.close();
          });
      server.createContext(
          "/x",
          exchange -> {
            exchange.sendResponseHeaders(200, 0);
            exchange.getResponseBody().write('x');
            exchange.getResponseBody().flush();
            awaitQuietly(over);
          });
      server.start();
      String url = url(server.getAddress().getPort());
      HttpRequest request = HttpRequest.newBuilder(URI.create(url + "/x")).build();
      var response = http.send(request, BodyHandlers.ofInputStream());
      CountDownLatch told = new CountDownLatch(1);
      try (InputStream body =
          new WatchedSend(http, SOON, LONG)
              .watchLeader(url, "t", response.body(), told::countDown)) {
        assertThat(body.read()).isEqualTo('x');
        assertThatThrownBy(body::read).isInstanceOf(StandsStillException.class);
      }
      assertThat(told.getCount()).isZero();
      http.shutdownNow();
    } finally {
      over.countDown();
      server.stop(0);
    }
  }

  private static void awaitQuietly(CountDownLatch latch) throws IOException {
    try {
      latch.await(LONG.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** The beginning of an answer to whoever comes first. */
  private static Socket beginAnswer(ServerSocket server) {
    try {
      Socket socket = server.accept();
      socket
          .getOutputStream()
          .write(
              "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nx"
                  .getBytes(StandardCharsets.US_ASCII));
      return socket;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void commands_go_on_with_the_next_server() throws Exception {
    HttpServer next =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    next.createContext("/api/v1/jobs", exchange -> answer(exchange, "{\"id\": 7}"));
    next.start();
    try (ServerSocket stopped = stopped();
        ApiClient api =
            new ApiClient(
                new PoolContext(
                    List.of(
                        URI.create(url(stopped.getLocalPort())),
                        URI.create(url(next.getAddress().getPort()))),
                    "token",
                    ""),
                http -> new WatchedSend(http, SOON, SOON))) {
      assertThat(api.get("/api/v1/jobs").path("id").asInt()).isEqualTo(7);
    } finally {
      next.stop(0);
    }
  }
}
