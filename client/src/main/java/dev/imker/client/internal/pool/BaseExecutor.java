package dev.imker.client.internal.pool;

import dev.imker.client.executor.Actor;
import dev.imker.client.executor.Applied;
import dev.imker.client.executor.ExecutorOptions;
import dev.imker.client.executor.ImkerExecutor;
import dev.imker.tasks.RemoteCallable;
import dev.imker.tasks.RemoteFunction;
import dev.imker.tasks.RemoteRunnable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletableFuture.AsynchronousCompletionTask;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What executors have in common: all but where a call is made. */
public abstract class BaseExecutor extends AbstractExecutorService implements ImkerExecutor {
  /**
   * The future that this thread has asked for and not yet executed: an {@link
   * java.util.concurrent.ExecutorCompletionService} wraps it in a task that nobody can look into.
   */
  private static final ThreadLocal<@Nullable RemoteFuture<?>> MADE = new ThreadLocal<>();

  private static final Pattern ACTOR_NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");

  private final List<Mailbox<?>> actors = new CopyOnWriteArrayList<>();

  /**
   * Takes a call; its future is completed later.
   *
   * @throws java.util.concurrent.RejectedExecutionException if it cannot be made
   */
  public abstract void enqueue(RemoteFuture<?> future);

  private <T extends @Nullable Object> RemoteFuture<T> begin(Object call) {
    return begin(new RemoteFuture<T>(call));
  }

  private <T extends @Nullable Object> RemoteFuture<T> begin(RemoteFuture<T> future) {
    enqueue(future);
    return future;
  }

  /** Makes the calls of an actor of this executor. */
  protected abstract <T> Mailbox.Turns<T> turns(String name, RemoteCallable<T> factory);

  /** With a limit each call is a turn of its own, so that it has the limit for itself. */
  protected abstract int maxCallsOfTurn();

