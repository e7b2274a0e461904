package dev.imker.client.executor;

import dev.imker.tasks.RemoteFunction;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A named object in the pool. Its calls are executed one after the other; those of one program in
 * the order in which it made them. The server stores the changes of a call before its future
 * completes, so the object outlives machines, servers and programs. A call that is interrupted by
 * the loss of a machine is repeated on the previous state of the object.
 *
 * <p>The fields of the object are stored; they must have types that calls may return. {@code
 * transient} fields are initialised by the factory. A call that throws changes nothing.
 */
public interface Actor<T> {
  String name();

  /** Calls a method, such as {@code Counter::increment} or {@code c -> c.add(5)}. */
  <R extends @Nullable Object> CompletableFuture<R> call(RemoteFunction<T, R> method);
}
