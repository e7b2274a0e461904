package dev.imker.agent.internal.home;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.imker.agent.internal.cache.BlobClient;
import dev.imker.agent.internal.cache.ServerAccess;
import dev.imker.testbase.Attack;
import io.vertx.core.Vertx;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a task can do that writes to the socket byte by byte. */
final class HomeSocketTest {
  private static final int LONG_ANSWER = 300_000;

  private final List<String> asked = Collections.synchronizedList(new ArrayList<>());
  private final ServerAccess access = new ServerAccess();
  private final Vertx vertx = Vertx.vertx();
  private HttpServer pool;
  private HttpServer stranger;
  private BlobClient blobs;
  private HomeSocket home;
  private Path folder;

  @BeforeEach
  void open() throws IOException {
    folder = Files.createTempDirectory("home");
    pool = serve("pool");
    stranger = serve("stranger");
    access.open(new ServerAccess.Access(URI.create("http://" + authority(pool)), "token"));
    blobs = new BlobClient(access, "", 1_000);
    home = HomeSocket.open(blobs, folder, vertx);
  }

  @AfterEach
  void close() throws IOException {
    home.close();
    blobs.close();
    pool.stop(0);
    stranger.stop(0);
    vertx.close().toCompletionStage().toCompletableFuture().join();
    Files.deleteIfExists(folder);
  }

  private HttpServer serve(String name) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          int body = exchange.getRequestBody().readAllBytes().length;
          asked.add(name + " " + exchange.getRequestURI() + " " + body);
          byte[] answer =
              new byte[exchange.getRequestURI().getPath().endsWith("long") ? LONG_ANSWER : 2];
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    return server;
  }

  private static String authority(HttpServer server) {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  private static String head(String target, int length) {
    return """
    POST %s HTTP/1.1
    Host: imker
    Authorization: Bearer imker-t-1
    Connection: close
    Content-Length: %d

    """
        .formatted(target, length)
        .replace("\n", "\r\n");
  }

  private String say(String target, byte[] body) throws IOException {
    String head = head(target, body.length);
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(home.path()));
      write(channel, head.getBytes(ISO_8859_1));
      write(channel, body);
      ByteArrayOutputStream answer = new ByteArrayOutputStream();
      ByteBuffer part = ByteBuffer.allocate(64 << 10);
      while (channel.read(part) >= 0) {
        answer.write(part.array(), 0, part.position());
        part.clear();
      }
      return answer.toString(ISO_8859_1);
    }
  }

  private static void write(SocketChannel channel, byte[] bytes) throws IOException {
    ByteBuffer rest = ByteBuffer.wrap(bytes);
    while (rest.hasRemaining()) {
      channel.write(rest);
    }
  }

  @Test
  @Attack("reach another host through the agent's socket")
  void a_request_target_that_names_a_host_is_refused() throws IOException {
    String host = authority(stranger);
    for (String target :
        List.of(
            "http://" + host + "/api/v1/board/x",
            "//" + host + "/api/v1/board/x",
            "http:/api/v1/board/x",
            "/api/v1/board/../jobs",
            "/api/v1/board/%2e%2E/jobs",
            "/api/v1/board/.%2e%2f../jobs",
            "/api/v1/jobs")) {
      assertThat(say(target, new byte[0])).as(target).doesNotContain("200 OK");
    }
    assertThat(asked).isEmpty();
  }

  @Test
  void requests_and_answers_of_any_length_are_passed_on() throws IOException {
    assertThat(say("/api/v1/board/x?y=1", new byte[3])).contains("200 OK");
    byte[] body = new byte[200_000];
    for (int i = 0; i < 6; i++) { // more than have a place at the same time
      assertThat(say("/api/v1/board/long", body))
          .contains("200 OK")
          .hasSizeGreaterThan(LONG_ANSWER);
    }
    assertThat(asked).hasSize(7).contains("pool /api/v1/board/x?y=1 3");
    assertThat(asked).contains("pool /api/v1/board/long 200000");
  }

  @Test
  void requests_broken_off_leave_their_places_to_others() throws IOException {
    for (int i = 0; i < 6; i++) {
      try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
        channel.connect(UnixDomainSocketAddress.of(home.path()));
        String head = head("/api/v1/board/x", 1_000_000);
        write(channel, head.getBytes(ISO_8859_1));
        write(channel, new byte[100_000]);
      }
    }
    assertThat(say("/api/v1/board/x", new byte[200_000])).contains("200 OK");
  }
}
