package dev.imker.cli.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.imker.client.context.NoServerException;
import dev.imker.client.context.PoolContext;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a command that waits does while the pool cannot answer. */
class OutagesTest {
  private static final int NO_ANSWER = 0;
  private static final String WRITTEN = "first line\nsecond line\n";

  private final Queue<Integer> answers = new ArrayDeque<>();
  private final List<String> asked = new ArrayList<>();
  private final StringWriter said = new StringWriter();
  private int attempt = 1;
  private int cutAfter = WRITTEN.length();
  private HttpServer server;
  private ApiClient connection;
  private ApiClient patient;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.createContext("/api/v1/tasks/7.1/stdout", this::answerOutput);
    server.start();
    URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    connection = new ApiClient(new PoolContext(url, "token", ""));
    patient = connection.patient(new PrintWriter(said, true));
  }

  @AfterEach
  void stop() {
    connection.close();
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    asked.add(exchange.getRequestMethod());
    Integer next = answers.poll();
    if (next != null && next == NO_ANSWER) {
      exchange.close();
      return;
    }
    send(
        exchange,
        next == null ? 200 : next,
        next == null
            ? "{\"parts\":[],\"attemptHistory\":[{\"number\":" + attempt + "}]}"
            : "{\"error\":{\"code\":\"x\",\"message\":\"status " + next + ".\"}}");
  }

  /** As a server does: from an offset on, which counts in one attempt only. */
  private void answerOutput(HttpExchange exchange) throws IOException {
    String query = exchange.getRequestURI().getQuery();
    asked.add(query);
    int offset = Integer.parseInt(query.replaceAll(".*offset=(\\d+).*", "$1"));
    byte[] rest = WRITTEN.substring(offset).getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, rest.length);
    exchange.getResponseBody().write(rest, 0, Math.min(cutAfter, rest.length));
    exchange.getResponseBody().flush();
    exchange.close();
    cutAfter = WRITTEN.length();
  }

  private static void send(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @Test
  void a_pool_that_cannot_answer_when_the_command_begins_is_waited_for_and_that_is_said_once() {
    answers.addAll(List.of(503, 503, 502, NO_ANSWER, NO_ANSWER, 504));
    assertThat(patient.get("/api/v1/select?q=7").has("parts")).isTrue();
    assertThat(said.toString())
        .isEqualToIgnoringNewLines("imker: status 503. Waiting for the pool to answer.");
  }

  @Test
  void each_outage_is_told() {
    answers.add(503);
    patient.get("/api/v1/select?q=7");
    answers.add(504);
    patient.get("/api/v1/select?q=7");
    assertThat(said.toString()).contains("status 503.", "status 504.").hasLineCount(2);
  }

  @Test
  void a_server_that_never_answered_is_not_waited_for() {
    answers.addAll(Collections.nCopies(9, NO_ANSWER)); // Java itself asks again
    assertThatThrownBy(() -> patient.get("/api/v1/select?q=7"))
        .isInstanceOf(NoServerException.class);
  }

  @Test
  void a_refusal_is_not_waited_for() {
    answers.add(404);
    assertThatThrownBy(() -> patient.get("/api/v1/select?q=7")).isInstanceOf(ApiException.class);
  }

  @Test
  void who_does_not_wait_for_jobs_does_not_wait_for_the_pool() {
    answers.add(503);
    assertThatThrownBy(() -> connection.get("/api/v1/select?q=7"))
        .isInstanceOfSatisfying(
            ApiException.class, refusal -> assertThat(refusal.isPoolAway()).isTrue());
  }

  @Test
  void what_would_be_done_twice_is_not_asked_again() {
    answers.addAll(List.of(503, 503));
    assertThatThrownBy(() -> patient.post("/api/v1/jobs", Map.of()))
        .isInstanceOf(ApiException.class);
    assertThat(asked).hasSize(1);
    patient.postRepeatably("/api/v1/jobs/7/cancel", Map.of());
    assertThat(asked).hasSize(3);
  }

  @Test
  void output_goes_on_where_it_was_cut_off() {
    cutAfter = 5;
    assertThat(follow()).isEqualTo(WRITTEN);
    assertThat(asked).contains("offset=0&follow=true&attempt=1", "offset=5&follow=true&attempt=1");
  }

  @Test
  void output_of_another_attempt_is_shown_from_its_beginning() {
    cutAfter = 5;
    server.removeContext("/api/v1/tasks/7.1/stdout");
    server.createContext(
        "/api/v1/tasks/7.1/stdout",
        exchange -> {
          answerOutput(exchange);
          attempt = 2;
        });
    assertThat(follow()).isEqualTo("first" + WRITTEN);
    assertThat(asked).contains("offset=0&follow=true&attempt=2");
  }

  private String follow() {
    ByteArrayOutputStream shown = new ByteArrayOutputStream();
    new TaskOutput(patient, "7.1", "stdout", true).copyTo(shown);
    return shown.toString(StandardCharsets.UTF_8);
  }
}
