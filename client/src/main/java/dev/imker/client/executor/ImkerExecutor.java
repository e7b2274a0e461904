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
 * them, and the like. The code they need is sent along by itself.
 *
 * <p>A call may be made more than once: when a machine is lost, somebody else makes it again. Of
 * what cannot be sent, {@code submit} says so at once, by a {@link
 * java.util.concurrent.RejectedExecutionException} with the reason. A call that threw completes its
 * future with an exception of the same class, with the stack trace and the causes of there, or with
 * a {@link RemoteFailureException} where that cannot be made here. What was submitted survives a
 * restart of the server, and ends with the executor's {@link #shutdownNow}.
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
   * A call with needs, retries, limits, a name or a priority of its own, in a task of its own. Jars
   * and files are those of the executor.
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
   * Makes a call and waits for it; cancels it when the thread is interrupted meanwhile. For virtual
   * threads, as in {@code scope.fork(() -> pool.call(() -> work()))} of a structured task scope.
   *
   * @throws Exception what the call threw
   */
  <T extends @Nullable Object> T call(RemoteCallable<T> call) throws Exception;

  /**
   * Sends a value to the machines once, however many calls use it: those capture what this returns
   * and ask it for the value. On a machine it is read once for all calls, which must not change it.
   *
   * @throws java.util.concurrent.RejectedExecutionException if it cannot travel
   */
  <T> Shared<T> share(T value);

  /** Small texts that this program shares with the tasks of the executor's project. */
  Blackboard blackboard();

  /**
   * Barriers, locks, queues and the like, for this program together with the calls of this
   * executor. What each call of this method returns takes part as one: threads that compete for a
   * lock need one each. A program that has been away for half a minute counts no more, like a task
   * that has died.
   */
  Coordination coordination();

  /** Applies a function to an argument. */
  <A extends @Nullable Object, B extends @Nullable Object> CompletableFuture<B> apply(
      RemoteFunction<A, B> function, A argument);

  /**
   * Applies a function to every element; results come in the order of the elements. However long
   * the stream, only a bounded number of elements is under way: reading the results slowly slows
   * down the reading of the elements.
   *
   * @throws RuntimeException while the results are read, if the function threw: that which it
   *     threw, or a {@link java.util.concurrent.CompletionException} around a checked one
   */
  <A extends @Nullable Object, B extends @Nullable Object> Stream<B> map(
      Stream<A> elements, RemoteFunction<A, B> function);

  /** The same for a collection, all at once. */
  <A extends @Nullable Object, B extends @Nullable Object> List<B> map(
      Collection<A> elements, RemoteFunction<A, B> function);

  /**
   * Applies a function to every element in one job that outlives this program: one task for each,
   * of which the pool alone takes care. Submitted again under the same key with the same elements
   * and code, by this program or its next run, it is the same job; {@link
   * dev.imker.client.Imker#attach} finds it by its key.
   *
   * @param key that no other job of the user has
   * @throws java.util.concurrent.RejectedExecutionException if something of it cannot travel
   * @throws dev.imker.model.ImkerException if another job has the key
   */
  <A extends @Nullable Object, B extends @Nullable Object> JobHandle<List<B>> mapDurably(
      String key, Collection<A> elements, RemoteFunction<A, B> function);

  /**
   * The actor of a name: found in the project of this executor, or made with its first call.
   *
   * @param name of letters, digits, '_' and '-'
   * @param factory makes the object that gets the fields that were kept, such as {@code
   *     Counter::new}
   */
  <T> Actor<T> actor(String name, RemoteCallable<T> factory);

  /**
   * Applies a function to every element; results come as they are ready, at the pace at which the
   * subscriber asks for them. For one subscriber.
   */
  <A, B extends @Nullable Object> Flow.Publisher<Applied<A, B>> publish(
      Iterable<A> elements, RemoteFunction<A, B> function);
}
