package dev.imker.model.http;

import static dev.imker.model.http.ScriptedServer.CUT;
import static dev.imker.model.http.ScriptedServer.answer;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.imker.model.connection.HttpProxies;
import dev.imker.testbase.Attack;
import dev.imker.testbase.ConnectProxy;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the client promises whatever a server does, against real sockets. */
@Timeout(120)
final class PoolHttpTest {
  private static final Duration SOON = Duration.ofMillis(50);
  private static final Duration PROBED = Duration.ofMillis(500);
  private static final Duration PATIENT = Duration.ofSeconds(60);
  private static final Duration NONE = Duration.ZERO;
  private static final String PASSWORD = "changeit";
  private static final String STREAM = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

  @TempDir Path folder;
  private final ScriptedServer first = new ScriptedServer();
  private final ScriptedServer second = new ScriptedServer();
  private final List<AutoCloseable> closing = new ArrayList<>(List.of(first, second));
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  PoolHttpTest() throws IOException {}

  @AfterEach
  void stop() throws Exception {
    threads.shutdownNow();
    for (AutoCloseable one : closing.reversed()) {
      one.close();
    }
  }

  private PoolHttp client(URI... servers) {
    return client("", servers);
  }

  private PoolHttp client(String fingerprint, URI... servers) {
    PoolHttp http = new PoolHttp(List.of(servers), "secret", fingerprint, null, SOON, PROBED);
    closing.add(http);
    return http;
  }

  private PoolHttp ofBoth() {
    return client(first.url(), second.url());
  }

  private static String get(PoolHttp http, String path) throws Exception {
    return new String(http.send(Call.get(path), PATIENT).body(), US_ASCII);
  }

  private static Call post(String path) {
    return Call.post(path, "text/plain", BodyPublishers.ofString("honey"));
  }

  private <T> Future<T> soon(Callable<T> what) {
    return threads.submit(what);
  }

