package dev.imker.server.commands;

import dev.imker.server.loop.PoolUnavailableException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for the loop, on a virtual thread. */
public final class Await {
  private static final long PATIENCE_SECONDS = 60;

  private Await() {}

  public static <T> T answer(CompletableFuture<T> future) throws InterruptedException {
    try {
      return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new IllegalStateException(e.getCause());
    } catch (TimeoutException e) {
      throw new PoolUnavailableException("The server did not answer in time; try again later.", e);
    }
  }
}
