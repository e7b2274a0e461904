package dev.imker.model.http;

import java.security.SecureRandom;
import java.util.Deque;
import java.util.HexFormat;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Idempotency keys, with which a request is executed once however often it is sent: the name of a
 * channel and a number that grows with every request on it. A channel carries one request after the
 * other, so a server only has to keep the last answer of each.
 */
public final class RequestMarks {
  /** The header with the key. */
  public static final String HEADER = "Idempotency-Key";

  private static final int RANDOM_BYTES = 9;

  private final String prefix;
  private final AtomicInteger channels = new AtomicInteger();
  private final Deque<Mark> free = new ConcurrentLinkedDeque<>();

  public RequestMarks() {
    byte[] random = new byte[RANDOM_BYTES];
    new SecureRandom().nextBytes(random);
    prefix = HexFormat.of().formatHex(random);
  }

  /** For one request and its repetitions; to be closed after the last one. */
  public final class Mark implements AutoCloseable {
    private final int channel = channels.incrementAndGet();
    private long serial;

    /** The value of the header. */
    public String text() {
      return prefix + "-" + channel + ":" + serial;
    }

    @Override
    public void close() {
      free.push(this);
    }
  }

  /** For the next request. */
  public Mark next() {
    Mark mark = free.poll();
    if (mark == null) {
      mark = new Mark();
    }
    mark.serial++;
    return mark;
  }
}
