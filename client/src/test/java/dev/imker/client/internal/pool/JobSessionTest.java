package dev.imker.client.internal.pool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.imker.client.context.PoolContext;
import dev.imker.client.internal.http.RestClient;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a client does about outcomes that it missed, with a server that answers as told. */
@SuppressWarnings("NullAway.Init") // set before each test
final class JobSessionTest {
  private static final int PATIENCE_SECONDS = 60;

  private HttpServer server;
  private final AtomicInteger asked = new AtomicInteger();
  private final CountDownLatch over = new CountDownLatch(1);

  /** How often the server is away when it is asked for the job, and what it says then. */
  private int aways;

  private int status = 200;

  private final CountDownLatch submitting = new CountDownLatch(1);

  /** Until then a submission is not answered. */
  private CompletableFuture<Boolean> answers = CompletableFuture.completedFuture(true);

  private final Queue<String> cancelled = new ConcurrentLinkedQueue<>();

  private static class Waiting implements Followed {
    final CompletableFuture<String> end = new CompletableFuture<>();

    @Override
    public void ended(Outcome outcome) {
      end.complete(outcome.state());
    }

    @Override
    public void settled(boolean allTold) {}

    @Override
    public boolean isOver() {
      return end.isDone();
    }

    @Override
    public void cancel() {
      end.cancel(false);
    }

    @Override
    public void fail(RuntimeException cause) {
      end.completeExceptionally(cause);
    }
  }

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/api/v1/pool", exchange -> answer(exchange, 200, "{}"));
    server.createContext("/api/v1/outcomes", this::stream);
    server.createContext("/api/v1/jobs", this::job);
    server.start();
  }

  @AfterEach
  void stop() {
    over.countDown();
    server.stop(0);
  }

  private static void answer(HttpExchange exchange, int status, String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    exchange.getRequestBody().readAllBytes();
    exchange.sendResponseHeaders(status, bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  /** Opens, and gives a sign of life whenever it was asked for the job in vain. */
  private void stream(HttpExchange exchange) throws IOException {
    exchange.sendResponseHeaders(200, 0);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write("event: open\ndata: {}\n\n".getBytes(UTF_8));
      out.flush();
      while (!over.await(20, TimeUnit.MILLISECONDS)) {
        out.write("event: alive\ndata: {}\n\n".getBytes(UTF_8));
        out.flush();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void job(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    if (path.endsWith("/cancel")) {
      cancelled.add(path);
      answer(exchange, 200, "{}");
    } else if (path.endsWith("/outcomes")) {
      answer(exchange, 200, "{\"outcomes\":[{\"number\":1,\"state\":\"DONE\"}]}");
    } else if (path.endsWith("/jobs")) {
      submitting.countDown();
      answers.join();
      answer(exchange, 201, "{\"id\":7}");
    } else if (asked.incrementAndGet() <= aways) {
      answer(exchange, 503, "{\"error\":{\"message\":\"away\"}}");
    } else {
      answer(exchange, status, "{\"settled\":\"now\"}");
    }
  }

  private String outcome() throws Exception {
    URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    RestClient rest = new RestClient(new PoolContext(url, "token", "")).within(Duration.ZERO);
    try (JobSession session = new JobSession(rest).start()) {
      Waiting waiting = new Waiting();
      session.submit("{}".getBytes(UTF_8), Map.of(), waiting);
      return waiting.end.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }

  @Test
  void a_pool_that_is_away_for_longer_than_a_request_lasts_is_asked_again() throws Exception {
    aways = 3;
    assertThat(outcome()).isEqualTo("DONE");
    assertThat(asked.get()).isGreaterThan(3);
  }

  @Test
  void a_job_that_is_being_submitted_when_the_program_closes_is_cancelled() throws Exception {
    closeWhileSubmitting(new Waiting());
    assertThat(cancelled).containsExactly("/api/v1/jobs/7/cancel");
  }

  @Test
  void a_job_that_outlives_its_program_goes_on_though_it_was_being_submitted() throws Exception {
    closeWhileSubmitting(
        new Waiting() {
          @Override
          public boolean endsWithProgram() {
            return false;
          }
        });
    assertThat(cancelled).isEmpty();
  }

  private void closeWhileSubmitting(Waiting waiting) throws Exception {
    answers = new CompletableFuture<>();
    URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    RestClient rest = new RestClient(new PoolContext(url, "token", "")).within(Duration.ZERO);
    JobSession session = new JobSession(rest).start();
    Thread.startVirtualThread(
        () -> {
          try {
            session.submit("{}".getBytes(UTF_8), Map.of(), waiting);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    submitting.await();
    Thread closing = Thread.startVirtualThread(session::close);
    assertThatThrownBy(() -> waiting.end.get(PATIENCE_SECONDS, TimeUnit.SECONDS))
        .isInstanceOf(CancellationException.class);
    answers.complete(true);
    closing.join();
  }

  @Test
  void a_job_that_the_pool_does_not_know_fails() {
    status = 404;
    assertThatThrownBy(this::outcome)
        .isInstanceOf(ExecutionException.class)
        .hasMessageContaining("The outcome of job 7 is unknown");
  }
}
