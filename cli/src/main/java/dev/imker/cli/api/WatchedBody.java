package dev.imker.cli.api;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * An answer that may go on for long. While nothing comes, its server is asked whether it is there;
 * if not, whoever reads hears so by a {@link StandsStillException}.
 */
final class WatchedBody extends FilterInputStream {
  private final String server;
  private final Thread watch;
  private volatile long waitingSinceNanos;
  private volatile boolean waiting;
  private volatile boolean silent;

  /**
   * @param lookAfter how long nothing may come without a question
   * @param isThere asks the server
   */
  WatchedBody(String server, InputStream body, Duration lookAfter, BooleanSupplier isThere) {
    super(body);
    this.server = server;
    watch = Thread.ofVirtual().name("imker-watch").start(() -> watch(lookAfter, isThere));
  }

  private void watch(Duration lookAfter, BooleanSupplier isThere) {
    try {
      while (true) {
        Thread.sleep(lookAfter);
        long since = waitingSinceNanos;
        if (hasWaited(since, lookAfter) && !isThere.getAsBoolean() && hasWaited(since, lookAfter)) {
          silent = true;
          in.close();
          return;
        }
      }
    } catch (InterruptedException | IOException e) {
      Thread.currentThread().interrupt(); // nobody reads any more
    }
  }

  /** Whether somebody has waited for long since then, and still does. */
  private boolean hasWaited(long sinceNanos, Duration lookAfter) {
    return waiting
        && waitingSinceNanos == sinceNanos
        && System.nanoTime() - sinceNanos >= lookAfter.toNanos();
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] to, int offset, int length) throws IOException {
    waitingSinceNanos = System.nanoTime();
    waiting = true;
    try {
      int count = in.read(to, offset, length);
      if (silent) {
        throw new StandsStillException(server);
      }
      return count;
    } catch (IOException e) {
      throw silent ? new StandsStillException(server) : e;
    } finally {
      waiting = false;
    }
  }

  @Override
  public void close() throws IOException {
    watch.interrupt();
    super.close();
  }
}
