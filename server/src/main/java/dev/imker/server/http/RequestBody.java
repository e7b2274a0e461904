package dev.imker.server.http;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The body of a request as a blocking stream. At most a few buffers wait in memory: the connection
 * is read only as fast as the stream is.
 */
final class RequestBody extends InputStream {
  private static final int WINDOW = 8;

  /** A body of less than 100 KB may wait in memory. */
  private static final int SMALL_DIGITS = 5;

  private static final long PATIENCE_SECONDS = 60;

  /** Whoever sends less than this for long only keeps a connection and a thread. */
  private static final long MIN_BYTES_PER_SECOND = 100;

  private sealed interface Piece {
    record Data(Buffer buffer) implements Piece {}

    record End() implements Piece {}

    record Broken(Throwable cause) implements Piece {}
  }

  private final HttpServerRequest request;
  private final BlockingQueue<Piece> pieces = new LinkedBlockingQueue<>();
  private volatile boolean discarding;
  private boolean started;
  private volatile boolean ended;
  private Buffer current = Buffer.buffer();
  private int position;
  private long receivedBytes;
  private long waitedNanos;

  /** To be made on the event loop, before anything of the body was delivered. */
  RequestBody(HttpServerRequest request) {
    this.request = request;
    if (request.canUpgradeToWebSocket()) {
      ended = true;
      return;
    }
    request.pause();
    request.handler(this::data);
    request.endHandler(end -> pieces.add(new Piece.End()));
    request.exceptionHandler(cause -> pieces.add(new Piece.Broken(cause)));
    if (isSmall()) {
      started = true; // it is here, or will be before somebody could ask for it
      request.fetch(WINDOW);
    }
  }

  private boolean isSmall() {
    String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
    return length != null
        && length.length() <= SMALL_DIGITS
        && request.getHeader(HttpHeaders.EXPECT) == null;
  }

  private void data(Buffer buffer) {
    if (!discarding) {
      pieces.add(new Piece.Data(buffer));
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (position == current.length() && !next()) {
      return -1;
    }
    int count = Math.min(length, current.length() - position);
    current.getBytes(position, position + count, target, offset);
    position += count;
    return count;
  }

  private boolean next() throws IOException {
    if (ended) {
      return false;
    }
    demand();
    return switch (await()) {
      case Piece.Data data -> {
        current = data.buffer;
        position = 0;
        yield current.length() > 0 || next();
      }
      case Piece.End end -> {
        ended = true;
        yield false;
      }
      case Piece.Broken broken -> throw new IOException("the connection broke", broken.cause);
    };
  }

  private void demand() {
    if (started) {
      request.fetch(1);
      return;
    }
    started = true;
    if ("100-continue".equalsIgnoreCase(request.getHeader(HttpHeaders.EXPECT))) {
      request.response().writeContinue();
    }
    request.fetch(WINDOW);
  }

  private Piece await() throws IOException {
    try {
      long from = System.nanoTime();
      Piece piece = pieces.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
      waitedNanos += System.nanoTime() - from;
      if (piece == null) {
        throw ApiException.of(
            408, "timeout", "No data arrived for " + PATIENCE_SECONDS + " s; send the body again.");
      }
      if (piece instanceof Piece.Data(Buffer buffer)) {
        receivedBytes += buffer.length();
      }
      if (isTooSlow(receivedBytes, waitedNanos)) {
        throw ApiException.of(408, "timeout", "The body arrived too slowly; send it again.");
      }
      return piece;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while reading", e);
    }
  }

  /** Only the time counts in which nothing was there: not that of a server which is slow itself. */
  static boolean isTooSlow(long bytes, long waitedNanos) {
    long seconds = TimeUnit.NANOSECONDS.toSeconds(waitedNanos);
    return seconds >= PATIENCE_SECONDS && bytes < seconds * MIN_BYTES_PER_SECOND;
  }

  /** Whether something may still be on its way that nobody will read. */
  boolean isUnread() {
    return !ended && !request.isEnded();
  }

  /** Lets the rest run into the void, so that the connection can serve its next request. */
  void discard() {
    discarding = true;
    request.resume();
  }
}
