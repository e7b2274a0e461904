package dev.imker.model.http;

import dev.imker.model.connection.PinnedCertificate;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/**
 * HTTP requests that always end. The connections of a server that hangs or lost power stay open,
 * and TCP waits a quarter of an hour. So every exchange is checked several times a second, and
 * aborted with an {@link IOException} when no byte has been transferred for too long, or when its
 * {@link Liveness} says so. A transfer may take any time while bytes move.
 *
 * <p>Nothing here uses the common pool, which {@link HttpClient#sendAsync} needs to deliver
 * answers: a program may block all of its threads waiting for the results of these requests.
 */
public final class HttpExchanges implements AutoCloseable {
  private static final Duration LOOK_INTERVAL = Duration.ofMillis(200);

  /** Another indication, besides silence, that a server will not answer. */
  public interface Liveness {
    /**
     * Called several times a second while an answer is awaited; must not block.
     *
     * @param silence how long no byte has been transferred
     * @return why the exchange has to be aborted; empty to continue waiting
     */
    String whyDead(Duration silence);
  }

  private final HttpClient http;
  private final Set<Exchange> underWay = ConcurrentHashMap.newKeySet();
  private final Thread watch;
  private volatile boolean closed;

  /**
   * @param fingerprint of the only certificate that is trusted; empty to trust what Java trusts
   * @param proxies which proxy leads to a server; null for those of the whole process
   */
  public HttpExchanges(
      String fingerprint, @Nullable ProxySelector proxies, Duration connectPatience) {
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(connectPatience)
            .executor(Executors.newVirtualThreadPerTaskExecutor());
    if (!fingerprint.isEmpty()) {
      builder.sslContext(PinnedCertificate.context(fingerprint));
    }
    if (proxies != null) {
      builder.proxy(proxies);
    }
    this.http = builder.build();
    this.watch = Thread.ofVirtual().name("imker-http-watch").start(this::watch);
  }

  private void watch() {
    try {
      while (true) {
        Thread.sleep(LOOK_INTERVAL);
        underWay.forEach(Exchange::breakOffIfDead);
      }
    } catch (InterruptedException e) {
      return; // closed
    }
  }

  public Answer send(HttpRequest request, Duration maxSilence, Liveness liveness)
      throws IOException, InterruptedException {
    HttpResponse<InputStream> answer = open(request, maxSilence, liveness);
    try (InputStream body = answer.body()) {
      return new Answer(answer.statusCode(), answer.headers(), body.readAllBytes());
    }
  }

  /** The status and headers of an answer; the caller reads and has to close its body. */
  public HttpResponse<InputStream> open(HttpRequest request, Duration maxSilence, Liveness liveness)
      throws IOException, InterruptedException {
    Exchange exchange = new Exchange(request.uri(), maxSilence, liveness);
    boolean opened = false;
    try {
      HttpResponse<InputStream> answer = exchange.answer(request);
      opened = true;
      return answer;
    } finally {
      if (!opened) {
        underWay.remove(exchange);
      }
    }
  }

  /** The status of the answer to a small request that is not monitored. */
  CompletableFuture<Integer> ask(HttpRequest question, Duration within) {
    HttpRequest bounded = HttpRequest.newBuilder(question, (_, _) -> true).timeout(within).build();
    CompletableFuture<Integer> status = new CompletableFuture<>();
    Thread.startVirtualThread(
        () -> {
          try {
            status.complete(
                http.send(bounded, HttpResponse.BodyHandlers.discarding()).statusCode());
          } catch (IOException | InterruptedException | RuntimeException e) {
            status.completeExceptionally(e);
          }
        });
    return status;
  }

  boolean isClosed() {
    return closed;
  }

  @Override
  public void close() {
    closed = true;
    watch.interrupt();
    underWay.forEach(exchange -> exchange.breakOff("the connection was closed here"));
    http.shutdownNow();
  }

  private final class Exchange {
    private final URI target;
    private final long maxSilenceNanos;
    private final Liveness liveness;
    private volatile long movedNanos = System.nanoTime();
    private volatile String brokenOff = "";
    private volatile @Nullable Future<?> answer;
    private volatile @Nullable InputStream content;
    private volatile boolean reading;

