package dev.imker.agent.internal.cache;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HTTP requests that always end. A server that stands still or lost power keeps its connections
 * open, and TCP waits for it for a quarter of an hour; so every exchange under way is looked at
 * several times a second, and broken off with an {@link IOException} when no byte has moved for too
 * long, or when the agent has gone to another server meanwhile. A transfer may take as long as it
 * likes while bytes move.
 */
final class Exchanges implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Exchanges.class);
  private static final Duration LOOK_INTERVAL = Duration.ofMillis(200);

  /** Without a connection to the server so little silence is enough to believe it gone. */
  private static final Duration MAX_SILENCE_OFFLINE = Duration.ofSeconds(3);

  private final HttpClient http;
  private final ServerAccess server;
  private final Set<Exchange> underWay = ConcurrentHashMap.newKeySet();
  private final Future<?> watch;

  Exchanges(HttpClient http, ServerAccess server) {
    this.http = http;
    this.server = server;
    this.watch =
        ForkJoinPool.commonPool()
            .scheduleWithFixedDelay(
                this::look,
                LOOK_INTERVAL.toMillis(),
                LOOK_INTERVAL.toMillis(),
                TimeUnit.MILLISECONDS);
  }

  /** The whole answer. */
  HttpResponse<byte[]> send(
      ServerAccess.Access to, HttpRequest.Builder request, Duration maxSilence)
      throws IOException, InterruptedException {
    Exchange exchange = new Exchange(to, maxSilence);
    try {
      return exchange.answer(request, BodyHandlers.ofByteArray());
    } finally {
      exchange.end();
    }
  }

  /** The head of an answer; its body is read by the caller, who has to close it. */
  HttpResponse<InputStream> open(
      ServerAccess.Access to, HttpRequest.Builder request, Duration maxSilence)
      throws IOException, InterruptedException {
    Exchange exchange = new Exchange(to, maxSilence);
    boolean opened = false;
    try {
      HttpResponse<InputStream> answer = exchange.answer(request, exchange::body);
      opened = true;
      return answer;
    } finally {
      if (!opened) {
        exchange.end();
      }
    }
  }

  private void look() {
    for (Exchange exchange : underWay) {
      try {
        exchange.breakOffIfDead();
      } catch (RuntimeException e) { // the next look must not be the last
        LOG.warn("A request to {} could not be broken off", exchange.to.base(), e);
      }
    }
  }

  @Override
  public void close() {
    watch.cancel(false);
    underWay.forEach(exchange -> exchange.breakOff("the agent stops"));
    http.shutdownNow();
  }

  private final class Exchange {
    private final ServerAccess.Access to;
    private final long maxSilenceNanos;
    private volatile long movedNanos = System.nanoTime();
    private volatile String brokenOff = "";
    private volatile @Nullable CompletableFuture<?> answer;
    private volatile @Nullable InputStream content;
    private volatile boolean reading;

    Exchange(ServerAccess.Access to, Duration maxSilence) {
      this.to = to;
      this.maxSilenceNanos = maxSilence.toNanos();
      underWay.add(this);
    }

    <T> HttpResponse<T> answer(HttpRequest.Builder request, BodyHandler<T> handler)
        throws IOException, InterruptedException {
      HttpRequest plain = request.build();
      HttpRequest counted =
          plain
              .bodyPublisher()
              .map(body -> request.method(plain.method(), new Counted(body)).build())
              .orElse(plain);
      CompletableFuture<HttpResponse<T>> sent = http.sendAsync(counted, handler);
      answer = sent;
      try {
        return sent.get();
      } catch (CancellationException e) {
        throw new IOException(brokenOff, e);
      } catch (ExecutionException e) {
        throw e.getCause() instanceof IOException failure
            ? failure
            : new IOException(String.valueOf(e.getCause()), e);
      } finally {
        sent.cancel(true); // no effect on one that is there
      }
    }

    HttpResponse.BodySubscriber<InputStream> body(HttpResponse.ResponseInfo head) {
      moved();
      return HttpResponse.BodySubscribers.mapping(
          HttpResponse.BodySubscribers.ofInputStream(), Guarded::new);
    }

    void moved() {
      movedNanos = System.nanoTime();
    }

    void breakOffIfDead() {
      long silentNanos = System.nanoTime() - movedNanos;
      long enoughNanos =
          server.isReachable()
              ? maxSilenceNanos
              : Math.min(maxSilenceNanos, MAX_SILENCE_OFFLINE.toNanos());
      if (server.isElsewhereThan(to)) {
        breakOff("the agent has gone from " + to.base() + " to another server");
      } else if (silentNanos > enoughNanos && (content == null || reading)) {
        breakOff(
            "%s has been silent for %d s"
                .formatted(to.base(), TimeUnit.NANOSECONDS.toSeconds(silentNanos)));
      }
    }

    void breakOff(String why) {
      brokenOff = why;
      CompletableFuture<?> waiting = answer;
      if (waiting != null) {
        waiting.cancel(true);
      }
      InputStream read = content;
      if (read != null) {
        try {
          read.close();
        } catch (IOException e) {
          return; // whoever reads it sees why it ended
        }
      }
    }

    void end() {
      underWay.remove(this);
    }

    /** The body of an answer, whose reader sees at its end that it was broken off. */
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
        moved(); // the time that the reader took for itself is not the server's
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
        end();
        super.close();
      }
    }

    /** The body of a request; every part that the connection has taken is progress. */
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
