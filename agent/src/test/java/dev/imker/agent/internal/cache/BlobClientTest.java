package dev.imker.agent.internal.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.github.luben.zstd.Zstd;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.imker.model.BlobId;
import dev.imker.testbase.Attack;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BlobClientTest {
  private static final String TOKEN = "token";
  private static final String PASSWORD = "changeit";

  @TempDir Path folder;
  private final Map<String, byte[]> blobs = new ConcurrentHashMap<>();
  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
  private final List<HttpServer> servers = new ArrayList<>();
  private final ServerAccess access = new ServerAccess();
  private final AtomicInteger failures = new AtomicInteger();
  private volatile int status = 503;

  private final List<Socket> silent = Collections.synchronizedList(new ArrayList<>());

  @AfterEach
  void stop() throws IOException {
    for (Socket connection : List.copyOf(silent)) {
      connection.close();
    }
    servers.forEach(server -> server.stop(0));
  }

  private void serve(HttpServer server, String scheme) {
    serve(server, scheme, "");
  }

  private void serve(HttpServer server, String scheme, String below) {
    servers.add(server);
    server.createContext(below + "/api/v1/blobs/", this::answer);
    server.start();
    URI base = URI.create(scheme + "://127.0.0.1:" + server.getAddress().getPort() + below);
    access.open(new ServerAccess.Access(base, TOKEN));
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String id = exchange.getRequestURI().getPath().replaceFirst(".*/", "");
      String range = exchange.getRequestHeaders().getFirst("Range");
      String encoding = exchange.getRequestHeaders().getFirst("Accept-Encoding");
      requests.add(
          exchange.getRequestMethod()
              + (range == null ? "" : " " + range)
              + (encoding == null ? "" : " " + encoding));
      byte[] body = exchange.getRequestBody().readAllBytes();
      if (failures.getAndDecrement() > 0) {
        exchange.sendResponseHeaders(status, -1);
      } else if (!("Bearer " + TOKEN)
          .equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
        exchange.sendResponseHeaders(401, -1);
      } else if (exchange.getRequestMethod().equals("PUT")) {
        blobs.put(id, body);
        exchange.sendResponseHeaders(201, -1);
      } else {
        byte[] content = blobs.get(id);
        if (content != null && encoding != null) {
          exchange.getResponseHeaders().set("Content-Encoding", encoding);
          content = Zstd.compress(content);
        }
        send(exchange, content, range);
      }
    }
  }

  private static void send(HttpExchange exchange, byte @Nullable [] content, @Nullable String range)
      throws IOException {
    if (content == null) {
      exchange.sendResponseHeaders(404, -1);
    } else if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(200, -1);
    } else {
      int from = range == null ? 0 : Integer.parseInt(range.replaceAll("\\D", ""));
      byte[] part = Arrays.copyOfRange(content, from, content.length);
      exchange.sendResponseHeaders(range == null ? 200 : 206, part.length);
      exchange.getResponseBody().write(part);
    }
  }

  private BlobId put(byte[] content) throws Exception {
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
    BlobId id = new BlobId(HexFormat.of().formatHex(hash));
    blobs.put(id.sha256(), content);
    return id;
  }

  @Test
  void a_proxy_may_have_put_the_server_below_a_path() throws Exception {
    serve(HttpServer.create(anyPort(), 0), "http", "/site/imker");
    BlobId blob = put(new byte[] {1, 2, 3});
    try (BlobClient client = new BlobClient(access, "", 60_000)) {
      try (BlobSource.Content content = client.open(blob, 0)) {
        assertThat(content.stream().readAllBytes()).containsExactly(1, 2, 3);
      }
      for (String elsewhere : List.of("http://example.org/", "//example.org/", "@example.org/")) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> client.send(elsewhere, 1, Duration.ofSeconds(1), request -> request));
      }
    }
  }

  @Test
  void a_download_can_go_on_in_the_middle() throws Exception {
    serve(HttpServer.create(anyPort(), 0), "http");
    BlobId blob = put(new byte[] {1, 2, 3, 4, 5});
    try (BlobClient client = new BlobClient(access, "", 60_000);
        BlobSource.Content content = client.open(blob, 3)) {
      assertThat(content.offset()).isEqualTo(3);
      assertThat(content.stream().readAllBytes()).containsExactly(4, 5);
    }
    assertThat(requests).containsExactly("GET bytes=3-");
  }

  @Test
  void a_compressed_download_is_asked_for_on_lines_between_machines() throws Exception {
    serve(HttpServer.create(anyPort(), 0), "http");
    BlobId blob = put(new byte[100_000]);
    // The same address, but not one that is known for this machine at once.
    URI elsewhere =
        URI.create("http://[::ffff:127.0.0.1]:" + servers.getFirst().getAddress().getPort());
    for (URI base : List.of(access.await(0).base(), elsewhere)) {
      access.open(new ServerAccess.Access(base, TOKEN, Set.of("zstd"), List.of(base)));
      try (BlobClient client = new BlobClient(access, "", 60_000);
          BlobSource.Content content = client.open(blob, 0)) {
        assertThat(content.stream().readAllBytes()).isEqualTo(new byte[100_000]);
      }
    }
    assertThat(requests).containsExactly("GET", "GET zstd");
  }

  @Test
  void an_upload_is_repeated_until_the_server_takes_it() throws Exception {
    serve(HttpServer.create(anyPort(), 0), "http");
    failures.set(2);
    Path file = Files.write(folder.resolve("file"), new byte[] {7, 8, 9});
    BlobId blob = Sha256.of(file);
    try (BlobClient client = new BlobClient(access, "", 60_000)) {
      client.upload(blob, file);
    }
    assertThat(blobs.get(blob.sha256())).containsExactly(7, 8, 9);
  }

  private BlobClient forgiving(Duration refusalPatience) {
    return new BlobClient(access, "", 60_000, Duration.ofSeconds(30), refusalPatience);
  }

  @Test
  void an_upload_that_breaks_after_more_time_than_failures_may_take_is_repeated() throws Exception {
    serve(HttpServer.create(anyPort(), 0), "http");
    failures.set(2);
    Path file = Files.write(folder.resolve("file"), new byte[] {7, 8, 9});
    BlobId blob = Sha256.of(file);
    try (BlobClient client = forgiving(Duration.ofNanos(1))) {
      client.upload(blob, file);
    }
    assertThat(blobs).containsKey(blob.sha256());
  }

  @Test
  void an_upload_that_the_server_keeps_refusing_is_given_up_for_now() throws Exception {
    serve(HttpServer.create(anyPort(), 0), "http");
    failures.set(Integer.MAX_VALUE);
    status = 403;
    Path file = Files.write(folder.resolve("file"), new byte[] {7, 8, 9});
    BlobId blob = Sha256.of(file);
    try (BlobClient client = forgiving(Duration.ofMillis(500))) {
      assertThatThrownBy(() -> client.upload(blob, file))
          .isInstanceOfSatisfying(BlobException.class, e -> assertThat(e.isTemporary()).isTrue());
    }
    assertThat(requests).hasSizeGreaterThan(1);
  }

  @Test
  void a_large_file_that_the_server_has_is_not_sent_again() throws Exception {
    serve(HttpServer.create(anyPort(), 0), "http");
    Path file = Files.write(folder.resolve("file"), new byte[1 << 20]);
    BlobId blob = Sha256.of(file);
    try (BlobClient client = new BlobClient(access, "", 60_000)) {
      client.upload(blob, file);
      client.upload(blob, file);
    }
    assertThat(requests).containsExactly("HEAD", "PUT", "HEAD");
  }

  @Test
  void waits_for_a_server_that_is_away() throws Exception {
    BlobId blob = put(new byte[] {1});
    try (BlobClient client = new BlobClient(access, "", 60_000);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<BlobSource.Content> content = threads.submit(() -> client.open(blob, 0));
      serve(HttpServer.create(anyPort(), 0), "http");
      try (BlobSource.Content opened = content.get()) {
        assertThat(opened.stream().readAllBytes()).containsExactly(1);
      }
    }
  }

  @Test
  void gives_up_waiting_when_patience_ends() throws Exception {
    BlobId blob = put(new byte[] {1});
    try (BlobClient client = new BlobClient(access, "", 20)) {
      assertThatThrownBy(() -> client.open(blob, 0))
          .isInstanceOfSatisfying(BlobException.class, e -> assertThat(e.isTemporary()).isTrue());
    }
  }

  @Test
  @Attack("pose as the server towards an agent that fetches files")
  void only_the_pinned_certificate_is_trusted() throws Exception {
    KeyStore keys = selfSigned();
    HttpsServer server = HttpsServer.create(anyPort(), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls(keys)));
    serve(server, "https");
    BlobId blob = put(new byte[] {42});
    String right =
        HexFormat.of()
            .formatHex(
                MessageDigest.getInstance("SHA-256")
                    .digest(keys.getCertificate("server").getEncoded()));
    try (BlobClient client = new BlobClient(access, right, 60_000);
        BlobSource.Content content = client.open(blob, 0)) {
      assertThat(content.stream().readAllBytes()).containsExactly(42);
    }
    try (BlobClient client = new BlobClient(access, "00".repeat(32), 1000)) {
      assertThatThrownBy(() -> client.open(blob, 0))
          .isInstanceOf(IOException.class)
          .hasStackTraceContaining("not the one expected");
    }
  }

  /** A listening socket that takes connections, says what it is told to and falls silent. */
  private ServerSocket fallingSilent(String words) throws IOException {
    ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual()
        .start(
            () -> {
              while (!socket.isClosed()) {
                try {
                  Socket connection = socket.accept();
                  silent.add(connection);
                  connection.getOutputStream().write(words.getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                  return; // closed
                }
              }
            });
    access.open(
        new ServerAccess.Access(URI.create("http://127.0.0.1:" + socket.getLocalPort()), TOKEN));
    return socket;
  }

  private BlobClient impatient() {
    return new BlobClient(access, "", 60_000, Duration.ofMillis(300), Duration.ofMinutes(2));
  }

  @Test
  void a_server_that_answers_nothing_is_given_up() throws Exception {
    try (ServerSocket _ = fallingSilent("");
        BlobClient client = impatient()) {
      BlobId blob = put(new byte[] {1});
      assertThatThrownBy(() -> client.open(blob, 0))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("has been silent");
    }
  }

  @Test
  void a_server_that_falls_silent_within_an_answer_is_given_up() throws Exception {
    try (ServerSocket _ = fallingSilent("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc");
        BlobClient client = impatient();
        BlobSource.Content content = client.open(put(new byte[] {1}), 0)) {
      assertThatThrownBy(() -> content.stream().readAllBytes())
          .isInstanceOf(IOException.class)
          .hasMessageContaining("has been silent");
    }
  }

  @Test
  void an_upload_that_a_silent_server_holds_up_goes_to_the_next_one() throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[20 << 20]);
    BlobId blob = Sha256.of(file);
    try (ServerSocket _ = fallingSilent("");
        BlobClient client = new BlobClient(access, "", 60_000);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> uploaded =
          threads.submit(
              () -> {
                client.upload(blob, file);
                return null;
              });
      await().until(() -> !silent.isEmpty());
      serve(HttpServer.create(anyPort(), 0), "http");
      uploaded.get();
      assertThat(blobs).containsKey(blob.sha256());
    }
  }

  @Test
  void an_upload_whose_body_nobody_reads_is_given_up() throws Exception {
    Path file = Files.write(folder.resolve("file"), new byte[60 << 10]);
    BlobId blob = Sha256.of(file);
    try (ServerSocket _ = fallingSilent("");
        BlobClient client = impatient();
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> uploaded =
          threads.submit(
              () -> {
                client.upload(blob, file);
                return null;
              });
      await().until(() -> silent.size() > 1); // it was tried again
      serve(HttpServer.create(anyPort(), 0), "http");
      uploaded.get();
      assertThat(blobs).containsKey(blob.sha256());
    }
  }

  private KeyStore selfSigned() throws Exception {
    Path file = folder.resolve("keys.p12");
    Path keytool = Path.of(System.getProperty("java.home"), "bin", "keytool");
    Process process =
        new ProcessBuilder(
                keytool.toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=somewhere-else",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    assertThat(process.waitFor()).isZero();
    return KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
  }

  private static SSLContext tls(KeyStore keys) throws Exception {
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return context;
  }
}
