package dev.imker.client.internal.local;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A fixed number of threads that work. One that waits for what others do is made up for by a
 * further one, so that those it waits for can run.
 */
public final class LocalThreads extends ThreadPoolExecutor {
  /** Something to wait for. */
  interface Wait<T, E extends Exception> {
    T get() throws E, InterruptedException;
  }

  public LocalThreads(int threads, String name) {
    super(
        threads,
        threads,
        0,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(),
        Thread.ofPlatform().daemon().name(name, 1).factory());
  }

  <T, E extends Exception> T waiting(Wait<T, E> wait) throws E, InterruptedException {
    more(1);
    try {
      return wait.get();
    } finally {
      more(-1);
    }
  }

  private synchronized void more(int threads) {
    int next = getCorePoolSize() + threads;
    if (threads > 0) {
      setMaximumPoolSize(next);
      setCorePoolSize(next);
    } else {
      setCorePoolSize(next);
      setMaximumPoolSize(next);
    }
  }
}