  @Override
  public <T> Actor<T> actor(String name, RemoteCallable<T> factory) {
    if (!ACTOR_NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "'%s' is not a valid actor name: use up to 64 letters, digits, '_' and '-'."
              .formatted(name));
    }
    Mailbox<T> actor =
        new Mailbox<>(name, turns(name, factory), RemoteFuture.loader(factory), maxCallsOfTurn());
    actors.add(actor);
    return actor;
  }

  @Override
  public void close() {
    try {
      for (Mailbox<?> actor : actors) {
        actor.awaitEmpty();
      }
    } catch (InterruptedException e) {
      shutdownNow();
      Thread.currentThread().interrupt();
    }
    super.close();
  }

  @Override
  public <T extends @Nullable Object> CompletableFuture<T> submitWith(
      ExecutorOptions options, RemoteCallable<T> call) {
    return begin(new RemoteFuture<T>(call, null, options));
  }

  @Override
  public <T extends @Nullable Object> CompletableFuture<T> submit(RemoteRunnable call, T result) {
    return begin(new RemoteFuture<>(call, result, null));
  }

  @Override
  public <T extends @Nullable Object> List<Future<T>> invokeAll(List<RemoteCallable<T>> calls)
      throws InterruptedException {
    return invokeAll((Collection<RemoteCallable<T>>) calls);
  }

  @Override
  public <T extends @Nullable Object> List<Future<T>> invokeAll(
      List<RemoteCallable<T>> calls, long timeout, TimeUnit unit) throws InterruptedException {
    return invokeAll((Collection<RemoteCallable<T>>) calls, timeout, unit);
  }

  @Override
  public <T extends @Nullable Object> T invokeAny(List<RemoteCallable<T>> calls)
      throws InterruptedException, ExecutionException {
    return invokeAny((Collection<RemoteCallable<T>>) calls);
  }

  @Override
  public <T extends @Nullable Object> T invokeAny(
      List<RemoteCallable<T>> calls, long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    return invokeAny((Collection<RemoteCallable<T>>) calls, timeout, unit);
  }

  @Override
  public <T extends @Nullable Object> T call(RemoteCallable<T> call) throws Exception {
    CompletableFuture<T> future = submit(call);
    try {
      return future.get();
    } catch (InterruptedException e) {
      future.cancel(true);
      throw e;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  @Override
  public <T extends @Nullable Object> CompletableFuture<T> submit(RemoteCallable<T> call) {
    return begin(call);
  }

  @Override
  public CompletableFuture<?> submit(RemoteRunnable call) {
    return begin(call);
  }

  @Override
  public <T extends @Nullable Object> CompletableFuture<T> submit(Callable<T> call) {
    return begin(call);
  }

  @Override
  public CompletableFuture<?> submit(Runnable call) {
    return begin(call);
  }

  @Override
  public <T extends @Nullable Object> CompletableFuture<T> submit(Runnable call, T result) {
    return begin(new RemoteFuture<>(call, result, null));
  }

  @Override
  public void execute(RemoteRunnable call) {
    var _ = submit(call);
  }

  @Override
  public void execute(Runnable call) {
    RemoteFuture<?> wrapped = MADE.get();
    MADE.remove();
    if (call instanceof RemoteFuture<?> future) {
      enqueue(future);
    } else if (call instanceof FutureTask<?> && wrapped != null) {
      var _ = wrapped.whenComplete((_, _) -> call.run());
      enqueue(wrapped);
    } else if (call instanceof AsynchronousCompletionTask || call instanceof FutureTask<?>) {
      throw new RejectedExecutionException(
          "%s wraps the function so that it cannot be sent. Use submit(…) of the executor, which returns a CompletableFuture."
              .formatted(
                  call instanceof FutureTask<?>
                      ? "A FutureTask"
                      : "CompletableFuture.supplyAsync (or another …Async method)"));
    } else {
      var _ = submit(call);
    }
  }

  @Override
  protected <T extends @Nullable Object> RunnableFuture<T> newTaskFor(Callable<T> call) {
    return remember(new RemoteFuture<>(call));
  }

  @Override
  protected <T extends @Nullable Object> RunnableFuture<T> newTaskFor(Runnable call, T value) {
    return remember(new RemoteFuture<>(call, value, null));
  }

  private <T extends @Nullable Object> RunnableFuture<T> remember(RemoteFuture<T> future) {
    MADE.set(future);
    return future;
  }

  @Override
  public <A extends @Nullable Object, B extends @Nullable Object> CompletableFuture<B> apply(
      RemoteFunction<A, B> function, A argument) {
    return begin(new RemoteFuture.Application(function, argument));
  }

  // ------------------------------------------------------------------ the first that succeeds

  @Override
  public <T extends @Nullable Object> T invokeAny(Collection<? extends Callable<T>> calls)
      throws InterruptedException, ExecutionException {
    try {
      return invokeAny(calls, Long.MAX_VALUE, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new IllegalStateException("three hundred years have passed", e);
    }
  }

  @Override
  public <T extends @Nullable Object> T invokeAny(
      Collection<? extends Callable<T>> calls, long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException {
    if (calls.isEmpty()) {
      throw new IllegalArgumentException("no calls");
    }
    List<CompletableFuture<T>> futures = new ArrayList<>();
    CompletableFuture<T> first = new CompletableFuture<>();
    try {
      for (Callable<T> call : calls) {
        CompletableFuture<T> future = begin(call);
        futures.add(future);
        var _ = future.thenAccept(first::complete);
      }
      var _ =
          CompletableFuture.allOf(futures.toArray(CompletableFuture<?>[]::new))
              .exceptionally(
                  failure -> {
                    first.completeExceptionally(unwrapped(failure));
                    return null;
                  });
      return first.get(timeout, unit);
    } finally {
      futures.forEach(future -> future.cancel(true));
    }
  }

  private static Throwable unwrapped(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  // ------------------------------------------------------------------ functions

  @Override
  public <A extends @Nullable Object, B extends @Nullable Object> Stream<B> map(
      Stream<A> elements, RemoteFunction<A, B> function) {
    return new OrderedMap<>(this, elements, function).stream();
  }

  @Override
  public <A extends @Nullable Object, B extends @Nullable Object> List<B> map(
      Collection<A> elements, RemoteFunction<A, B> function) {
    List<CompletableFuture<B>> futures = new ArrayList<>(elements.size());
    for (A element : elements) {
      futures.add(apply(function, element));
    }
    List<B> results = new ArrayList<>(futures.size());
    for (CompletableFuture<B> future : futures) {
      results.add(OrderedMap.joined(future));
    }
    return results;
  }

  @Override
  public <A, B extends @Nullable Object> Flow.Publisher<Applied<A, B>> publish(
      Iterable<A> elements, RemoteFunction<A, B> function) {
    return subscriber ->
        new MapSubscription<>(this, elements.iterator(), function, subscriber).begin();
  }
}
