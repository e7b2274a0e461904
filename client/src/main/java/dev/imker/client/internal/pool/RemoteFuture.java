package dev.imker.client.internal.pool;

import dev.imker.client.executor.ExecutorOptions;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RunnableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The result of a call in the pool.
 *
 * @param <T> of the result
 */
public final class RemoteFuture<T extends @Nullable Object> extends CompletableFuture<T>
    implements RunnableFuture<T> {
  private final Object call;
  private final @Nullable T result;
  private final @Nullable ExecutorOptions options;
  private volatile @Nullable CallBatch batch;
  private volatile int position;

  /** Where it is made, if that is in this program. */
  private @Nullable Thread thread;

  /**
   * @param call a Callable, a Runnable, or an {@link Application}
   */
  RemoteFuture(Object call) {
    this(call, null, null);
  }

  /**
   * @param result what it completes with, whatever the call returns; null for what that returns
   * @param options in place of those of the executor; null for these
   */
  RemoteFuture(Object call, @Nullable T result, @Nullable ExecutorOptions options) {
    this.call = call;
    this.result = result;
    this.options = options;
  }

  /** How it is treated, if not as all calls of its executor. */
  public ExecutorOptions optionsOr(ExecutorOptions usual) {
    return options == null ? usual : options;
  }

  /** A function and what it is applied to. */
  public record Application(Object function, @Nullable Object argument) {}

  public Object call() {
    return call;
  }

  /** Where the classes of a call's values are found. */
  public static ClassLoader loader(Object call) {
    Object code = call instanceof Application(Object function, var _) ? function : call;
    ClassLoader loader = code.getClass().getClassLoader();
    return loader == null ? ClassLoader.getSystemClassLoader() : loader;
  }

  /** It is the n-th call of a batch now. */
  void joined(CallBatch into, int n) {
    position = n; // first: whoever sees the batch is to see the place in it
    batch = into;
  }

  /** The call is made on this thread from now on; false if nobody wants it any more. */
  public synchronized boolean begin(Thread on) {
    thread = on;
    return !isDone();
  }

  /** The thread has other things to do from now on. */
  public synchronized void end() {
    thread = null;
    var _ = Thread.interrupted();
  }

  private synchronized void interrupt() {
    if (thread != null) {
      thread.interrupt();
    }
  }

  /** The call is made elsewhere; there is nothing to do here. */
  @Override
  public void run() {}

  @Override
  public boolean cancel(boolean mayInterruptIfRunning) {
    boolean cancelled = super.cancel(mayInterruptIfRunning);
    CallBatch in = batch;
    if (cancelled && in != null) {
      in.cancelled(position);
    }
    if (cancelled && mayInterruptIfRunning) {
      interrupt();
    }
    return cancelled;
  }

  @SuppressWarnings("unchecked")
  public void completeWith(@Nullable Object value) {
    complete(result == null ? (T) value : result);
  }
}
