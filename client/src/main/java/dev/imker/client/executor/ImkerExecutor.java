package dev.imker.client.executor;

import dev.imker.tasks.Blackboard;
import dev.imker.tasks.RemoteCallable;
import dev.imker.tasks.RemoteFunction;
import dev.imker.tasks.RemoteRunnable;
import dev.imker.tasks.coordination.Coordination;
import dev.imker.tasks.values.Shared;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An {@link ExecutorService} whose threads are the machines of a pool. Calls are lambdas, method
 * references or records; what they capture and return are records, texts, numbers, collections of
 * them, and the like. Their code is sent automatically.
 *
 * <p>A call may be executed more than once: when a machine is lost, another one repeats it. If
 * something cannot be sent, {@code submit} throws a {@link
 * java.util.concurrent.RejectedExecutionException} with the reason. A call that threw completes its
 * future with an exception of the same class, with the remote stack trace and causes, or with a
 * {@link RemoteFailureException} if that cannot be created here. Submitted calls survive a restart
 * of the server, and end with the executor's {@link #shutdownNow}.
 */
public interface ImkerExecutor extends ExecutorService {
  /** The same as {@code submit(Callable)}; chosen for lambdas, which can travel this way. */
  <T extends @Nullable Object> CompletableFuture<T> submit(RemoteCallable<T> call);

  /** The same as {@code submit(Runnable)}; chosen for lambdas, which can travel this way. */
  CompletableFuture<?> submit(RemoteRunnable call);

  /** The same as {@code execute(Runnable)}; chosen for lambdas, which can travel this way. */
  void execute(RemoteRunnable call);

  /** The same as {@code submit(Runnable, T)}; chosen for lambdas, which can travel this way. */
  <T extends @Nullable Object> CompletableFuture<T> submit(RemoteRunnable call, T result);

  /**
   * Submits a call with its own needs, retries, limits, name or priority, in a task of its own.
   * Jars and files are those of the executor.
   */
  <T extends @Nullable Object> CompletableFuture<T> submitWith(
      ExecutorOptions options, RemoteCallable<T> call);

  /** The same as for other collections; chosen for {@code List.of(() -> a(), () -> b())}. */
  <T extends @Nullable Object> List<Future<T>> invokeAll(List<RemoteCallable<T>> calls)
      throws InterruptedException;

  /** The same as for other collections; chosen for {@code List.of(() -> a(), () -> b())}. */
  <T extends @Nullable Object> List<Future<T>> invokeAll(
      List<RemoteCallable<T>> calls, long timeout, TimeUnit unit) throws InterruptedException;

  /** The same as for other collections; chosen for {@code List.of(() -> a(), () -> b())}. */
  <T extends @Nullable Object> T invokeAny(List<RemoteCallable<T>> calls)
      throws InterruptedException, ExecutionException;

  /** The same as for other collections; chosen for {@code List.of(() -> a(), () -> b())}. */
  <T extends @Nullable Object> T invokeAny(
      List<RemoteCallable<T>> calls, long timeout, TimeUnit unit)
      throws InterruptedException, ExecutionException, TimeoutException;

  /**
   * Makes a call and waits for it; cancels it when the thread is interrupted. For virtual threads,
   * as in {@code scope.fork(() -> pool.call(() -> work()))} of a structured task scope.
   *
   * @throws Exception what the call threw
   */
  <T extends @Nullable Object> T call(RemoteCallable<T> call) throws Exception;

  /**
   * Sends a value to each machine once, however many calls use it: they capture the returned object
   * and get the value from it. A machine reads it once for all calls, which must not modify it.
   *
   * @throws java.util.concurrent.RejectedExecutionException if it cannot be sent
   */
  <T> Shared<T> share(T value);

  /** Small texts that this program shares with the tasks of the executor's project. */
  Blackboard blackboard();

  /**
   * Barriers, locks, queues and so on, shared by this program and the calls of this executor. Each
   * object returned by this method is a separate participant: threads that compete for a lock need
   * one each. A program that has been unreachable for half a minute no longer counts, like a dead
   * task.
   */
  Coordination coordination();

  /** Applies a function to an argument. */
  <A extends @Nullable Object, B extends @Nullable Object> CompletableFuture<B> apply(
      RemoteFunction<A, B> function, A argument);

  /**
   * Applies a function to every element; results have the order of the elements. Only a bounded
   * number of elements is in progress: reading the results slowly slows down the reading of the
   * elements.
   *
   * @throws RuntimeException while the results are read, if the function threw it; checked
   *     exceptions are wrapped in a {@link java.util.concurrent.CompletionException}
   */
  <A extends @Nullable Object, B extends @Nullable Object> Stream<B> map(
      Stream<A> elements, RemoteFunction<A, B> function);

  /** The same for a collection, all at once. */
  <A extends @Nullable Object, B extends @Nullable Object> List<B> map(
      Collection<A> elements, RemoteFunction<A, B> function);

  /**
   * Applies a function to every element in one job that outlives this program, with one task per
   * element. Submitting it again under the same key with the same elements and code, from this
   * program or a later run, returns the same job; {@link dev.imker.client.Imker#attach} finds it by
   * its key.
   *
   * @param key unique among the jobs of the user
   * @throws java.util.concurrent.RejectedExecutionException if a part of it cannot be sent
   * @throws dev.imker.model.ImkerException if another job has the key
   */
  <A extends @Nullable Object, B extends @Nullable Object> JobHandle<List<B>> mapDurably(
      String key, Collection<A> elements, RemoteFunction<A, B> function);

  /**
   * The actor with the given name in the project of this executor; created with its first call.
   *
   * @param name of letters, digits, '_' and '-'
   * @param factory creates the object whose stored fields are then set, such as {@code
   *     Counter::new}
   */
  <T> Actor<T> actor(String name, RemoteCallable<T> factory);

  /**
   * Applies a function to every element; results are delivered as they become available, at the
   * pace of the subscriber's requests. For a single subscriber.
   */
  <A, B extends @Nullable Object> Flow.Publisher<Applied<A, B>> publish(
      Iterable<A> elements, RemoteFunction<A, B> function);
}