  private static URI closedPort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return URI.create("http://127.0.0.1:" + socket.getLocalPort());
    }
  }

  @Test
  void one_connection_serves_request_after_request() throws Exception {
    first.says("/x", answer(200, "bees"));
    PoolHttp http = client(first.url());
    assertThat(get(http, "/x")).isEqualTo("bees");
    assertThat(get(http, "/x")).isEqualTo("bees");
    assertThat(first.asked()).containsExactly("GET /x 1", "GET /x 1");
  }

  @Test
  void a_program_that_blocks_the_common_pool_is_answered() throws Exception {
    first.says("/x", answer(200, "bees"));
    PoolHttp http = client(first.url());
    CountDownLatch over = new CountDownLatch(1);
    closing.addFirst(over::countDown);
    for (int i = 0; i < 2 * ForkJoinPool.getCommonPoolParallelism(); i++) {
      var _ = ForkJoinPool.commonPool().submit(() -> over.await(2, TimeUnit.MINUTES));
    }
    assertThat(soon(() -> get(http, "/x")).get(30, TimeUnit.SECONDS)).isEqualTo("bees");
    over.countDown();
  }

  @Test
  void any_status_that_is_not_about_leading_is_an_answer() throws Exception {
    first.says("/x", answer(409, "no"));
    Answer answer = client(first.url()).send(post("/x"), PATIENT);
    assertThat(answer.status()).isEqualTo(409);
    assertThat(answer.isGood()).isFalse();
    assertThat(answer.body()).isEqualTo("no".getBytes(US_ASCII));
  }

  // ------------------------------------------------------------------ away

  @Test
  void a_closed_port_is_left_for_the_next_server_even_by_what_may_be_sent_once_only()
      throws Exception {
    second.says("/x", answer(201, "made"));
    Answer answer = client(closedPort(), second.url()).send(post("/x"), PATIENT);
    assertThat(answer.status()).isEqualTo(201);
    assertThat(second.asked()).containsExactly("POST /x 1");
  }

  @Test
  void without_patience_a_closed_port_is_told_at_once() throws Exception {
    URI server = closedPort();
    PoolHttp http = client(server);
    assertThatThrownBy(() -> http.send(Call.get("/x"), NONE))
        .isInstanceOfSatisfying(
            NoAnswerException.class,
            e -> {
              assertThat(e.server()).isEqualTo(server.toString());
              assertThat(e.mayBeDone()).isFalse();
            });
  }

  @Test
  void half_an_answer_is_none_and_is_asked_for_again() throws Exception {
    String half = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf" + CUT;
    first.says("/x", half, half, answer(200, "whole"));
    assertThat(get(client(first.url()), "/x")).isEqualTo("whole");
  }

  @Test
  void half_an_answer_to_what_may_be_sent_once_only_is_told() {
    first.says("/x", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf" + CUT);
    PoolHttp http = ofBoth();
    assertThatThrownBy(() -> http.send(post("/x"), PATIENT))
        .isInstanceOfSatisfying(NoAnswerException.class, e -> assertThat(e.mayBeDone()).isTrue());
    assertThat(first.asked()).hasSize(1);
    assertThat(second.asked()).isEmpty();
  }

  @Test
  void what_has_a_key_is_sent_again() throws Exception {
    first.says("/x", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf" + CUT);
    second.says("/x", answer(200, "whole"));
    Answer answer = ofBoth().send(post("/x").with("Idempotency-Key", "k"), PATIENT);
    assertThat(answer.body()).isEqualTo("whole".getBytes(US_ASCII));
  }

  @Test
  void what_does_not_speak_http_is_no_server() {
    first.says("/x", "SSH-2.0-OpenSSH\r\n" + CUT);
    PoolHttp http = client(first.url());
    assertThatThrownBy(() -> http.send(Call.get("/x"), NONE)).isInstanceOf(NoAnswerException.class);
  }

  @Test
  void a_client_that_is_closed_asks_nobody_and_lets_nobody_wait() throws Exception {
    first.hangs = true;
    PoolHttp http = client(first.url());
    Future<Answer> waiting = soon(() -> http.send(Call.get("/x"), PATIENT));
    while (first.asked().isEmpty()) {
      Thread.onSpinWait();
    }
    http.close();
    assertThatThrownBy(() -> waiting.get(PATIENT.toSeconds(), TimeUnit.SECONDS))
        .hasCauseInstanceOf(NoAnswerException.class);
    assertThatThrownBy(() -> http.send(Call.get("/x"), PATIENT))
        .isInstanceOf(NoAnswerException.class);
    assertThat(first.asked()).hasSize(1);
  }

  // ------------------------------------------------------------------ who leads

  @Test
  void a_server_that_follows_says_who_leads() throws Exception {
    first.says("/x", answer(307, "", "Location: " + second.url() + "/x"));
    second.says("/x", answer(200, "led", "Imker-Servers: http://a:1, http://b:2"));
    PoolHttp http = client(first.url());
    assertThat(http.send(post("/x"), NONE).body()).isEqualTo("led".getBytes(US_ASCII));
    assertThat(http.servers().current()).isEqualTo(second.url().toString());
    assertThat(http.servers().all()).contains("http://a:1", "http://b:2");
  }

  @Test
  void two_servers_that_point_at_each_other_are_asked_until_one_leads() throws Exception {
    String toSecond = answer(307, "", "Location: " + second.url() + "/x");
    String toFirst = answer(307, "", "Location: " + first.url() + "/x");
    first.says("/x", toSecond);
    second.says("/x", toFirst, toFirst, toFirst, toFirst, toFirst, answer(200, "led"));
    assertThat(get(client(first.url()), "/x")).isEqualTo("led");
  }

  @Test
  void no_leader_is_waited_for() throws Exception {
    String away = answer(503, "");
    first.says("/x", away, away, answer(200, "led"));
    second.says("/x", away);
    assertThat(get(ofBoth(), "/x")).isEqualTo("led");
  }

  @Test
  void a_server_that_says_when_to_come_back_is_believed() throws Exception {
    for (int status : new int[] {429, 503}) {
      first.says("/x", answer(status, "", "Retry-After: 1"), answer(200, "later"));
      long begunNanos = System.nanoTime();
      Answer answer = client(first.url()).send(post("/x"), NONE);
      assertThat(answer.body()).isEqualTo("later".getBytes(US_ASCII));
      assertThat(System.nanoTime() - begunNanos).isGreaterThanOrEqualTo(1_000_000_000L);
    }
  }

  @Test
  void a_server_that_is_busy_for_too_long_is_not_waited_for() throws Exception {
    first.says("/x", answer(429, "busy", "Retry-After: 3600"));
    assertThat(client(first.url()).send(post("/x"), NONE).status()).isEqualTo(429);
    first.says("/x", answer(503, "busy"));
    assertThat(ofBoth().send(post("/x"), PATIENT).status())
        .as("it may have been done")
        .isEqualTo(503);
  }

  // ------------------------------------------------------------------ hangs

  @Test
  void a_request_to_a_server_that_hangs_goes_to_the_next() throws Exception {
    first.hangs = true;
    second.says("/x", answer(200, "bees"));
    assertThat(get(ofBoth(), "/x")).isEqualTo("bees");
  }

  @Test
  void what_may_be_sent_once_only_is_not_waited_for_at_a_server_that_hangs() {
    first.hangs = true;
    PoolHttp http = ofBoth();
    assertThatThrownBy(() -> http.send(post("/x"), PATIENT))
        .isInstanceOfSatisfying(NoAnswerException.class, e -> assertThat(e.mayBeDone()).isTrue())
        .hasMessageContaining("stopped answering");
  }

  @Test
  void a_server_that_hangs_after_the_head_of_its_answer_is_left() throws Exception {
    first.says("/x", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nha…");
    first.pool = "…";
    second.says("/x", answer(200, "bees"));
    assertThat(get(ofBoth(), "/x")).isEqualTo("bees");
  }

  @Test
  void kept_connections_to_a_server_that_hangs_are_not_waited_for() throws Exception {
    first.says("/x", answer(200, "bees"));
    second.says("/x", answer(200, "bees"));
    PoolHttp http = ofBoth();
    assertThat(get(http, "/x")).isEqualTo("bees");
    first.hangs = true;
    List<Future<String>> asked = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      asked.add(soon(() -> get(http, "/x")));
    }
    for (Future<String> answer : asked) {
      assertThat(answer.get(PATIENT.toSeconds(), TimeUnit.SECONDS)).isEqualTo("bees");
    }
  }

  @Test
  void a_server_that_speaks_again_is_asked_again() throws Exception {
    first.hangs = true;
    first.says("/x", answer(200, "first"));
    second.says("/x", answer(200, "second"));
    PoolHttp http = ofBoth();
    assertThat(get(http, "/x")).isEqualTo("second");
    second.hangs = true;
    first.hangs = false;
    assertThat(get(http, "/x")).isEqualTo("first");
  }

  @Test
  void an_answer_that_takes_its_time_is_waited_for() throws Exception {
    first.says("/x", "…" + answer(200, "late"));
    PoolHttp http = ofBoth();
    Future<String> answer = soon(() -> get(http, "/x"));
    assertThatThrownBy(() -> answer.get(PROBED.toMillis() * 2, TimeUnit.MILLISECONDS))
        .isInstanceOf(java.util.concurrent.TimeoutException.class);
    first.goOn();
    assertThat(answer.get(PATIENT.toSeconds(), TimeUnit.SECONDS)).isEqualTo("late");
    assertThat(second.asked()).isEmpty();
  }

  @Test
  void silence_has_an_end_where_there_is_only_one_server() {
    first.hangs = true;
    Call call = Call.get("/x");
    Call impatient =
        new Call(
            call.method(),
            call.path(),
            call.headers(),
            call.body(),
            PROBED,
            true,
            false,
            call.awaited());
    PoolHttp http = client(first.url());
    assertThatThrownBy(() -> http.send(impatient, NONE))
        .isInstanceOf(NoAnswerException.class)
        .hasMessageContaining("has been silent");
  }

  // ------------------------------------------------------------------ streams

  private InputStream stream(PoolHttp http, Call call) throws Exception {
    InputStream body = http.open(call, PATIENT).body();
    closing.add(body);
    return body;
  }

  private void endsSoon(InputStream stream) {
    Future<Integer> end = soon(stream::read);
    assertThatThrownBy(() -> end.get(PATIENT.toSeconds(), TimeUnit.SECONDS))
        .hasCauseInstanceOf(IOException.class);
  }

  @Test
  void a_slow_stream_is_read_as_it_comes() throws Exception {
    first.says("/x", STREAM + "2\r\nhi\r\n…5\r\n ther\r\n0\r\n\r\n");
    InputStream stream = stream(ofBoth(), Call.get("/x"));
    assertThat(stream.readNBytes(2)).isEqualTo("hi".getBytes(US_ASCII));
    Future<byte[]> rest = soon(stream::readAllBytes);
    assertThatThrownBy(() -> rest.get(PROBED.toMillis() * 2, TimeUnit.MILLISECONDS))
        .isInstanceOf(java.util.concurrent.TimeoutException.class);
    first.goOn();
    assertThat(rest.get(PATIENT.toSeconds(), TimeUnit.SECONDS))
        .isEqualTo(" ther".getBytes(US_ASCII));
  }

  @Test
  void a_stream_from_a_server_that_hangs_ends() throws Exception {
    first.says("/x", STREAM + "2\r\nhi\r\n");
    PoolHttp http = ofBoth();
    InputStream stream = stream(http, Call.get("/x"));
    assertThat(stream.readNBytes(2)).isEqualTo("hi".getBytes(US_ASCII));
    first.hangs = true;
    endsSoon(stream);
    assertThat(http.servers().current()).isEqualTo(second.url().toString());
  }

  @Test
  void a_stream_that_only_a_leader_can_go_on_with_ends_with_its_leadership() throws Exception {
    first.says("/x", STREAM + "2\r\nhi\r\n");
    PoolHttp http = ofBoth();
    InputStream stream = stream(http, Call.events("/x", () -> true));
    assertThat(stream.readNBytes(2)).isEqualTo("hi".getBytes(US_ASCII));
    first.pool = answer(503, "");
    endsSoon(stream);
    assertThat(http.servers().current()).isEqualTo(second.url().toString());
  }

  @Test
  void a_large_file_is_streamed() throws Exception {
    Path file = Files.write(folder.resolve("large"), new byte[5 << 20]);
    first.says("/x", answer(201, ""));
    Call call = Call.put("/x", "application/octet-stream", BodyPublishers.ofFile(file));
    assertThat(client(first.url()).send(call, NONE).status()).isEqualTo(201);
  }

  // ------------------------------------------------------------------ certificates and proxies

  private record Identity(SSLContext tls, String fingerprint) {}

  private Identity selfSigned() throws Exception {
    Path file = folder.resolve("keys.p12");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "server",
                "-keyalg",
                "EC",
                "-dname",
                "CN=elsewhere",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    assertThat(process.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance(file.toFile(), PASSWORD.toCharArray());
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD.toCharArray());
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(managers.getKeyManagers(), null, null);
    byte[] certificate = keys.getCertificate("server").getEncoded();
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(certificate);
    return new Identity(tls, HexFormat.of().formatHex(hash));
  }

  private ScriptedServer secure(Identity identity) throws IOException {
    ScriptedServer server = new ScriptedServer(identity.tls());
    closing.add(server);
    return server.says("/x", answer(200, "bees"));
  }

  @Test
  void only_the_pinned_certificate_is_trusted_and_no_other_server_is_tried_instead()
      throws Exception {
    Identity identity = selfSigned();
    ScriptedServer server = secure(identity);
    second.says("/x", answer(200, "another"));
    assertThat(get(client(identity.fingerprint(), server.url()), "/x")).isEqualTo("bees");
    PoolHttp wrong = client("00".repeat(32), server.url(), second.url());
    assertThatThrownBy(() -> wrong.send(Call.get("/x"), PATIENT))
        .isInstanceOf(NoAnswerException.class)
        .hasStackTraceContaining("not the one expected: its fingerprint is")
        .hasStackTraceContaining(identity.fingerprint());
    PoolHttp unpinned = client(server.url());
    assertThatThrownBy(() -> unpinned.send(Call.get("/x"), PATIENT))
        .isInstanceOf(NoAnswerException.class);
  }

  @Test
  @Attack("redirect a client with its token from an encrypted server to an unencrypted one")
  void nobody_is_led_from_an_encrypted_server_to_one_that_is_not() throws Exception {
    Identity identity = selfSigned();
    ScriptedServer server = secure(identity);
    server.says(
        "/y",
        answer(307, "", "Location: " + second.url() + "/y", "Imker-Servers: " + second.url()));
    PoolHttp http = client(identity.fingerprint(), server.url());
    assertThat(http.send(Call.get("/y"), NONE).status()).isEqualTo(307);
    assertThat(second.asked()).isEmpty();
    assertThat(http.servers().all()).containsExactly(server.url().toString());
  }

  @Test
  void a_proxy_leads_to_servers_elsewhere_and_the_pin_holds_through_it() throws Exception {
    Identity identity = selfSigned();
    int port = secure(identity).url().getPort();
    try (ConnectProxy proxy = new ConnectProxy();
        PoolHttp http =
            new PoolHttp(
                List.of(URI.create("https://pool.example:" + port)),
                "secret",
                identity.fingerprint(),
                HttpProxies.all("http://127.0.0.1:" + proxy.address().getPort()))) {
      assertThat(get(http, "/x")).isEqualTo("bees");
      assertThat(proxy.asked()).containsExactly("pool.example:" + port);
    }
  }
}
