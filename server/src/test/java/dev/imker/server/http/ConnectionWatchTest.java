package dev.imker.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.imker.testbase.Attack;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Real connections; the time that they are given is short. */
class ConnectionWatchTest {
  private static final String REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

  private final Vertx vertx = Vertx.vertx();
  private final ConnectionWatch watch = new ConnectionWatch(Duration.ofMillis(300));
  private final BlockingQueue<HttpServerRequest> requests = new LinkedBlockingQueue<>();
  private int port;

  @BeforeEach
  void listen() {
    HttpServer server =
        vertx
            .createHttpServer(new HttpServerOptions().setHttp2ClearTextEnabled(false))
            .connectionHandler(watch::opened)
            .requestHandler(
                request -> {
                  watch.begun(request.connection());
                  request.response().endHandler(_ -> watch.ended(request.connection()));
                  requests.add(request);
                })
            .listen(0, "127.0.0.1")
            .toCompletionStage()
            .toCompletableFuture()
            .join();
    port = server.actualPort();
    vertx.setPeriodic(watch.millisBetweenLooks(), _ -> watch.look());
  }

  @AfterEach
  void stop() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setSoTimeout(60_000);
    return socket;
  }

  private static void say(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
  }

  /** Whether the other side is gone: what is sent then breaks sooner or later. */
  private static boolean isRefused(Socket socket) {
    try {
      say(socket, "a");
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  @Attack("send a request header byte by byte for ever (Slowloris)")
  void a_head_that_comes_byte_by_byte_is_given_up() throws Exception {
    try (Socket slow = connect()) {
      say(slow, "GET / HTTP/1.1\r\nX: ");
      await().pollInterval(Duration.ofMillis(20)).until(() -> isRefused(slow));
    }
    assertThat(requests).isEmpty();
  }

  @Test
  @Attack("send one request and then the next byte by byte")
  void a_second_head_that_comes_byte_by_byte_is_given_up() throws Exception {
    try (Socket slow = connect()) {
      say(slow, REQUEST);
      HttpServerRequest first = requests.poll(60, TimeUnit.SECONDS);
      first.response().end("x");
      assertThat(slow.getInputStream().read()).isEqualTo('H');
      await().pollInterval(Duration.ofMillis(20)).until(() -> isRefused(slow));
    }
  }

  @Test
  void an_answer_that_takes_long_is_waited_for() throws Exception {
    try (Socket patient = connect();
        Socket idle = connect()) {
      say(patient, REQUEST);
      HttpServerRequest request = requests.poll(60, TimeUnit.SECONDS);
      assertThat(idle.getInputStream().read()).as("the idle one is closed").isEqualTo(-1);
      watch.look();
      request.response().end("done");
      assertThat(patient.getInputStream().read()).isEqualTo('H');
    }
  }

  @Test
  void what_became_something_else_is_left_alone() throws Exception {
    try (Socket other = connect();
        Socket idle = connect()) {
      say(other, REQUEST);
      HttpServerRequest request = requests.poll(60, TimeUnit.SECONDS);
      watch.leave(request.connection());
      assertThat(idle.getInputStream().read()).isEqualTo(-1);
      request.response().end("done");
      assertThat(other.getInputStream().read()).isEqualTo('H');
    }
  }

  @Test
  @Attack("send a body so slowly that it never ends")
  void a_body_is_waited_for_as_long_as_it_comes_at_a_fair_pace() {
    long minute = TimeUnit.SECONDS.toNanos(60);
    assertThat(RequestBody.isTooSlow(0, minute - 1)).isFalse();
    assertThat(RequestBody.isTooSlow(60, minute)).as("a byte a second").isTrue();
    assertThat(RequestBody.isTooSlow(6000, minute)).isFalse();
    assertThat(RequestBody.isTooSlow(1 << 20, 600 * minute)).isTrue();
    assertThat(RequestBody.isTooSlow(1L << 30, 60 * minute)).isFalse();
  }
}