    Exchange(URI target, Duration maxSilence, Liveness liveness) {
      this.target = target;
      this.maxSilenceNanos = maxSilence.toNanos();
      this.liveness = liveness;
      underWay.add(this);
    }

    HttpResponse<InputStream> answer(HttpRequest request) throws IOException, InterruptedException {
      HttpRequest counted =
          request
              .bodyPublisher()
              .map(
                  body ->
                      HttpRequest.newBuilder(request, (_, _) -> true)
                          .method(request.method(), new Counted(body))
                          .build())
              .orElse(request);
      if (closed) {
        throw new IOException("the connection was closed here");
      }
      FutureTask<HttpResponse<InputStream>> sent =
          new FutureTask<>(() -> http.send(counted, this::body));
      answer = sent;
      Thread.startVirtualThread(sent);
      try {
        return sent.get();
      } catch (CancellationException e) {
        throw new IOException(brokenOff, e);
      } catch (ExecutionException e) {
        throw e.getCause() instanceof IOException failure
            ? failure
            : new IOException(String.valueOf(e.getCause()), e);
      } finally {
        sent.cancel(true); // no effect if it is there
      }
    }

    private HttpResponse.BodySubscriber<InputStream> body(HttpResponse.ResponseInfo head) {
      moved();
      return HttpResponse.BodySubscribers.mapping(
          HttpResponse.BodySubscribers.ofInputStream(), Guarded::new);
    }

    void moved() {
      movedNanos = System.nanoTime();
    }

    void breakOffIfDead() {
      if (content != null && !reading) {
        return; // the reader is slow
      }
      Duration silence = Duration.ofNanos(System.nanoTime() - movedNanos);
      String why;
      try {
        why = liveness.whyDead(silence);
      } catch (RuntimeException e) { // affects this exchange only, not the checks of all others
        why = e.toString();
      }
      if (!why.isEmpty()) {
        breakOff(why);
      } else if (silence.toNanos() > maxSilenceNanos) {
        breakOff(
            "%s://%s has been silent for %d s"
                .formatted(target.getScheme(), target.getRawAuthority(), silence.toSeconds()));
      }
    }

    void breakOff(String why) {
      brokenOff = why;
      Future<?> waiting = answer;
      if (waiting != null) {
        waiting.cancel(true);
      }
      InputStream read = content;
      if (read != null) {
        try {
          read.close();
        } catch (IOException e) {
          return; // the reader sees why it ended
        }
      }
    }

    /** The body of an answer; its reader gets an exception if it was aborted. */
    private final class Guarded extends FilterInputStream {
      Guarded(InputStream body) {
        super(body);
        content = body;
      }

      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] to, int offset, int length) throws IOException {
        moved(); // time taken by the reader does not count
        reading = true;
        try {
          int count = in.read(to, offset, length);
          moved();
          if (!brokenOff.isEmpty()) {
            throw new IOException(brokenOff);
          }
          return count;
        } catch (IOException e) {
          throw brokenOff.isEmpty() ? e : new IOException(brokenOff, e);
        } finally {
          reading = false;
        }
      }

      @Override
      public void close() throws IOException {
        underWay.remove(Exchange.this);
        super.close();
      }
    }

    /** The body of a request; every part accepted by the connection counts as progress. */
    private final class Counted implements BodyPublisher {
      private final BodyPublisher body;

      Counted(BodyPublisher body) {
        this.body = body;
      }

      @Override
      public long contentLength() {
        return body.contentLength();
      }

      @Override
      public void subscribe(Flow.Subscriber<? super ByteBuffer> to) {
        body.subscribe(
            new Flow.Subscriber<>() {
              @Override
              public void onSubscribe(Flow.Subscription subscription) {
                to.onSubscribe(subscription);
              }

              @Override
              public void onNext(ByteBuffer part) {
                moved();
                to.onNext(part);
              }

              @Override
              public void onError(Throwable failure) {
                to.onError(failure);
              }

              @Override
              public void onComplete() {
                moved();
                to.onComplete();
              }
            });
      }
    }
  }
}
