package dev.imker.server.internal.settings;

import dev.imker.store.StoreException;
import java.time.Clock;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The limit of requests as it was set some seconds ago: asking costs nobody a look at the disk. */
public final class RequestRate implements IntSupplier {
  private static final Logger LOG = LoggerFactory.getLogger(RequestRate.class);
  private static final String NAME = "http.requests-per-second";
  private static final int USUAL = 1000;
  private static final long AGE_MILLIS = 2000;

  private final PoolSettings settings;
  private final Clock clock;
  private final AtomicLong readMillis = new AtomicLong(Long.MIN_VALUE);
  private volatile int value = USUAL;

  public RequestRate(PoolSettings settings, Clock clock) {
    this.settings = settings;
    this.clock = clock;
  }

  @Override
  public int getAsInt() {
    long now = clock.millis();
    long last = readMillis.get();
    if ((last == Long.MIN_VALUE || now - last > AGE_MILLIS)
        && readMillis.compareAndSet(last, now)) {
      Thread.ofVirtual().name("imker-rate").start(this::read);
    }
    return value;
  }

  private void read() {
    try {
      value = settings.get(NAME).map(Integer::parseInt).orElse(USUAL);
    } catch (StoreException e) {
      LOG.debug("The request limit cannot be read, keeping the current one: {}", e.getMessage());
    }
  }
}
